-- Reads the description of a wheel. If there is none, it makes the wheel, unless COUNT
-- is 0. An older program's wheel gets the field that it lacks.
-- KEYS[1]: NAME:wheel, a hash: shards, the number of shards in layout 1, and 0 in later
-- layouts, which older programs refuse; layout, 1 if absent; count, the number of shards in
-- later layouts; id, which changes with the layout and when a lost wheel is made again; was,
-- the last ids before changes of layout; marked, 1 once all shards have the mark of the id; moving,
-- "COUNT ID" of the new layout while tasks are moved there; dropping, "LAYOUT COUNT ID" of the
-- old one while its keys are deleted; paused, 1 while workers claim nothing; lost, how
-- many times data was found to be lost.
-- ARGV: ID for a new layout, COUNT of the shards of a new wheel.
-- Reply: the fields and their values, then 1 if the wheel was made, else 0.
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
