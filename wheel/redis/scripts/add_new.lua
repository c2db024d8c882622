-- Adds one task if there is none of its key: the usual case, without what only the
-- other cases need (common.lua does not stand before this one), in half the time.
-- ARGV: KEY, DUE in ms, RECORD. Reply: 1, or 0 if there is such a task: nothing is done.
-- The first write is one that a server out of memory refuses.
local P, due = KEYS[1], ARGV[2]
if KEYS[2] ~= P .. ':none' and redis.call('EXISTS', KEYS[2]) == 0 then
  return redis.error_reply('LAYOUT not of this shard: ' .. KEYS[2])
end
if redis.call('HSETNX', P .. ':tasks', ARGV[1], ARGV[3]) == 0 then return 0 end
local minute = string.format('%d', math.floor(due / 60000))
local slice, minutes = P .. ':slice:' .. minute, P .. ':minutes'
redis.call('ZADD', slice, due, ARGV[1])
-- Only the first of a slice can be in a new one, or be due before all others.
if redis.call('ZRANGE', slice, 0, 0)[1] == ARGV[1] then
  redis.call('ZADD', minutes, minute, minute)
  if redis.call('ZRANGE', minutes, 0, 0)[1] == minute then redis.pcall('PUBLISH', P .. ':wake', '') end
end
return 1
