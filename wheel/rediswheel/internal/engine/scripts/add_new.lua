-- Adds one task if no task with its key exists.
-- KEYS: PREFIX MARK TASKS SLICE MINUTES, with the meanings of common.lua; SLICE is that of MINUTE.
-- ARGV: KEY, DUE in ms since 1970, RECORD, MINUTE of DUE.
-- Reply: 1 if the task was added, else 0.
-- For most new tasks this replaces add.lua and takes half the time, because most of the time of a
-- script is spent in Lua: common.lua is not prepended, and the names of the keys are passed.
-- The first write is one that a server out of memory refuses; the script then changes nothing.
local call = redis.call
if call('EXISTS', KEYS[2]) == 0 and KEYS[2] ~= KEYS[1] .. ':none' then
  return redis.error_reply('LAYOUT not of this shard: ' .. KEYS[2])
end
if call('HSETNX', KEYS[3], ARGV[1], ARGV[3]) == 0 then return 0 end
call('ZADD', KEYS[4], ARGV[2], ARGV[1])
-- Only the first task of a slice can be the first of a new slice, or the earliest of the shard.
if call('ZRANK', KEYS[4], ARGV[1]) == 0 then
  call('ZADD', KEYS[5], ARGV[4], ARGV[4])
  if call('ZRANK', KEYS[5], ARGV[4]) == 0 then redis.pcall('PUBLISH', KEYS[1] .. ':wake', '') end
end
return 1
