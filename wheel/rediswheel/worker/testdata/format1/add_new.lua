-- Adds one task if there is none of its key: the usual case, without what only the
-- other cases need (common.lua does not stand before this one), in half the time.
-- ARGV: KEY, DUE in ms, RECORD. Reply: 1, or 0 if there is such a task: nothing is done.
-- The first write is one that a server out of memory refuses.
local P, due = KEYS[1], ARGV[2]
if redis.call('HSETNX', P .. ':tasks', ARGV[1], ARGV[3]) == 0 then return 0 end
local minute = string.format('%d', math.floor(due / 60000))
redis.call('ZADD', P .. ':slice:' .. minute, due, ARGV[1])
redis.call('ZADD', P .. ':minutes', minute, minute)
return 1
