-- Moves tasks that are due to leases: whose lease lapsed, who are to be tried again,
-- and from the slices, the earliest minute first, so an outage is made up in order.
-- Each of the first two gets at most half of the room, so that neither keeps new
-- tasks waiting. Room is that for MAX tasks, and for about 1 MiB of records, so that the
-- reply comes in time over a slow link too; each of the three may take one task
-- whatever its size.
-- ARGV: MAX tasks, LEASE in ms.
-- Reply: NOW, WAIT, TOKEN, then KEY RECORD ATTEMPTS for each task. WAIT is the ms
-- until more is due: 0 at once, -1 nothing in sight. ATTEMPTS counts this one.
-- What is refused in the middle of a script stays half done. So all that is to be read
-- is read first, which finds a key of another type, and the user asked for the right to
-- write; then a key is removed from a set before it is added to another: removals are
-- allowed to a server out of memory, and what follows them in a script is too.
local SLICES_MAX = 1000 -- emptied by one claim
local RECORDS_MAX = 1048576 -- bytes of records that one claim takes, about
local CHUNK = 16 -- records that are read at a time; what does not fit is read for nothing
local room, bytes, t = tonumber(ARGV[1]), RECORDS_MAX, now()
local batch, records, removals = {}, {}, {}

-- fitting takes keys over into the batch, and their records, until those are of so many
-- bytes. It says how many: one at least.
local function fitting(list, most)
  local count, size = 0, 0
  for first = 1, #list, CHUNK do
    local last = math.min(first + CHUNK - 1, #list)
    for i, record in ipairs(redis.call('HMGET', TASKS, unpack(list, first, last))) do
      if count > 0 and size >= most then return count, size end
      count, size = count + 1, size + (record and #record or 0)
      batch[#batch + 1], records[#records + 1] = list[first + i - 1], record
    end
  end
  return count, size
end

-- take notes keys of a set, the first of it, to be leased. It says how many.
local function take(set, list, most)
  if #list == 0 then return 0 end
  local count, size = fitting(list, most)
  room, bytes = room - count, bytes - size
  removals[#removals + 1] = { set = set, count = count }
  return count
end

local function take_due(set)
  local list = redis.call('ZRANGEBYSCORE', set, '-inf', t, 'LIMIT', 0, math.ceil(room / 2))
  return take(set, list, bytes / 2)
end

-- take_slices takes what is due from the earliest slices. Only where nothing of one is
-- left the next may hold something due. It lists the minutes that are done with.
local function take_slices()
  local over = {}
  for i = 0, SLICES_MAX - 1 do
    local minute = redis.call('ZRANGE', MINUTES, i, i)[1]
    local full = room == 0 or i > 0 and bytes <= 0
    if full or not minute or minute * MINUTE > t then break end
    local set = slice(minute)
    local list = redis.call('ZRANGEBYSCORE', set, '-inf', t, 'LIMIT', 0, room)
    if redis.call('ZCARD', set) > take(set, list, bytes) then break end
    over[#over + 1] = minute
  end
  return over
end

-- refusal says what the user may not write of all that is written below, or nothing. An
-- embedded server has no users.
local function refusal()
  if not redis.acl_check_cmd then return end
  for _, command in ipairs({ { 'ZREMRANGEBYRANK', LEASES, '0', '0' }, { 'ZREM', MINUTES, '0' }, { 'ZADD', LEASES, '0', '0' },
    { 'HSET', CLAIMS, '0', '0' }, { 'HINCRBY', STATS, 'lapsed', '0' } }) do
    if not redis.acl_check_cmd(unpack(command)) then
      return redis.error_reply('NOPERM the user may not run ' .. command[1] .. ' on ' .. command[2])
    end
  end
end

-- new_token is greater than any before it, and no less than the clock: a server that lost
-- the last ones gives none of them again, so that no old call ends a newer task.
local function new_token()
  local last = tonumber(redis.call('HGET', STATS, 'token') or 0)
  return string.format('%d', math.max(last + 1, t))
end

-- plan lists the new leases, the claims, and what is replied. A key without a record has
-- lost it to someone else's hand; nothing is left to do for it.
local function plan(token)
  local leases, claims, reply = {}, {}, {}
  if #batch == 0 then return leases, claims, reply end
  local olds = redis.call('HMGET', CLAIMS, unpack(batch))
  for i, key in ipairs(batch) do
    if records[i] then
      local _, attempts, reason = claim_of(olds[i])
      leases[#leases + 1], leases[#leases + 2] = t + ARGV[2], key
      claims[#claims + 1], claims[#claims + 2] = key, token .. ' ' .. attempts + 1 .. ' ' .. reason
      reply[#reply + 1], reply[#reply + 2], reply[#reply + 3] = key, records[i], attempts + 1
    end
  end
  return leases, claims, reply
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

local lapsed = take_due(LEASES)
take_due(RETRIES)
local over = take_slices()
if #batch == 0 and #over == 0 then return { t, wait(), 0 } end
local refused = refusal()
if refused then return refused end
local token = new_token()
local leases, claims, reply = plan(token)

for _, r in ipairs(removals) do redis.call('ZREMRANGEBYRANK', r.set, 0, r.count - 1) end
if #over > 0 then redis.call('ZREM', MINUTES, unpack(over)) end
if #leases > 0 then
  redis.call('ZADD', LEASES, unpack(leases))
  redis.call('HSET', CLAIMS, unpack(claims))
  redis.call('HSET', STATS, 'token', token)
end
if lapsed > 0 then redis.call('HINCRBY', STATS, 'lapsed', lapsed) end
table.insert(reply, 1, t)
table.insert(reply, 2, wait())
table.insert(reply, 3, tonumber(token))
return reply
