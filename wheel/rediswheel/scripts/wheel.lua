-- Reads the description of a wheel. If there is none, it creates the wheel, unless COUNT is 0. If an older
-- program has created the wheel, it adds the missing field.
-- KEYS[1]: NAME:wheel, a hash with the fields
--   shards    number of shards in layout 1; 0 in later layouts, which makes older programs refuse the wheel
--   layout    layout; 1 if absent
--   count     number of shards in later layouts
--   id        changes with the layout, and when a lost wheel is created again
--   was       last ids before changes of the layout
--   marked    1 if all shards have the mark of the id
--   moving    "COUNT ID" of the new layout while tasks are moved
--   dropping  "LAYOUT COUNT ID" of the old layout while its keys are deleted
--   paused    1 while workers claim nothing
--   lost      number of times that data was found to be lost
-- ARGV: ID for a new layout; COUNT, the number of shards of a new wheel.
-- Reply: the fields and their values; then 1 if the wheel was created, otherwise 0.
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
