-- LuaDeleteTask of the wheel as published. It only marks a task, in the delete set of
-- the minute that the caller passes. The set expires 120 s after its first mark.
-- KEYS: delete set. ARGV: key.
redis.call('sadd', KEYS[1], ARGV[1])
local count = redis.call('scard', KEYS[1])
if tonumber(count) == 1 then redis.call('expire', KEYS[1], 120) end
return count
