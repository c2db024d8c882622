-- Puts claimed tasks back for another attempt, if their claims are current.
-- KEYS: PREFIX NONE; see common.lua.
-- ARGV: FIELD, the counter to increment: retried, deferred, released or refused; COUNTED, 1 if the
-- attempt counts, else 0; then KEY TOKEN WAIT REASON for each task. WAIT is in ms from now.
-- Reply: for each task 1 if it was put back, else 0.
-- With FIELD refused the refusals of each task are incremented, too.
local flags, mine = held(3, 4)
if #mine == 0 then return flags end
local claims, scores, values, t = redis.call('HMGET', CLAIMS, unpack(mine)), {}, {}, now()
local n = 0
for i, flag in ipairs(flags) do
  if flag == 1 then
    n = n + 1
    local at = 3 + (i - 1) * 4
    local _, attempts, _, addition, refusals, lapses = claim_of(claims[n])
    if ARGV[1] == 'refused' then refusals = refusals + 1 elseif ARGV[2] == '1' then refusals = 0 end
    scores[2 * n - 1], scores[2 * n] = t + ARGV[at + 2], mine[n]
    if ARGV[1] == 'retried' then lapses = 0 end -- the attempt had a result
    values[2 * n - 1], values[2 * n] = mine[n], claim_text('0', attempts - 1 + ARGV[2], ARGV[at + 3], addition, refusals, lapses)
  end
end
redis.call('ZREM', LEASES, unpack(mine))
redis.call('ZADD', RETRIES, unpack(scores))
redis.call('HSET', CLAIMS, unpack(values))
redis.call('HINCRBY', STATS, ARGV[1], n)
-- Other workers may be waiting for longer than until the earliest of these tasks is due.
local head = redis.call('ZRANGE', RETRIES, 0, 0)[1]
for _, key in ipairs(mine) do
  if key == head then wake() end
end
return flags
