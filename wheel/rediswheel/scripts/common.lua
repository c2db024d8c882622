-- This file is prepended to every script of a shard. It defines the names of the shard's keys, its clock, and
-- functions that find tasks. KEYS[1] is the prefix of the shard, such as "wheel{0}", the only part of a key
-- in braces, so that all keys of a shard are on one node. KEYS[2] is the mark of the caller's layout, or NONE
-- (see Shard.keys). The other names are made from the prefix here, because the caller does not know the slice
-- of a task that is replaced.
local P = KEYS[1]
local TASKS = P .. ':tasks'     -- hash: key -> record ("VERSION DUE HEAD\nBODY")
local MINUTES = P .. ':minutes' -- sorted set: the minutes whose slices are not empty, by minute
local RETRIES = P .. ':retries' -- sorted set: keys by the instant of the next attempt
local LEASES = P .. ':leases'   -- sorted set: keys by the instant at which the lease lapses
local DEAD = P .. ':dead'       -- sorted set: keys by the instant at which the task was given up
local CLAIMS = P .. ':claims'   -- hash: key -> "TOKEN ATTEMPTS REASON\nADDITION REFUSALS" of a task that was claimed, see claim_of
local RESERVED = P .. ':reserved' -- set: names of the sets that reserved_set has returned
local STATS = P .. ':stats'     -- hash: counters, and the last token
local MINUTE = 60000            -- ms
local NONE = P .. ':none'       -- does not exist

-- If the layout of the caller is not that of the shard, the script would add or look for tasks in the wrong
-- place.
if KEYS[2] ~= NONE and redis.call('EXISTS', KEYS[2]) == 0 then
  return redis.error_reply('LAYOUT not of this shard: ' .. KEYS[2])
end

-- now returns the time by the clock of this server, in ms since 1970 UTC, rounded down.
local function now()
  local t = redis.call('TIME')
  return t[1] * 1000 + math.floor(t[2] / 1000)
end

-- decimal formats a whole number. Instants are returned as text, because the integers in the replies of an
-- embedded server have the word size of the machine, and 32 bits are too few.
local function decimal(n) return string.format('%.0f', n) end

-- wake notifies workers that wait for tasks of the shard to become due (notify.go). If host is given, it also
-- notifies them that this receiver answers. If the user may not publish, nothing is sent, and workers poll.
local function wake(host) redis.pcall('PUBLISH', P .. ':wake', host or '') end

-- deferred_set returns the key of the index of tasks that were put back because of their receiver: a sorted
-- set of keys by due time. It may have entries of tasks that have been claimed, removed or replaced since.
local function deferred_set(host) return P .. ':deferred:' .. host end

-- minute_of returns the number of a minute since 1970. slice returns the key of its sorted set: keys by due
-- time, in ms.
local function minute_of(due) return string.format('%d', math.floor(due / MINUTE)) end
local function slice(minute) return P .. ':slice:' .. minute end

-- due_of returns the due time in a record, or 0 if there is none. Another program may have written such a
-- record; it can then be found and removed like any other.
local function due_of(record) return tonumber(string.match(record, '^%d+ (%d+)') or 0) end

-- forget_if_empty removes a minute from the list if its slice is empty.
local function forget_if_empty(minute)
  if redis.call('EXISTS', slice(minute)) == 0 then redis.call('ZREM', MINUTES, minute) end
end

-- reserved_set returns the key of the sorted set in which a due task waits for a worker that can run it: one
-- that reads the version of its record, or one that has its handler. It returns nil for a task that every
-- worker for records up to version_max (1 or more) can run. The name of a handler is used as written in JSON.
local function reserved_set(record, version_max)
  if string.find(record, '^1 %d+ {"[^h]') then return nil end -- the usual case: the record begins with a URL
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

-- is_reserved reports whether an entry of such a set, with the given instant, belongs to a task. Programs that
-- do not know these sets leave entries there when they replace or remove a task; the task then has another due
-- time or is also in another set.
local function is_reserved(key, at, record)
  if not at or not record or due_of(record) ~= tonumber(at) then return false end
  for _, set in ipairs({ slice(minute_of(at)), LEASES, RETRIES, DEAD }) do
    if redis.call('ZSCORE', set, key) then return false end
  end
  return true
end

-- unlink removes a task from the sorted set that contains it, and its claim. The record remains.
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
  -- The task was reserved either by a worker that reads only version 1, or by one that reads the version of the
  -- record.
  local by_first, by_later = reserved_set(record, 1), reserved_set(record, math.huge)
  if by_first then redis.call('ZREM', by_first, key) end
  if by_later and by_later ~= by_first then redis.call('ZREM', by_later, key) end
end

-- claim_of parses a claim. It returns the token ('0' if no worker holds the task), the number of attempts, the
-- reason of the last failure, the addition, the number of times that workers have refused the task since its
-- last attempt, LAPSES and MARK. The addition is the first token under which the task was claimed since it was
-- added, or '0' if that is unknown. Adding the key again deletes the claim, so the addition identifies what was
-- added in all its claims. Programs for version 1 of claims write neither addition nor refusals, and treat both
-- as a part of the reason.
--
-- Version 3 has a line "LAPSES MARK" after the reason if one of them is not 0. Older programs treat the line as
-- a part of the reason and keep it. LAPSES is the number of leases that have lapsed while the task was the only
-- suspect of its worker (claim.lua), since it last had a result. MARK is the token of the claim in which it is
-- the only suspect, or RESERVED_SUSPECT for a suspect that waits in a separate set for a worker that can run it.
local RESERVED_SUSPECT = '1'
local function claim_of(claim)
  if not claim then return '0', 0, '', '0', 0, 0, '0' end
  local token, attempts, reason = string.match(claim, '^(%d+) (%d+) ?(.*)$')
  local text, addition, refusals = string.match(reason, '^(.*)\n(%d+) (%d+)$')
  if not addition then text, addition, refusals = reason, token, 0 end
  local short, lapses, mark = string.match(text, '^(.*)\n(%d+) (%d+)$')
  return token, tonumber(attempts), short or text, addition, tonumber(refusals), tonumber(lapses or 0), mark or '0'
end

-- claim_text formats a claim as claim_of parses it. lapses and mark are 0 if they are absent.
local function claim_text(token, attempts, reason, addition, refusals, lapses, mark)
  if mark and (lapses > 0 or mark ~= '0') then reason = reason .. '\n' .. lapses .. ' ' .. mark end
  return token .. ' ' .. attempts .. ' ' .. reason .. '\n' .. addition .. ' ' .. refusals
end

-- held returns for each pair of key and token 1 if the claim is current, otherwise 0, and the list of the keys
-- with a current claim. The pairs start at ARGV[first], each `step` arguments after the previous one.
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
