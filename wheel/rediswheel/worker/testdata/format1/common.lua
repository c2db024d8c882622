-- What every script of a shard begins with: the names of its keys, its clock, and
-- how a task is found. KEYS[1] is the shard's prefix, such as "wheel{0}", the only
-- part of a key's name that stands in braces: all keys of a shard lie on one node.
-- KEYS[2] is not read: see Shard.keys. The other names are made from it here, because the slice of a task that is
-- replaced is known only inside.
local P = KEYS[1]
local TASKS = P .. ':tasks'     -- hash: key -> record ("VERSION DUE HEAD\nBODY")
local MINUTES = P .. ':minutes' -- sorted set: every minute whose slice is not empty, by itself
local RETRIES = P .. ':retries' -- sorted set: key by the instant of its next attempt
local LEASES = P .. ':leases'   -- sorted set: key by the instant its lease lapses
local DEAD = P .. ':dead'       -- sorted set: key by the instant it was given up
local CLAIMS = P .. ':claims'   -- hash: key -> "TOKEN ATTEMPTS REASON", once it was claimed
local STATS = P .. ':stats'     -- hash: counters, and the last token
local MINUTE = 60000            -- ms

-- now is this server's clock: ms since 1970, UTC, rounded down.
local function now()
  local t = redis.call('TIME')
  return t[1] * 1000 + math.floor(t[2] / 1000)
end

-- decimal is a whole number as text. An instant is told so: the numbers in an embedded
-- server's replies are of the machine's size, and 32 bits hold none.
local function decimal(n) return string.format('%.0f', n) end

-- minute_of is the number of a minute since 1970; slice is the key of its sorted
-- set: key by due, in ms.
local function minute_of(due) return string.format('%d', math.floor(due / MINUTE)) end
local function slice(minute) return P .. ':slice:' .. minute end

-- due_of reads a record's due; 0 if it tells none, as what another hand wrote may: it is to
-- be found and removed too.
local function due_of(record) return tonumber(string.match(record, '^%d+ (%d+)') or 0) end

-- forget_if_empty takes a minute off the list once its slice has vanished.
local function forget_if_empty(minute)
  if redis.call('EXISTS', slice(minute)) == 0 then redis.call('ZREM', MINUTES, minute) end
end

-- unlink takes a task out of the one place it stands in. Its record stays.
local function unlink(key, record)
  local minute = minute_of(due_of(record))
  if redis.call('ZREM', slice(minute), key) == 1 then
    forget_if_empty(minute)
    return
  end
  redis.call('ZREM', RETRIES, key)
  redis.call('ZREM', LEASES, key)
  redis.call('ZREM', DEAD, key)
  redis.call('HDEL', CLAIMS, key)
end

-- claim_of reads who holds a task, how often it was tried, and why it failed last.
local function claim_of(claim)
  if not claim then return '0', 0, '' end
  local token, attempts, reason = string.match(claim, '^(%d+) (%d+) ?(.*)$')
  return token, tonumber(attempts), reason
end

-- held says for each pair of key and token whether that claim still holds, as 1 or
-- 0, and lists the keys of those that do. ARGV has the pairs from `first` on, one
-- every `step` arguments.
local function held(first, step)
  local keys = {}
  for i = first, #ARGV, step do keys[#keys + 1] = ARGV[i] end
  if #keys == 0 then return {}, {} end
  local claims = redis.call('HMGET', CLAIMS, unpack(keys))
  local flags, mine = {}, {}
  for i, key in ipairs(keys) do
    local token = claim_of(claims[i])
    flags[i] = token == ARGV[first + (i - 1) * step + 1] and 1 or 0
    if flags[i] == 1 then mine[#mine + 1] = key end
  end
  return flags, mine
end
