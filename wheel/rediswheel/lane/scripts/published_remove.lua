-- The wheel as published (LuaDeleteTask): a task is only marked, in the delete set of
-- the minute that the caller names, and the set lapses 120 s after its first mark.
-- KEYS: delete set. ARGV: key.
redis.call('sadd', KEYS[1], ARGV[1])
local count = redis.call('scard', KEYS[1])
if tonumber(count) == 1 then redis.call('expire', KEYS[1], 120) end
return count
