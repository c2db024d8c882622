-- Removes tasks that were listed, unless they have moved since: one that was added again in the
-- meantime is another task.
-- ARGV: STATE; then KEY AT for each task, AT being the instant at which it was listed; no key twice.
-- Of a task in flight AT is not compared: its worker extends the lease.
-- Reply: for each task 1 if it was removed, else 0.
local sets = { retrying = RETRIES, ['in-flight'] = LEASES, dead = DEAD }
local flags, count = {}, 0
for i = 2, #ARGV, 2 do
  local key, at = ARGV[i], ARGV[i + 1]
  local set = sets[ARGV[1]] or slice(minute_of(at))
  local score = redis.call('ZSCORE', set, key)
  local n = #flags + 1
  flags[n] = 0
  if score and (set == LEASES or tonumber(score) == tonumber(at)) then
    redis.call('ZREM', set, key)
    if set ~= RETRIES and set ~= LEASES and set ~= DEAD then forget_if_empty(minute_of(at)) end
    redis.call('HDEL', CLAIMS, key)
    flags[n] = redis.call('HDEL', TASKS, key)
    count = count + flags[n]
  end
end
if count > 0 then redis.call('HINCRBY', STATS, 'removed', count) end
return flags
