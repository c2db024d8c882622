-- Makes dead or retrying tasks due at once. A dead task starts again with its first attempt.
-- KEYS: PREFIX MARK; see common.lua.
-- ARGV: STATE, dead or retrying; then KEY AT for each task, with distinct keys. AT is the instant
-- in ms since 1970 with which the task was listed, or empty.
-- Reply: for each task 1 if it was made due, else 0.
-- A task is left unchanged if it is due already, or if its instant is not AT, unless AT is empty.
local set = ARGV[1] == 'dead' and DEAD or RETRIES
local flags, keys, scores, values, t = {}, {}, {}, {}, now()
for i = 2, #ARGV, 2 do
  local key, score = ARGV[i], redis.call('ZSCORE', set, ARGV[i])
  local n = #flags + 1
  flags[n] = 0
  local ready = set == DEAD or score and tonumber(score) > t
  if score and ready and (ARGV[i + 1] == '' or tonumber(score) == tonumber(ARGV[i + 1])) and redis.call('HEXISTS', TASKS, key) == 1 then
    local _, attempts, reason, addition = claim_of(redis.call('HGET', CLAIMS, key))
    if set == DEAD then attempts = 0 end
    flags[n], keys[#keys + 1] = 1, key
    scores[#scores + 1], scores[#scores + 2] = t, key
    values[#values + 1], values[#values + 2] = key, claim_text('0', attempts, reason, addition, 0, 0)
  end
end
if #keys == 0 then return flags end
redis.call('ZREM', set, unpack(keys))
redis.call('ZADD', RETRIES, unpack(scores))
redis.call('HSET', CLAIMS, unpack(values))
if set == DEAD then redis.call('HINCRBY', STATS, 'revived', #keys) end
wake()
return flags
