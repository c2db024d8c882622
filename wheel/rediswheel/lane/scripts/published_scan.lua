-- LuaZrangeTasks of the wheel as published. It pops all tasks from the first second to
-- the last. They are not stored elsewhere: if the caller dies, they are lost.
-- KEYS: slice, delete set. ARGV: first second, last second.
-- Reply: the list of deleted keys, then the bodies.
local reply = { redis.call('smembers', KEYS[2]) }
local due = redis.call('zrange', KEYS[1], ARGV[1], ARGV[2], 'byscore')
redis.call('zremrangebyscore', KEYS[1], ARGV[1], ARGV[2])
for _, body in ipairs(due) do reply[#reply + 1] = body end
return reply
