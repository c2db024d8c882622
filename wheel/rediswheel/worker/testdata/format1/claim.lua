-- Moves tasks that are due to leases: whose lease lapsed, who are to be tried again,
-- and from the slices, the earliest minute first, so an outage is made up in order.
-- Each of the first two gets at most half of the room, so that neither keeps new
-- tasks waiting; where one place is left, those to be tried again and the new take turns.
-- Room is that for MAX tasks, and for about 1 MiB of records, so that the reply comes in
-- time over a slow link too; each of the three may take one task whatever its size.
-- A task whose lease lapsed, though not for the first time it was tried, is a suspect: it
-- may be what kills its workers, or have stood beside that. Past SUSPECTS they are left
-- where they are, and others taken.
-- ARGV: MAX tasks, LEASE in ms, SUSPECTS.
-- Reply: NOW, WAIT, TOKEN as text, SUSPECT, then KEY RECORD ATTEMPTS for each task. WAIT is the ms
-- until more is due, suspects that were left aside: 0 at once, -1 nothing in sight.
-- SUSPECT is the place of the last suspect among the tasks, 0: none. ATTEMPTS counts this one.
-- What is refused in the middle of a script stays half done. So all that is to be read
-- is read first, which finds a key of another type, and the user asked for the right to
-- write; then a key is removed from a set before it is added to another: removals are
-- allowed to a server out of memory, and what follows them in a script is too.
local SLICES_MAX = 1000 -- emptied by one claim
local RECORDS_MAX = 1048576 -- bytes of records that one claim takes, about
local CHUNK = 16 -- records that are read at a time; what does not fit is read for nothing
local LAPSED_MAX = 1000 -- leases that lapsed and are looked at by one claim
local room, bytes, t = tonumber(ARGV[1]), RECORDS_MAX, now()
local batch, records, removals = {}, {}, {}
local suspects, passed = {}, 0 -- keys that may be taken; how many were left

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

-- take notes keys to be leased, the first of a list. It says how many.
local function take(list, most)
  if #list == 0 then return 0 end
  local count, size = fitting(list, most)
  room, bytes = room - count, bytes - size
  return count
end

-- take_first takes keys from the front of a set.
local function take_first(set, list, most)
  local count = take(list, most)
  if count > 0 then removals[#removals + 1] = { set = set, count = count } end
  return count
end

-- earliest is the least score of a set, but for so many that stand before it, or nil.
local function earliest(set, before)
  return tonumber(redis.call('ZRANGE', set, before, before, 'WITHSCORES')[2])
end

-- earliest_new is when the first task of the slices is due, or nil.
local function earliest_new()
  local minute = redis.call('ZRANGE', MINUTES, 0, 0)[1]
  return minute and earliest(slice(minute), 0)
end

-- take_lapsed takes leases that lapsed, of suspects so many. It gives their keys.
local function take_lapsed(allowed)
  local list = redis.call('ZRANGEBYSCORE', LEASES, '-inf', t, 'LIMIT', 0, LAPSED_MAX)
  if #list == 0 then return list end
  local chosen, most = {}, math.ceil(room / 2)
  for i, claim in ipairs(redis.call('HMGET', CLAIMS, unpack(list))) do
    local _, attempts = claim_of(claim)
    if attempts > 1 and allowed == 0 then
      passed = passed + 1
    elseif #chosen < most then
      chosen[#chosen + 1] = list[i]
      if attempts > 1 then suspects[list[i]], allowed = true, allowed - 1 end
    end
  end
  if passed == LAPSED_MAX then passed = redis.call('ZCOUNT', LEASES, '-inf', t) end
  local count = take(chosen, bytes / 2)
  return { unpack(chosen, 1, count) }
end

-- take_retries takes tasks to be tried again. It gives whose turn at a single place is next,
-- if both were due.
local function take_retries()
  local most, turn = math.ceil(room / 2)
  if room == 1 and (earliest(RETRIES, 0) or t + 1) <= t and (earliest_new() or t + 1) <= t then
    turn = redis.call('HGET', STATS, 'turn') == 'new' and 'retry' or 'new'
    if turn == 'retry' then most = 0 end
  end
  take_first(RETRIES, redis.call('ZRANGEBYSCORE', RETRIES, '-inf', t, 'LIMIT', 0, most), bytes / 2)
  return turn
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
    if redis.call('ZCARD', set) > take_first(set, list, bytes) then break end
    over[#over + 1] = minute
  end
  return over
end

-- refusal says what the user may not write of all that is written below, or nothing. An
-- embedded server has no users.
local function refusal()
  if not redis.acl_check_cmd then return end
  for _, command in ipairs({ { 'ZREMRANGEBYRANK', RETRIES, '0', '0' }, { 'ZREM', LEASES, '0' }, { 'ZADD', LEASES, '0', '0' },
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
  return decimal(math.max(last + 1, t))
end

-- plan lists the new leases, the claims, and what is replied of them, with the place of the
-- last suspect. A key without a record has lost it to someone else's hand; nothing is left
-- to do for it.
local function plan(token)
  local leases, claims, reply, suspect = {}, {}, {}, 0
  if #batch == 0 then return leases, claims, reply, suspect end
  local olds = redis.call('HMGET', CLAIMS, unpack(batch))
  for i, key in ipairs(batch) do
    if records[i] then
      local _, attempts, reason = claim_of(olds[i])
      leases[#leases + 1], leases[#leases + 2] = t + ARGV[2], key
      claims[#claims + 1], claims[#claims + 2] = key, token .. ' ' .. attempts + 1 .. ' ' .. reason
      reply[#reply + 1], reply[#reply + 2], reply[#reply + 3] = key, records[i], attempts + 1
      if suspects[key] then suspect = #reply / 3 end
    end
  end
  return leases, claims, reply, suspect
end

local function wait()
  local least
  local function consider(at) if at and (not least or at < least) then least = at end end
  consider(earliest(LEASES, passed))
  consider(earliest(RETRIES, 0))
  consider(earliest_new())
  if not least then return -1 end
  return math.max(0, least - t)
end

local lapsed = take_lapsed(tonumber(ARGV[3]))
local turn = take_retries()
local over = take_slices()
if #batch == 0 and #over == 0 then return { decimal(t), decimal(wait()), '0', 0 } end
local refused = refusal()
if refused then return refused end
local token = new_token()
local leases, claims, reply, suspect = plan(token)

if #lapsed > 0 then redis.call('ZREM', LEASES, unpack(lapsed)) end
for _, r in ipairs(removals) do redis.call('ZREMRANGEBYRANK', r.set, 0, r.count - 1) end
if #over > 0 then redis.call('ZREM', MINUTES, unpack(over)) end
if #leases > 0 then
  redis.call('ZADD', LEASES, unpack(leases))
  redis.call('HSET', CLAIMS, unpack(claims))
  redis.call('HSET', STATS, 'token', token)
  if turn then redis.call('HSET', STATS, 'turn', turn) end
end
if #lapsed > 0 then redis.call('HINCRBY', STATS, 'lapsed', #lapsed) end
table.insert(reply, 1, decimal(t))
table.insert(reply, 2, decimal(wait()))
table.insert(reply, 3, token)
table.insert(reply, 4, suspect)
return reply
