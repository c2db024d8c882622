-- Moves tasks that are due to leases: whose lease lapsed, who are to be tried again,
-- and from the slices, the earliest minute first, so an outage is made up in order.
-- Each of the first two gets at most half of the room, so that neither keeps new
-- tasks waiting.
-- ARGV: MAX tasks, LEASE in ms.
-- Reply: NOW, WAIT, TOKEN, then KEY RECORD ATTEMPTS for each task. WAIT is the ms
-- until more is due: 0 at once, -1 nothing in sight. ATTEMPTS counts this one.
-- A key is removed from a set before it is added to another: removals are allowed
-- to a server out of memory, and what follows them in a script is too.
local SLICES_MAX = 1000 -- emptied by one claim
local room, t = tonumber(ARGV[1]), now()
local batch = {}

local function take(list)
  for _, key in ipairs(list) do batch[#batch + 1] = key end
  room = room - #list
  return #list
end

local function take_due(set)
  local list = redis.call('ZRANGEBYSCORE', set, '-inf', t, 'LIMIT', 0, math.ceil(room / 2))
  if #list > 0 then redis.call('ZREM', set, unpack(list)) end
  return take(list)
end

-- take_slice empties the earliest slice of what is due, and says whether it is done
-- with: only then the next may hold something due.
local function take_slice(minute)
  local key = slice(minute)
  local list = redis.call('ZRANGEBYSCORE', key, '-inf', t, 'LIMIT', 0, room)
  if #list > 0 then redis.call('ZREMRANGEBYRANK', key, 0, #list - 1) end
  take(list)
  if redis.call('EXISTS', key) == 1 then return false end
  redis.call('ZREM', MINUTES, minute)
  return true
end

local lapsed = take_due(LEASES)
take_due(RETRIES)
for _ = 1, SLICES_MAX do
  local first = redis.call('ZRANGE', MINUTES, 0, 0)[1]
  if room == 0 or not first or first * MINUTE > t or not take_slice(first) then break end
end

-- lease_all notes the new leases and lists what was claimed. A key without a record
-- has lost it to someone else's hand; nothing is left to do for it.
local function lease_all(token)
  local reply, leases, claims = {}, {}, {}
  local records = redis.call('HMGET', TASKS, unpack(batch))
  local olds = redis.call('HMGET', CLAIMS, unpack(batch))
  for i, key in ipairs(batch) do
    if records[i] then
      local _, attempts, reason = claim_of(olds[i])
      leases[#leases + 1], leases[#leases + 2] = t + ARGV[2], key
      claims[#claims + 1], claims[#claims + 2] = key, token .. ' ' .. attempts + 1 .. ' ' .. reason
      reply[#reply + 1], reply[#reply + 2], reply[#reply + 3] = key, records[i], attempts + 1
    end
  end
  if #leases > 0 then
    redis.call('ZADD', LEASES, unpack(leases))
    redis.call('HSET', CLAIMS, unpack(claims))
  end
  return reply
end

-- earliest is the least score of a set, or nil.
local function earliest(set)
  return tonumber(redis.call('ZRANGE', set, 0, 0, 'WITHSCORES')[2])
end

local function wait()
  local least
  local function consider(at) if at and (not least or at < least) then least = at end end
  consider(earliest(LEASES))
  consider(earliest(RETRIES))
  local first = redis.call('ZRANGE', MINUTES, 0, 0)[1]
  if first then consider(earliest(slice(first))) end
  if not least then return -1 end
  return math.max(0, least - t)
end

-- new_token is greater than any before it, and no less than the clock: a server that lost
-- the last ones gives none of them again, so that no old call ends a newer task.
local function new_token()
  local last = tonumber(redis.call('HGET', STATS, 'token') or 0)
  return string.format('%d', math.max(last + 1, t))
end

if #batch == 0 then return { t, wait(), 0 } end
local token = new_token()
redis.call('HSET', STATS, 'token', token)
local reply = lease_all(token)
if lapsed > 0 then redis.call('HINCRBY', STATS, 'lapsed', lapsed) end
table.insert(reply, 1, t)
table.insert(reply, 2, wait())
table.insert(reply, 3, tonumber(token))
return reply
