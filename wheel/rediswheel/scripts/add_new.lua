-- Adds one task if there is none of its key: the usual case, without what only the
-- other cases need (common.lua does not stand before this one), in half the time. So the
-- names of keys are given, and none is made here: most of the time of a script is Lua's.
-- KEYS: PREFIX, the mark of the caller's layout or PREFIX:none, then of the shard the tasks, the
-- slice of the task's minute, and the minutes. ARGV: KEY, DUE in ms, RECORD, MINUTE.
-- Reply: 1, or 0 if there is such a task: nothing is done.
-- The first write is one that a server out of memory refuses.
local call = redis.call
if call('EXISTS', KEYS[2]) == 0 and KEYS[2] ~= KEYS[1] .. ':none' then
  return redis.error_reply('LAYOUT not of this shard: ' .. KEYS[2])
end
if call('HSETNX', KEYS[3], ARGV[1], ARGV[3]) == 0 then return 0 end
call('ZADD', KEYS[4], ARGV[2], ARGV[1])
-- Only the first of a slice can be in a new one, or be due before all others.
if call('ZRANK', KEYS[4], ARGV[1]) == 0 then
  call('ZADD', KEYS[5], ARGV[4], ARGV[4])
  if call('ZRANK', KEYS[5], ARGV[4]) == 0 then redis.pcall('PUBLISH', KEYS[1] .. ':wake', '') end
end
return 1
