-- The first part of every script of a shard, except add_new.lua: the names of the keys, the clock
-- of the server, and functions that find tasks and parse records and claims.
-- KEYS: PREFIX, such as "wheel{0}": Redis hashes only the part in braces, so that all keys of a
-- shard are on one node; MARK, the mark of the layout of the caller, or NONE (see Shard.keys).
-- The other names are derived here, because the slice of a task that is replaced or removed is
-- known only after its record has been read.
local P = KEYS[1]
local TASKS = P .. ':tasks'      -- hash: key -> record ("1 DUE HEAD\nBODY")
local MINUTES = P .. ':minutes'  -- sorted set: minute of each slice that is not empty, by itself
local RETRIES = P .. ':retries'  -- sorted set: key by the instant of the next attempt
local LEASES = P .. ':leases'    -- sorted set: key by the instant at which the lease lapses
local DEAD = P .. ':dead'        -- sorted set: key by the instant at which the task was given up
-- CLAIMS is a hash with the claim of each task that has been claimed:
-- key -> "TOKEN ATTEMPTS ADDITION REFUSALS LAPSES REASON", see claim_of.
local CLAIMS = P .. ':claims'
local RESERVED = P .. ':reserved' -- set: the names of the reserved sets in use, see reserved_set
local STATS = P .. ':stats'      -- hash: counters, the last token, and state of claim.lua
local MINUTE = 60000             -- ms
local NONE = P .. ':none'        -- never exists

-- A caller with another layout would add tasks to the wrong shard, or not find them.
if KEYS[2] ~= NONE and redis.call('EXISTS', KEYS[2]) == 0 then
  return redis.error_reply('LAYOUT not of this shard: ' .. KEYS[2])
end

-- now returns the time in ms since 1970 by the clock of this server, rounded down.
local function now()
  local t = redis.call('TIME')
  return t[1] * 1000 + math.floor(t[2] / 1000)
end

-- decimal formats a whole number as text. Scripts reply with instants as text, because the integers
-- in the replies of an embedded server may have only 32 bits.
local function decimal(n) return string.format('%.0f', n) end

-- wake notifies workers that wait for a task of the shard to become due (notify.go). It ignores
-- errors: if the user may not publish, workers find the tasks by polling, which takes longer.
local function wake() redis.pcall('PUBLISH', P .. ':wake', '') end

-- minute_of returns the number of the minute that contains an instant, counted from 1970.
local function minute_of(due) return string.format('%d', math.floor(due / MINUTE)) end
-- slice returns the name of the sorted set of a minute: key by due in ms.
local function slice(minute) return P .. ':slice:' .. minute end

-- due_of returns the due of a record in ms since 1970. It returns 0 for a record that it cannot
-- parse, which another program may have written, so that such a task can be listed and removed.
local function due_of(record) return tonumber(string.match(record, '^%d+ (%d+)') or 0) end

-- forget_if_empty removes a minute from MINUTES if its slice is empty.
local function forget_if_empty(minute)
  if redis.call('EXISTS', slice(minute)) == 0 then redis.call('ZREM', MINUTES, minute) end
end

-- reserved_set returns the name of the reserved set of a record: the sorted set, key by due in ms,
-- in which its task waits, when due, for a worker that has its handler, whose name is escaped as in
-- JSON. It returns nil for a task with a URL, which all workers can run.
local function reserved_set(record)
  local first = string.match(record, '^%d+ %d+ {"handler":"()')
  if not first then return nil end
  local at = first
  while true do
    at = string.find(record, '["\\]', at)
    if not at then return nil end
    if string.sub(record, at, at) == '"' then return P .. ':handler:' .. string.sub(record, first, at - 1) end
    at = at + 2
  end
end

-- unlink removes a task from the sorted set that contains it, and deletes its claim, but not its
-- record.
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
  local reserved = reserved_set(record)
  if reserved then redis.call('ZREM', reserved, key) end
end

-- reschedule makes a task wait until due, in ms since 1970, with its first attempt. Its head and body stay.
-- The first write is one that a server out of memory refuses.
local function reschedule(key, record, due)
  local version, rest = string.match(record, '^(%d+ )%d+()')
  redis.call('HSET', TASKS, key, version .. due .. string.sub(record, rest))
  unlink(key, record)
  local minute = minute_of(due)
  redis.call('ZADD', slice(minute), due, key)
  redis.call('ZADD', MINUTES, minute, minute)
end

-- claim_of parses a claim and returns its parts, those of no claim if another program has written it:
--   token     '0' if no worker holds the task
--   attempts  number of attempts
--   reason    of the last failure
--   addition  the first token with which the task was claimed since it was added, '0' if unknown.
--             Adding the key again deletes the claim, so this identifies one addition of the task.
--   refusals  how often workers have refused the task since the last attempt
--   lapses    how many leases have lapsed since the last result of an attempt
local function claim_of(claim)
  if not claim then return '0', 0, '', '0', 0, 0 end
  local token, attempts, addition, refusals, lapses, reason = string.match(claim, '^(%d+) (%d+) (%d+) (%d+) (%d+) (.*)$')
  if not token then return '0', 0, '', '0', 0, 0 end
  return token, tonumber(attempts), reason, addition, tonumber(refusals), tonumber(lapses)
end

-- claim_text formats a claim in the format of claim_of.
local function claim_text(token, attempts, reason, addition, refusals, lapses)
  return token .. ' ' .. attempts .. ' ' .. addition .. ' ' .. refusals .. ' ' .. lapses .. ' ' .. reason
end

-- held returns a list with 1 for each pair of key and token whose claim is current and 0 for the
-- others, and the keys of those that are current. The first pair is at ARGV[first], each further
-- one `step` arguments later.
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
