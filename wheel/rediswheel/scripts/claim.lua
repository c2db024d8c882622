-- Moves due tasks to leases: first tasks whose lease has lapsed, then those that wait for another attempt,
-- then those in the slices, earliest minute first, so that after an outage tasks are called in order of time.
-- Each of the first two kinds gets at most half of the room, so that new tasks are not delayed by them. If
-- there is room for one task only, retries and new tasks take turns.
-- The room is MAX tasks and about 1 MiB of records, so that the reply arrives in time over a slow link. Each
-- of the three kinds may take one task of any size.
--
-- A task whose lease has lapsed after its second claim or a later one is a suspect: it may have killed its
-- workers, or it may have been in flight beside a task that did. If there are more than SUSPECTS, the others
-- are left where they are. A group of suspects, which includes the OUT that the worker already holds, is at
-- most half as large after each attempt, and is a single task before the last of ATTEMPTS, so a task that
-- kills its workers is alone when it is given up. If a worker holds one suspect and may not take another,
-- that suspect is marked, and its lapse is counted if this claim lapses too. From then on the task is always
-- claimed alone, until it has a result.
--
-- ARGV: MAX tasks, LEASE in ms, SUSPECTS; for a worker also WORKER, NONCE, AGAIN, NOT_AFTER, OUT,
-- ATTEMPTS, VERSION, then the handlers that it has, each in JSON without the quotes.
-- Reply: NOW, WAIT, TOKEN as text, then KEY RECORD HISTORY for each task. WAIT is the time in ms until
-- another task is due, not including suspects that were not taken: 0 if one is due now, -1 if none is known.
-- HISTORY is the text "ATTEMPTS ADDITION REFUSALS LAPSES SUSPECT", or empty for "1 TOKEN 0 0 0", the usual
-- value. ATTEMPTS includes this attempt. SUSPECT is 1 for a suspect, 2 for one that is marked as the only
-- one, otherwise 0. For the other values see claim_of.
--
-- If AGAIN is 1 and this WORKER has made a claim with this NONCE before, whose reply it has not received,
-- the reply is repeated, with the remaining tasks of that claim and new leases, so that no attempt is counted
-- twice. A claim that arrives after NOT_AFTER, in ms by the clock of this server, takes nothing, since the
-- worker has given it up. If MAX is 0, no new task is claimed.
-- A due task that this worker cannot run, because of its handler or of the VERSION of its record, is moved to
-- a separate set (see reserved_set) for workers that can.
-- After a time in which no worker reached this server, lapsed leases are not taken for up to GRACE_MAX, so
-- that workers that are alive can extend them.
--
-- A script that fails in the middle is not rolled back. Therefore all reads come first, which detects a key
-- of a wrong type, and the user's permission to write is checked. Then each task is removed from a set before
-- it is added to another: a server that is out of memory permits removals, and also the writes that follow
-- them in the same script.
local SLICES_MAX = 1000 -- maximum number of slices emptied by one claim
local RECORDS_MAX = 1048576 -- approximate maximum of the bytes of records that one claim takes
local CHUNK = 16 -- records read at a time; those that do not fit are read in vain
local LOOK_MAX = 1000 -- tasks that one claim examines in a set that may have suspects
local LOOK = 250 -- tasks examined at a time
local BEAT = 250 -- minimum ms between two records of the time of the last claim
local GAP_MIN = 500 -- ms without a claim after which an outage is assumed; at least half a lease
local GRACE_MAX = 1000 -- ms; at most half a lease
-- NOT_A_LIST is the value of the field of CLAIMS with an empty name, which no task has. Redis stores a hash of
-- up to 512 short fields (hash-max-listpack-entries) as a list and searches it from the front for each field.
-- One value of more than 64 bytes (hash-max-listpack-value) makes it a hash table, which saves a third of the
-- time of Redis if 150 tasks are in flight.
local NOT_A_LIST = string.rep('-', 65)
local NONCE_KEPT = 3600000 -- ms during which a claim can be repeated
local room, bytes, t = tonumber(ARGV[1]), RECORDS_MAX, now()
local worker, nonce, again, not_after = ARGV[4], ARGV[5], ARGV[6], tonumber(ARGV[7] or 0)
local out, attempts_max, version_max = tonumber(ARGV[8] or 0), tonumber(ARGV[9] or 0), tonumber(ARGV[10] or 0)
local CLAIMER = P .. ':claimer:' .. (worker or '') -- string: "NONCE TOKEN LAPSES" of a worker's last claim
local batch, records, removals = {}, {}, {}
local reserved = {} -- tasks for other workers: key, set, due
local suspects, allowed = {}, tonumber(ARGV[3]) -- keys of the suspects taken; number of further ones that may be taken
local group, group_least = out, math.huge -- number of suspects that the worker then holds; number that it may hold
local passed = {} -- set -> number of suspects left at its front
local beat, grace = nil, 0 -- time of the last claim; time until which lapsed leases are not taken

local mine = {} -- the sets reserved for this worker
if worker then
  for version = 2, version_max do mine[P .. ':version:' .. version] = true end
  for i = 11, #ARGV do mine[P .. ':handler:' .. ARGV[i]] = true end
end

-- reserve records a task that this worker cannot run. It returns false if the worker can run it.
local function reserve(key, record)
  if not worker or not record then return false end
  local set = reserved_set(record, version_max)
  if not set or mine[set] then return false end
  reserved[#reserved + 1] = { key = key, set = set, due = due_of(record) }
  return true
end

-- fitting adds keys and their records to the batch until the records have `most` bytes. It returns the
-- number of keys processed, which is at least one, the number of keys added, and the bytes of their records.
-- From a set of reserved tasks it does not add entries that no longer belong to a task.
local function fitting(list, most, reserved_in)
  local count, taken, size = 0, 0, 0
  for first = 1, #list, CHUNK do
    local last = math.min(first + CHUNK - 1, #list)
    for i, record in ipairs(redis.call('HMGET', TASKS, unpack(list, first, last))) do
      if count > 0 and size >= most then return count, taken, size end
      local key = list[first + i - 1]
      count = count + 1
      local left = reserved_in and not is_reserved(key, redis.call('ZSCORE', reserved_in, key), record)
      if not left and not reserve(key, record) then
        taken, size = taken + 1, size + (record and #record or 0)
        batch[#batch + 1], records[#records + 1] = key, record
      end
    end
  end
  return count, taken, size
end

-- take adds the first keys of a list, as many as fit, to the batch. It returns the number of keys processed.
local function take(list, most, reserved_in)
  if #list == 0 then return 0 end
  local count, taken, size = fitting(list, most, reserved_in)
  room, bytes = room - taken, bytes - size
  return count
end

-- take_first takes keys from the front of a set. It returns the number of keys processed.
local function take_first(set, list, most)
  local count = take(list, most)
  if count > 0 then removals[#removals + 1] = { set = set, count = count } end
  return count
end

-- earliest returns the least score of a set without its first `before` members, or nil.
local function earliest(set, before)
  return tonumber(redis.call('ZRANGE', set, before, before, 'WITHSCORES')[2])
end

-- earliest_new returns the instant at which the first task of the slices is due, or nil.
local function earliest_new()
  local minute = redis.call('ZRANGE', MINUTES, 0, 0)[1]
  return minute and earliest(slice(minute), 0)
end

-- group_max returns the maximum number of suspects that may be in flight together with one that has the given
-- numbers of attempts and lapses.
local function group_max(attempts, lapses)
  if lapses > 0 then return 1 end
  if attempts_max == 0 then return math.huge end
  return 2 ^ math.min(math.max(attempts_max - attempts - 1, 0), 20)
end

-- find_grace determines the time until which lapsed leases are not taken: for a while after the first claim
-- that follows a time without claims.
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

-- note_beat stores the times that find_grace reads. It is called last, since a server that is out of memory
-- rejects it.
local function note_beat()
  if not worker or math.abs(t - beat) < BEAT then return end
  redis.pcall('HSET', STATS, 'beat', decimal(t), 'grace', decimal(grace))
end

-- lapses_of returns the number of leases of a due task, including the last one, that have lapsed while it was
-- the only suspect of its worker.
local function lapses_of(claim)
  local token, _, _, _, _, lapses, mark = claim_of(claim)
  if token ~= '0' and mark == token then lapses = lapses + 1 end
  return lapses
end

-- choose returns up to `most` due tasks of a set. It includes suspects only as far as permitted, and leaves the
-- others in the set.
local function choose(set, most, is_suspect)
  local chosen = {}
  for offset = 0, LOOK_MAX - LOOK, LOOK do
    local list = redis.call('ZRANGEBYSCORE', set, '-inf', t, 'LIMIT', offset, LOOK)
    for i, claim in ipairs(#list > 0 and redis.call('HMGET', CLAIMS, unpack(list)) or {}) do
      local _, attempts, _, _, _, _, mark = claim_of(claim)
      local limit = math.min(group_least, group_max(attempts, lapses_of(claim)))
      if not is_suspect(attempts, mark) then
        if #chosen < most then chosen[#chosen + 1] = list[i] end
      elseif allowed == 0 or group + 1 > limit then
        passed[set] = (passed[set] or 0) + 1
      elseif #chosen < most then
        chosen[#chosen + 1], suspects[list[i]] = list[i], true
        allowed, group, group_least = allowed - 1, group + 1, limit
      end
    end
    if #list < LOOK or #chosen == most then break end
  end
  if passed[set] == LOOK_MAX then passed[set] = redis.call('ZCOUNT', set, '-inf', t) end
  return chosen
end

-- take_chosen takes tasks that choose returns and removes them from their set. It returns their number.
local function take_chosen(set, is_suspect, reserved_in)
  local chosen = choose(set, math.ceil(room / 2), is_suspect)
  local count = take(chosen, bytes / 2, reserved_in)
  if count > 0 then removals[#removals + 1] = { set = set, keys = { unpack(chosen, 1, count) } } end
  return count
end

-- take_lapsed takes tasks whose lease has lapsed and returns their number.
local function take_lapsed()
  if grace > t then
    passed[LEASES] = redis.call('ZCOUNT', LEASES, '-inf', t)
    return 0
  end
  return take_chosen(LEASES, function(attempts) return attempts >= 2 end)
end

-- take_reserved takes tasks that other workers could not run.
local function take_reserved()
  for set in pairs(mine) do
    take_chosen(set, function(_, mark) return mark == RESERVED_SUSPECT end, set)
  end
end

-- take_retries takes tasks that are due for another attempt. If there is room for one task only, and both a
-- retry and a new task are due, it returns which of the two is next.
local function take_retries()
  local most, turn = math.ceil(room / 2)
  if room == 1 and (earliest(RETRIES, 0) or t + 1) <= t and (earliest_new() or t + 1) <= t then
    turn = redis.call('HGET', STATS, 'turn') == 'new' and 'retry' or 'new'
    if turn == 'retry' then most = 0 end
  end
  take_first(RETRIES, redis.call('ZRANGEBYSCORE', RETRIES, '-inf', t, 'LIMIT', 0, most), bytes / 2)
  return turn
end

-- take_slices takes the due tasks of the earliest slices. It continues with the next slice only if a slice is
-- empty afterwards, since only then can the next one contain a due task. It returns the minutes of the emptied
-- slices.
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

-- refusal returns an error if the user may not execute one of the writes below. An embedded server has no
-- users.
local function refusal()
  if not redis.acl_check_cmd then return end
  for _, command in ipairs({ { 'ZREMRANGEBYRANK', RETRIES, '0', '0' }, { 'ZREM', LEASES, '0' }, { 'ZADD', LEASES, '0', '0' },
    { 'HSET', CLAIMS, '0', '0' }, { 'HINCRBY', STATS, 'lapsed', '0' }, { 'SET', CLAIMER, '0', 'PX', '1' } }) do
    if not redis.acl_check_cmd(unpack(command)) then
      return redis.error_reply('NOPERM the user may not run ' .. command[1] .. ' on ' .. command[2])
    end
  end
end

-- new_token returns a token that is greater than all earlier ones and not less than the clock. Even if the
-- server has lost the last tokens, none is used again, so no outdated call ends a newer task.
local function new_token()
  local last = tonumber(redis.call('HGET', STATS, 'token') or 0)
  return decimal(math.max(last + 1, t))
end

-- history formats the HISTORY of a task for the reply.
local function history(attempts, addition, refusals, lapses, suspect)
  return attempts .. ' ' .. addition .. ' ' .. refusals .. ' ' .. lapses .. ' ' .. suspect
end

-- plan returns the new leases, the claims, and the part of the reply about them. A key without a record is
-- skipped: another program has deleted the record. A task that is reserved for other workers keeps its claim,
-- without a worker that holds it.
local function plan(token)
  -- alone is true if the suspect is the only one, and the worker may take no other beside it.
  local alone = worker and group == 1 and (ARGV[3] == '1' or group_least == 1)
  local leases, claims, reply = {}, { '', NOT_A_LIST }, {}
  local olds = #batch > 0 and redis.call('HMGET', CLAIMS, unpack(batch)) or {}
  local until_text, first_claim = decimal(t + ARGV[2]), claim_text(token, 1, '', token, 0)
  local function put(key, claim, ...)
    local n = #leases
    leases[n + 1], leases[n + 2], claims[n + 3], claims[n + 4] = until_text, key, key, claim -- claims starts with two more elements
    n = #reply
    reply[n + 1], reply[n + 2], reply[n + 3] = key, ...
  end
  for i, key in ipairs(batch) do
    local record, old = records[i], olds[i]
    if record and not old and not suspects[key] then -- the usual case: never claimed before
      put(key, first_claim, record, '')
    elseif record then
      local _, attempts, reason, addition, refusals = claim_of(old)
      local lapses, suspect, mark = old and lapses_of(old) or 0, suspects[key] and 1 or 0, '0'
      if suspect == 1 and alone then suspect, mark = 2, token end
      if addition == '0' then addition = token end
      put(key, claim_text(token, attempts + 1, reason, addition, refusals, lapses, mark), record,
        history(attempts + 1, addition, refusals, lapses, suspect))
    end
  end
  for _, r in ipairs(reserved) do
    local claim = redis.call('HGET', CLAIMS, r.key)
    if claim then
      local _, attempts, reason, addition, refusals = claim_of(claim)
      local mark = suspects[r.key] and RESERVED_SUSPECT or '0'
      claims[#claims + 1], claims[#claims + 2] = r.key, claim_text('0', attempts, reason, addition, refusals, lapses_of(claim), mark)
    end
  end
  return leases, claims, reply
end

-- again_reply repeats the reply to the last claim of the worker, if that had the same NONCE: the tasks that
-- still have its token. All their leases lapse at one instant, since none has been extended.
local function again_reply()
  local noted, token, lapses = string.match(redis.call('GET', CLAIMER) or '', '^(%d+) (%d+) (%d+)$')
  if noted ~= nonce then return nil end
  local list, leases, keys, reply = redis.call('ZRANGEBYSCORE', LEASES, lapses, lapses), {}, {}, {}
  for first = 1, #list, 500 do
    local last = math.min(first + 499, #list)
    local claims, found = redis.call('HMGET', CLAIMS, unpack(list, first, last)), redis.call('HMGET', TASKS, unpack(list, first, last))
    for i, claim in ipairs(claims) do
      local held_by, attempts, _, addition, refusals, lapses, mark = claim_of(claim)
      if held_by == token and found[i] then
        local key = list[first + i - 1]
        keys[#keys + 1], leases[#leases + 1], leases[#leases + 2] = key, t + ARGV[2], key
        local suspect = mark == token and 2 or attempts > 2 and 1 or 0
        for _, v in ipairs({ key, found[i], history(attempts, addition, refusals, lapses, suspect) }) do reply[#reply + 1] = v end
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
  consider(earliest(LEASES, passed[LEASES] or 0))
  if grace > t and (passed[LEASES] or 0) > 0 then consider(grace) end
  consider(earliest(RETRIES, 0))
  consider(earliest_new())
  for set in pairs(mine) do consider(earliest(set, passed[set] or 0)) end
  if not least then return -1 end
  return math.max(0, least - t)
end

-- answer prepends the values with which every reply begins to a list of tasks.
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
local lapsed = take_lapsed()
if room > 0 then take_reserved() end
local turn = room > 0 and take_retries()
local over = take_slices()
if #batch == 0 and #over == 0 and #reserved == 0 and #removals == 0 then
  note_beat()
  return answer({}, '0')
end
local refused = refusal()
if refused then return refused end
local token = new_token()
local leases, claims, reply = plan(token)

for _, r in ipairs(removals) do
  if r.keys then redis.call('ZREM', r.set, unpack(r.keys)) else redis.call('ZREMRANGEBYRANK', r.set, 0, r.count - 1) end
end
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
if #claims > 2 then redis.call('HSET', CLAIMS, unpack(claims)) end
if lapsed > 0 then redis.call('HINCRBY', STATS, 'lapsed', lapsed) end
if #reserved > 0 then wake() end -- for the workers that can run them
note_beat()
return answer(reply, token)
