-- Moves tasks that are due to leases: whose lease lapsed, who are to be tried again,
-- and from the slices, the earliest minute first, so an outage is made up in order.
-- Each of the first two gets at most half of the room, so that neither keeps new
-- tasks waiting; where one place is left, those to be tried again and the new take turns.
-- Room is that for MAX tasks, and for about 1 MiB of records, so that the reply comes in
-- time over a slow link too; each of the three may take one task whatever its size.
-- A task whose lease lapsed, though not for the first time it was tried, is a suspect: it
-- may be what kills its workers, or have been in flight beside that. Past SUSPECTS they are left
-- where they are, and others taken. A group of suspects, with the OUT that the worker
-- holds already, is at most half as large after each attempt, and one task before the last of
-- ATTEMPTS: so what kills its workers is alone when it is given up.
-- ARGV: MAX tasks, LEASE in ms, SUSPECTS; for a worker also WORKER, NONCE, AGAIN, NOT_AFTER, OUT,
-- ATTEMPTS, VERSION, then the handlers it has, each as JSON has it, without the quotes.
-- Reply: NOW, WAIT, TOKEN as text, then KEY RECORD ATTEMPTS ADDITION REFUSALS SUSPECT for each
-- task. WAIT is the ms until more is due, suspects that were left aside: 0 at once, -1 nothing in
-- sight. ATTEMPTS counts this one; SUSPECT is 1 or 0; ADDITION is text. See claim_of for the others.
-- With AGAIN 1, a claim by this WORKER under this NONCE that was answered before, but whose
-- answer was lost, is answered again: with what is left of its tasks, their leases starting
-- anew. So no attempt is counted twice. A claim that arrives after NOT_AFTER, in ms by
-- this server's clock, takes nothing: its worker has given it up. With MAX 0 nothing new is taken.
-- A task that is due, but that this worker cannot run, because of its handler or the VERSION
-- of its record, is moved to a set of its own (see reserved_set) for those that can.
-- Leases that lapsed while no worker reached this server are left for GRACE_MAX, so that
-- workers that are alive can extend them.
-- What is refused in the middle of a script stays half done. So all that is to be read
-- is read first, which finds a key of another type, and the user asked for the right to
-- write; then a key is removed from a set before it is added to another: removals are
-- allowed to a server out of memory, and what follows them in a script is too.
local SLICES_MAX = 1000 -- emptied by one claim
local RECORDS_MAX = 1048576 -- bytes of records that one claim takes, about
local CHUNK = 16 -- records that are read at a time; what does not fit is read for nothing
local LAPSED_MAX = 1000 -- leases that lapsed and are looked at by one claim
local BEAT = 250 -- ms between two notes that a worker was here
local GAP_MIN = 500 -- ms without a worker that count as an outage, and half a lease at least
local GRACE_MAX = 1000 -- ms, and half a lease at most
local NONCE_KEPT = 3600000 -- ms that a worker may take to ask again
local room, bytes, t = tonumber(ARGV[1]), RECORDS_MAX, now()
local worker, nonce, again, not_after = ARGV[4], ARGV[5], ARGV[6], tonumber(ARGV[7] or 0)
local out, attempts_max, version_max = tonumber(ARGV[8] or 0), tonumber(ARGV[9] or 0), tonumber(ARGV[10] or 0)
local CLAIMER = P .. ':claimer:' .. (worker or '') -- string: "NONCE TOKEN LAPSES" of a worker's last claim
local batch, records, removals = {}, {}, {}
local reserved = {} -- tasks for other workers: key, set, due
local suspects, passed = {}, 0 -- keys that may be taken; how many were left
local beat, grace = nil, 0 -- when a worker was here last; until when leases that lapsed are left

local mine = {} -- the sets reserved for this worker
if worker then
  for version = 2, version_max do mine[P .. ':version:' .. version] = true end
  for i = 11, #ARGV do mine[P .. ':handler:' .. ARGV[i]] = true end
end

-- reserve notes a task that this worker can't run. It says whether there is cause.
local function reserve(key, record)
  if not worker or not record then return false end
  local set = reserved_set(record, version_max)
  if not set or mine[set] then return false end
  reserved[#reserved + 1] = { key = key, set = set, due = due_of(record) }
  return true
end

-- fitting takes keys over into the batch, and their records, until those are of so many
-- bytes. It says how many keys it is done with, one at least, and how many of them are taken.
local function fitting(list, most)
  local count, taken, size = 0, 0, 0
  for first = 1, #list, CHUNK do
    local last = math.min(first + CHUNK - 1, #list)
    for i, record in ipairs(redis.call('HMGET', TASKS, unpack(list, first, last))) do
      if count > 0 and size >= most then return count, taken, size end
      local key = list[first + i - 1]
      count = count + 1
      if not reserve(key, record) then
        taken, size = taken + 1, size + (record and #record or 0)
        batch[#batch + 1], records[#records + 1] = key, record
      end
    end
  end
  return count, taken, size
end

-- take notes keys to be leased, the first of a list. It says how many it is done with.
local function take(list, most)
  if #list == 0 then return 0 end
  local count, taken, size = fitting(list, most)
  room, bytes = room - taken, bytes - size
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

-- group_max is how many suspects may be in flight together with one of so many attempts.
local function group_max(attempts)
  if attempts_max == 0 then return math.huge end
  return 2 ^ math.min(math.max(attempts_max - attempts - 1, 0), 20)
end

-- find_grace finds until when leases that lapsed are left: for a while after the first claim
-- that follows a time in which no worker claimed anything.
local function find_grace()
  if not worker then return end
  local notes = redis.call('HMGET', STATS, 'beat', 'grace')
  local lease = tonumber(ARGV[2])
  beat, grace = tonumber(notes[1] or 0), tonumber(notes[2] or 0)
  if beat > 0 and t - beat > math.max(GAP_MIN, lease / 2) then
    grace = t + math.min(GRACE_MAX, math.floor(lease / 2))
  end
  if grace > t + GRACE_MAX then grace = 0 end -- the clock was set back
end

-- note_beat keeps what find_grace reads. It comes last: a server out of memory refuses it.
local function note_beat()
  if not worker or math.abs(t - beat) < BEAT then return end
  redis.pcall('HSET', STATS, 'beat', decimal(t), 'grace', decimal(grace))
end

-- take_lapsed takes leases that lapsed, of suspects so many. It gives their keys.
local function take_lapsed(allowed)
  if grace > t then
    passed = redis.call('ZCOUNT', LEASES, '-inf', t)
    return {}
  end
  local list = redis.call('ZRANGEBYSCORE', LEASES, '-inf', t, 'LIMIT', 0, LAPSED_MAX)
  if #list == 0 then return list end
  local chosen, most, group, least = {}, math.ceil(room / 2), out, math.huge
  for i, claim in ipairs(redis.call('HMGET', CLAIMS, unpack(list))) do
    local _, attempts = claim_of(claim)
    if attempts < 2 then
      if #chosen < most then chosen[#chosen + 1] = list[i] end
    elseif allowed == 0 or group + 1 > math.min(least, group_max(attempts)) then
      passed = passed + 1
    elseif #chosen < most then
      chosen[#chosen + 1], suspects[list[i]] = list[i], true
      allowed, group, least = allowed - 1, group + 1, math.min(least, group_max(attempts))
    end
  end
  if passed == LAPSED_MAX then passed = redis.call('ZCOUNT', LEASES, '-inf', t) end
  local count = take(chosen, bytes / 2)
  return { unpack(chosen, 1, count) }
end

-- take_reserved takes tasks that other workers could not run.
local function take_reserved()
  for set in pairs(mine) do
    take_first(set, redis.call('ZRANGEBYSCORE', set, '-inf', t, 'LIMIT', 0, math.ceil(room / 2)), bytes / 2)
  end
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
    { 'HSET', CLAIMS, '0', '0' }, { 'HINCRBY', STATS, 'lapsed', '0' }, { 'SET', CLAIMER, '0', 'PX', '1' } }) do
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

-- plan lists the new leases, the claims, and what is replied of them. A key without a record
-- has lost it to someone else's hand; nothing is left to do for it. A task that is reserved for
-- other workers keeps its claim, but nothing holds it any more.
local function plan(token)
  local leases, claims, reply = {}, {}, {}
  local olds = #batch > 0 and redis.call('HMGET', CLAIMS, unpack(batch)) or {}
  for i, key in ipairs(batch) do
    if records[i] then
      local _, attempts, reason, addition, refusals = claim_of(olds[i])
      if addition == '0' then addition = token end
      leases[#leases + 1], leases[#leases + 2] = t + ARGV[2], key
      claims[#claims + 1], claims[#claims + 2] = key, claim_text(token, attempts + 1, reason, addition, refusals)
      for _, v in ipairs({ key, records[i], attempts + 1, addition, refusals, suspects[key] and 1 or 0 }) do reply[#reply + 1] = v end
    end
  end
  for _, r in ipairs(reserved) do
    local claim = redis.call('HGET', CLAIMS, r.key)
    if claim then
      local _, attempts, reason, addition, refusals = claim_of(claim)
      claims[#claims + 1], claims[#claims + 2] = r.key, claim_text('0', attempts, reason, addition, refusals)
    end
  end
  return leases, claims, reply
end

-- again_reply answers the worker's last claim again, if it was NONCE's: what still has its token. Such
-- leases lapse at one instant, since none was extended.
local function again_reply()
  local noted, token, lapses = string.match(redis.call('GET', CLAIMER) or '', '^(%d+) (%d+) (%d+)$')
  if noted ~= nonce then return nil end
  local list, leases, keys, reply = redis.call('ZRANGEBYSCORE', LEASES, lapses, lapses), {}, {}, {}
  for first = 1, #list, 500 do
    local last = math.min(first + 499, #list)
    local claims, found = redis.call('HMGET', CLAIMS, unpack(list, first, last)), redis.call('HMGET', TASKS, unpack(list, first, last))
    for i, claim in ipairs(claims) do
      local held_by, attempts, _, addition, refusals = claim_of(claim)
      if held_by == token and found[i] then
        local key = list[first + i - 1]
        keys[#keys + 1], leases[#leases + 1], leases[#leases + 2] = key, t + ARGV[2], key
        for _, v in ipairs({ key, found[i], attempts, addition, refusals, attempts > 2 and 1 or 0 }) do reply[#reply + 1] = v end
      end
    end
  end
  if #keys == 0 then return nil end
  redis.call('ZREM', LEASES, unpack(keys))
  redis.call('ZADD', LEASES, unpack(leases))
  redis.call('SET', CLAIMER, nonce .. ' ' .. token .. ' ' .. decimal(t + ARGV[2]), 'PX', NONCE_KEPT)
  return reply, token
end

local function wait()
  local least
  local function consider(at) if at and (not least or at < least) then least = at end end
  consider(earliest(LEASES, passed))
  if grace > t and passed > 0 then consider(grace) end
  consider(earliest(RETRIES, 0))
  consider(earliest_new())
  for set in pairs(mine) do consider(earliest(set, 0)) end
  if not least then return -1 end
  return math.max(0, least - t)
end

-- answer puts before a list of tasks what every reply begins with.
local function answer(reply, token)
  table.insert(reply, 1, decimal(t))
  table.insert(reply, 2, decimal(wait()))
  table.insert(reply, 3, token)
  return reply
end

if not_after > 0 and t > not_after then return answer({}, '0') end
if again == '1' then
  local reply, token = again_reply()
  if reply then return answer(reply, token) end
end
if room == 0 then return answer({}, '0') end
find_grace()
local lapsed = take_lapsed(tonumber(ARGV[3]))
if room > 0 then take_reserved() end
local turn = room > 0 and take_retries()
local over = take_slices()
if #batch == 0 and #over == 0 and #reserved == 0 then
  note_beat()
  return answer({}, '0')
end
local refused = refusal()
if refused then return refused end
local token = new_token()
local leases, claims, reply = plan(token)

if #lapsed > 0 then redis.call('ZREM', LEASES, unpack(lapsed)) end
for _, r in ipairs(removals) do redis.call('ZREMRANGEBYRANK', r.set, 0, r.count - 1) end
if #over > 0 then redis.call('ZREM', MINUTES, unpack(over)) end
for _, r in ipairs(reserved) do
  redis.call('ZADD', r.set, r.due, r.key)
  redis.call('SADD', RESERVED, r.set)
end
if #leases > 0 then
  redis.call('ZADD', LEASES, unpack(leases))
  redis.call('HSET', STATS, 'token', token)
  if turn then redis.call('HSET', STATS, 'turn', turn) end
  if worker then redis.call('SET', CLAIMER, nonce .. ' ' .. token .. ' ' .. decimal(t + ARGV[2]), 'PX', NONCE_KEPT) end
end
if #claims > 0 then redis.call('HSET', CLAIMS, unpack(claims)) end
if #lapsed > 0 then redis.call('HINCRBY', STATS, 'lapsed', #lapsed) end
if #reserved > 0 then wake() end -- for the workers that can run them
note_beat()
return answer(reply, token)
