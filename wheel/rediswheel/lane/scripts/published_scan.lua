-- The wheel as published (LuaZrangeTasks): pops everything of the two seconds, for
-- good; whoever asked and dies has taken the tasks along.
-- KEYS: slice, delete set. ARGV: first second, last second, both included.
-- Reply: the list of deleted keys, then the bodies.
local reply = { redis.call('smembers', KEYS[2]) }
local due = redis.call('zrange', KEYS[1], ARGV[1], ARGV[2], 'byscore')
redis.call('zremrangebyscore', KEYS[1], ARGV[1], ARGV[2])
for _, body in ipairs(due) do reply[#reply + 1] = body end
return reply
