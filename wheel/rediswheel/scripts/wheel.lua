-- Returns the description of a wheel. If there is none, it creates the wheel, unless COUNT is 0. It
-- adds the field id to a wheel that an older program has created.
-- KEYS: NAME:wheel, a hash:
--   shards    the number of shards in layout 1; 0 in later ones, which older programs refuse
--   layout    the version of the layout; 1 if absent
--   count     the number of shards in later layouts
--   id        changes when a lost wheel is created again
--   marked    1 once all shards have the mark of id
--   paused    1 while workers claim nothing
--   lost      how many times lost data was detected
-- ARGV: ID for a new layout; COUNT, the number of shards of a new wheel, or 0.
-- Reply: the fields and their values, then 1 if the wheel was created, else 0.
local shards, id = unpack(redis.call('HMGET', KEYS[1], 'shards', 'id'))
local made = 0
if not shards then
  if ARGV[2] == '0' then return { 0 } end
  redis.call('HSET', KEYS[1], 'shards', 0, 'layout', 2, 'count', ARGV[2], 'id', ARGV[1])
  made = 1
elseif not id then
  redis.call('HSET', KEYS[1], 'id', ARGV[1])
end
local reply = redis.call('HGETALL', KEYS[1])
reply[#reply + 1] = made
return reply
