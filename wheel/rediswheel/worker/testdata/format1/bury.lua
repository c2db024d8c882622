-- Gives claimed tasks up, with the reason, if their claim still holds. They are kept
-- until they are removed or added again; past MAX the oldest are dropped, counted.
-- ARGV: MAX, then KEY TOKEN REASON for each task.
-- Reply: for each task 1 if it was given up, else 0.
local flags, mine = held(2, 3)
if #mine == 0 then return flags end
local claims, scores, values, t = redis.call('HMGET', CLAIMS, unpack(mine)), {}, {}, now()
local n = 0
for i, flag in ipairs(flags) do
  if flag == 1 then
    n = n + 1
    local _, attempts = claim_of(claims[n])
    scores[2 * n - 1], scores[2 * n] = t, mine[n]
    values[2 * n - 1], values[2 * n] = mine[n], '0 ' .. attempts .. ' ' .. ARGV[2 + (i - 1) * 3 + 2]
  end
end
local over = redis.call('ZCARD', DEAD) + n - ARGV[1] -- before the first write: it fails if DEAD is no set
redis.call('ZREM', LEASES, unpack(mine))
redis.call('ZADD', DEAD, unpack(scores))
redis.call('HSET', CLAIMS, unpack(values))
redis.call('HINCRBY', STATS, 'buried', n)

if over > 0 then
  local oldest = redis.call('ZRANGE', DEAD, 0, math.min(over, 1000) - 1)
  redis.call('ZREM', DEAD, unpack(oldest))
  redis.call('HDEL', TASKS, unpack(oldest))
  redis.call('HDEL', CLAIMS, unpack(oldest))
  redis.call('HINCRBY', STATS, 'dropped', #oldest)
end
return flags
