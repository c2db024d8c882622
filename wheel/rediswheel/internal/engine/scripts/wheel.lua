-- Returns the description of a wheel. If there is none, it creates the wheel.
-- KEYS: NAME:wheel, a hash:
--   format    the version of what is stored in Redis
--   shards    the number of shards
--   id        changes when a lost wheel is created again
--   marked    1 once all shards have the mark of id
--   paused    1 while workers claim nothing
--   lost      how many times lost data was detected
-- ARGV: ID, SHARDS and FORMAT of a new wheel.
-- Reply: the fields and their values, then 1 if the wheel was created, else 0.
local made = redis.call('EXISTS', KEYS[1]) == 0 and 1 or 0
if made == 1 then redis.call('HSET', KEYS[1], 'format', ARGV[3], 'shards', ARGV[2], 'id', ARGV[1]) end
local reply = redis.call('HGETALL', KEYS[1])
reply[#reply + 1] = made
return reply
