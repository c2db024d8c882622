-- What every script of a shard begins with: the names of its keys, its clock, and
-- how a task is found. KEYS[1] is the shard's prefix, such as "wheel{0}", the only
-- part of a key's name that stands in braces: all keys of a shard lie on one node.
-- KEYS[2] is the mark of the caller's layout, or NONE (see Shard.keys). The other names are made from it here, because the slice of a task that is
-- replaced is known only inside.
local P = KEYS[1]
local TASKS = P .. ':tasks'     -- hash: key -> record ("VERSION DUE HEAD\nBODY")
local MINUTES = P .. ':minutes' -- sorted set: every minute whose slice is not empty, by itself
local RETRIES = P .. ':retries' -- sorted set: key by the instant of its next attempt
local LEASES = P .. ':leases'   -- sorted set: key by the instant its lease lapses
local DEAD = P .. ':dead'       -- sorted set: key by the instant it was given up
local CLAIMS = P .. ':claims'   -- hash: key -> "TOKEN ATTEMPTS REASON\nADDITION REFUSALS", once it was claimed
local RESERVED = P .. ':reserved' -- set: names of the sets of reserved_set that were used
local STATS = P .. ':stats'     -- hash: counters, and the last token
local MINUTE = 60000            -- ms
local NONE = P .. ':none'       -- never made

-- A caller whose layout is not the shard's would add or look for tasks in the wrong place.
if KEYS[2] ~= NONE and redis.call('EXISTS', KEYS[2]) == 0 then
  return redis.error_reply('LAYOUT not of this shard: ' .. KEYS[2])
end

-- now is this server's clock: ms since 1970, UTC, rounded down.
local function now()
  local t = redis.call('TIME')
  return t[1] * 1000 + math.floor(t[2] / 1000)
end

-- decimal is a whole number as text. An instant is told so: the numbers in an embedded
-- server's replies are of the machine's size, and 32 bits hold none.
local function decimal(n) return string.format('%.0f', n) end

-- wake notifies workers that wait for something to become due in the shard (notify.go). A
-- user without the right to publish goes on without: workers poll, more slowly.
local function wake() redis.pcall('PUBLISH', P .. ':wake', '') end

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

-- reserved_set is the sorted set in which a task waits, once it is due, for a worker that can run it:
-- one that reads the version of its record, or has its handler. It is nil for a task that
-- every worker up to a version of records can run. A handler's name is left as JSON has it.
local function reserved_set(record, version_max)
  local version, first = string.match(record, '^(%d+) %d+ ()')
  if not version then return nil end
  if tonumber(version) > version_max then return P .. ':version:' .. version end
  local start = '{"handler":"'
  if string.sub(record, first, first + #start - 1) ~= start then return nil end
  first = first + #start
  local at = first
  while true do
    at = string.find(record, '["\\]', at)
    if not at then return nil end
    if string.sub(record, at, at) == '"' then return P .. ':handler:' .. string.sub(record, first, at - 1) end
    at = at + 2
  end
end

-- unlink removes a task from the one sorted set it is in. Its record stays.
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
  -- By a worker that reads only the first version, or by one that reads that of the record.
  local by_first, by_later = reserved_set(record, 1), reserved_set(record, math.huge)
  if by_first then redis.call('ZREM', by_first, key) end
  if by_later and by_later ~= by_first then redis.call('ZREM', by_later, key) end
end

-- claim_of reads a claim: its token ('0' while no worker holds the task), the attempts counted, the
-- reason of the last failure, the addition, and how often workers have refused the task since its last
-- attempt. The addition is the first token under which the task was claimed since it was
-- added, '0' if that is not known: adding the key again deletes the claim, so the
-- addition names what was added, through all its claims. Programs before version 2 of
-- the claims wrote neither of the last two, and take them for part of the reason.
local function claim_of(claim)
  if not claim then return '0', 0, '', '0', 0 end
  local token, attempts, reason = string.match(claim, '^(%d+) (%d+) ?(.*)$')
  local text, addition, refusals = string.match(reason, '^(.*)\n(%d+) (%d+)$')
  if not addition then return token, tonumber(attempts), reason, token, 0 end
  return token, tonumber(attempts), text, addition, tonumber(refusals)
end

-- claim_text is what claim_of reads.
local function claim_text(token, attempts, reason, addition, refusals)
  return token .. ' ' .. attempts .. ' ' .. reason .. '\n' .. addition .. ' ' .. refusals
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
