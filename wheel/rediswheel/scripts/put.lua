-- Writes tasks that dump.lua has read to their shard in the new layout, with their states. Running
-- it again with the same tasks has no further effect.
-- KEYS: PREFIX NONE; see common.lua.
-- ARGV: KEY STATE AT RECORD CLAIM for each task, with the meanings of get.lua.
-- Reply: a list of one number, that of the tasks.
local sets = { retrying = RETRIES, dead = DEAD }
for i = 1, #ARGV, 5 do
  local key, state, at, record, claim = unpack(ARGV, i, i + 4)
  redis.call('HSET', TASKS, key, record)
  if claim ~= '' then redis.call('HSET', CLAIMS, key, claim) end
  if sets[state] then
    redis.call('ZADD', sets[state], at, key)
  else
    local minute = minute_of(at)
    redis.call('ZADD', slice(minute), at, key)
    redis.call('ZADD', MINUTES, minute, minute)
  end
end
return { #ARGV / 5 }
