-- Ends tasks whose callback succeeded, if their claim still holds: one that lapsed
-- and was taken over, or was replaced or removed meanwhile, is left alone.
-- ARGV: N, then N times FIELD COUNT to be added to the counters, then KEY TOKEN for
-- each task. Reply: for each task 1 if this ended it, else 0.
local first = 2 + 2 * ARGV[1]
local flags, mine = held(first, 2)
if #mine > 0 then
  redis.call('ZREM', LEASES, unpack(mine))
  redis.call('HDEL', CLAIMS, unpack(mine))
  redis.call('HDEL', TASKS, unpack(mine))
  redis.call('HINCRBY', STATS, 'done', #mine)
  for i = 2, first - 1, 2 do redis.call('HINCRBY', STATS, ARGV[i], ARGV[i + 1]) end
end
-- Not counted by a server out of memory if nothing was removed before: the reply counts.
if #flags > #mine then redis.pcall('HINCRBY', STATS, 'stale', #flags - #mine) end
return flags
