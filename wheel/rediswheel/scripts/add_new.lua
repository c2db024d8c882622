-- Adds one task if there is none with its key. This is the usual case. The script takes half the time
-- of add.lua because common.lua is not prepended to it, and the caller passes the names of the keys
-- instead of the script constructing them: most of the time is spent in the Lua interpreter.
-- KEYS: PREFIX; the mark of the caller's layout or PREFIX:none; then the keys of the tasks, of the
-- slice of the task's minute and of the minutes of the shard. ARGV: KEY, DUE in ms, RECORD, MINUTE.
-- Reply: 1, or 0 if there is a task with the key, in which case nothing is changed.
-- A server that is out of memory rejects the first write.
local call = redis.call
if call('EXISTS', KEYS[2]) == 0 and KEYS[2] ~= KEYS[1] .. ':none' then
  return redis.error_reply('LAYOUT not of this shard: ' .. KEYS[2])
end
if call('HSETNX', KEYS[3], ARGV[1], ARGV[3]) == 0 then return 0 end
call('ZADD', KEYS[4], ARGV[2], ARGV[1])
-- Only the first task of a slice can make the slice a new one, or be due before all other tasks.
if call('ZRANK', KEYS[4], ARGV[1]) == 0 then
  call('ZADD', KEYS[5], ARGV[4], ARGV[4])
  if call('ZRANK', KEYS[5], ARGV[4]) == 0 then redis.pcall('PUBLISH', KEYS[1] .. ':wake', '') end
end
return 1
