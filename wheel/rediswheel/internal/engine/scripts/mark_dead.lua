-- Marks claimed tasks as dead, with a reason, if their claims are current. A dead task is kept
-- until it is removed, retried or added again. If there are then more than MAX dead tasks, the
-- oldest are deleted, at most DROPPED_MAX per call, and counted.
-- A periodic task goes on: its next run waits for its time, and the dead task has a key of its own.
-- KEYS: PREFIX NONE; see common.lua.
-- ARGV: MAX, 0 for no limit; then KEY TOKEN REASON NEXT DEAD_KEY DEAD_RECORD for each task. NEXT is the due of
-- the next run of a periodic task in ms since 1970, or empty for other tasks; DEAD_KEY and DEAD_RECORD are
-- the key and the record of the dead task then.
-- Reply: for each task 1 if it was marked, else 0; then the number of dead tasks deleted, and the
-- number of dead tasks left.
-- Redis does not roll back a script, so DEAD is read before the first write: the command fails if
-- it is not a sorted set.
local DROPPED_MAX = 1000 -- maximum number of tasks deleted by one call
local flags, mine = held(2, 6)
if #mine == 0 then
  flags[#flags + 1], flags[#flags + 2] = 0, redis.call('ZCARD', DEAD)
  return flags
end
local claims, scores, values, t = redis.call('HMGET', CLAIMS, unpack(mine)), {}, {}, now()
local n = 0
for i, flag in ipairs(flags) do
  if flag == 1 then
    n = n + 1
    local _, attempts, _, addition = claim_of(claims[n])
    local at, key = 2 + (i - 1) * 6, mine[n]
    local record = ARGV[at + 3] ~= '' and redis.call('HGET', TASKS, key)
    if record then -- a periodic task
      reschedule(key, record, ARGV[at + 3])
      key = ARGV[at + 4]
      local old = redis.call('HGET', TASKS, key)
      if old then unlink(key, old) end
      redis.call('HSET', TASKS, key, ARGV[at + 5])
      wake()
    end
    scores[2 * n - 1], scores[2 * n] = t, key
    values[2 * n - 1], values[2 * n] = key, claim_text('0', attempts, ARGV[at + 2], addition, 0, 0)
  end
end
local max = tonumber(ARGV[1])
local kept, dropped = redis.call('ZCARD', DEAD) + n, 0
redis.call('ZREM', LEASES, unpack(mine))
redis.call('ZADD', DEAD, unpack(scores))
redis.call('HSET', CLAIMS, unpack(values))
redis.call('HINCRBY', STATS, 'buried', n)

if max > 0 and kept > max then
  local oldest = redis.call('ZRANGE', DEAD, 0, math.min(kept - max, DROPPED_MAX) - 1)
  dropped = #oldest
  redis.call('ZREM', DEAD, unpack(oldest))
  redis.call('HDEL', TASKS, unpack(oldest))
  redis.call('HDEL', CLAIMS, unpack(oldest))
  redis.call('HINCRBY', STATS, 'dropped', dropped)
end
flags[#flags + 1], flags[#flags + 2] = dropped, kept - dropped
return flags
