-- Deletes the keys of a shard whose tasks have been moved to another layout: up to MAX slices per
-- call, and all other keys by the last call.
-- KEYS: PREFIX NONE; see common.lua.
-- ARGV: MAX slices.
-- Reply: a list of one number, 1 if there are more keys to delete, else 0.
local minutes = redis.call('ZRANGE', MINUTES, 0, ARGV[1] - 1)
for _, minute in ipairs(minutes) do redis.call('UNLINK', slice(minute)) end
if #minutes > 0 then
  redis.call('ZREM', MINUTES, unpack(minutes))
  return { 1 }
end
for _, set in ipairs(redis.call('SMEMBERS', RESERVED)) do redis.call('UNLINK', set) end
redis.call('UNLINK', RESERVED, TASKS, MINUTES, RETRIES, LEASES, DEAD, CLAIMS, STATS)
return { 0 }
