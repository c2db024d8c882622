-- Puts claimed tasks back for another attempt, if their claim still holds.
-- ARGV: FIELD, the counter it is counted in; COUNTED, 1 or 0: whether the attempt
-- counts; then KEY TOKEN WAIT REASON for each task; WAIT in ms from now.
-- Reply: for each task 1 if it was put back, else 0.
local flags, mine = held(3, 4)
if #mine == 0 then return flags end
local claims, scores, values, t = redis.call('HMGET', CLAIMS, unpack(mine)), {}, {}, now()
local n = 0
for i, flag in ipairs(flags) do
  if flag == 1 then
    n = n + 1
    local at = 3 + (i - 1) * 4
    local _, attempts = claim_of(claims[n])
    scores[2 * n - 1], scores[2 * n] = t + ARGV[at + 2], mine[n]
    values[2 * n - 1], values[2 * n] = mine[n], '0 ' .. attempts - 1 + ARGV[2] .. ' ' .. ARGV[at + 3]
  end
end
redis.call('ZREM', LEASES, unpack(mine))
redis.call('ZADD', RETRIES, unpack(scores))
redis.call('HSET', CLAIMS, unpack(values))
redis.call('HINCRBY', STATS, ARGV[1], n)
return flags
