-- Removes tasks that were listed, unless their state or instant has changed since: a task that was
-- added again is a different one.
-- KEYS: PREFIX MARK; see common.lua.
-- ARGV: STATE; then KEY AT for each task, with distinct keys. AT is the instant with which the task
-- was listed, in ms since 1970. It is ignored for a task in flight, because its worker extends the
-- lease.
-- Reply: for each task 1 if it was removed, else 0.
local sets = { retrying = RETRIES, ['in-flight'] = LEASES, dead = DEAD }
local flags, count = {}, 0

-- is_at reports whether a task is in the listed state, with instant at.
local function is_at(key, at, record)
  local set = sets[ARGV[1]] or slice(minute_of(at))
  local score = redis.call('ZSCORE', set, key)
  if not score and not sets[ARGV[1]] then
    local reserved = reserved_set(record)
    score = reserved and redis.call('ZSCORE', reserved, key)
  end
  return score and (set == LEASES or tonumber(score) == tonumber(at))
end

for i = 2, #ARGV, 2 do
  local key = ARGV[i]
  local record = redis.call('HGET', TASKS, key)
  local n = #flags + 1
  flags[n] = 0
  if record and is_at(key, ARGV[i + 1], record) then
    unlink(key, record)
    flags[n] = redis.call('HDEL', TASKS, key)
    count = count + flags[n]
  end
end
if count > 0 then redis.call('HINCRBY', STATS, 'removed', count) end
return flags
