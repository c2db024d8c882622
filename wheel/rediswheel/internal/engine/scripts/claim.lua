-- Claims tasks that are due, by moving them to LEASES. It takes them in this order: tasks whose
-- lease has lapsed, tasks reserved for this worker (see reserved_set), retries, and tasks in
-- slices, the earliest minute first, so that after an outage tasks are claimed in the order in
-- which they were due.
-- KEYS: PREFIX MARK; see common.lua.
-- ARGV: MAX, the maximum number of tasks; LEASE in ms; SUSPECTS, the maximum number of suspects. A
-- worker adds:
--   WORKER     its unique ID
--   NONCE      a number that is different for each claim of the worker
--   AGAIN      1 if this claim was sent before and no reply was received, else 0
--   NOT_AFTER  in ms since 1970 by the clock of this server, or 0: a later claim takes nothing,
--              because its worker no longer waits for the reply
--   HANDLER    for each handler of the worker its name, escaped as in JSON, without the quotes; or
--              empty, for a worker that can run all
-- Reply: NOW, WAIT, TOKEN, LAPSED, FOREIGN, then KEY RECORD HISTORY for each task; all are text. WAIT
-- is the ms until the next task is due, not counting suspects that were skipped: 0 if one is due, -1
-- if none is known. LAPSED is the number of tasks that were taken over because their leases have
-- lapsed. FOREIGN names a value that this claim has found, that no script has written, and that it
-- has removed or will replace; it is empty as a rule. HISTORY is "ATTEMPTS ADDITION REFUSALS LAPSES", or empty for "1 TOKEN 0 0", the usual
-- case. ATTEMPTS includes this one. See claim_of for the others.
--
-- Limits: a claim takes up to MAX tasks and about RECORDS_MAX bytes of records, so that the reply
-- arrives in time over a slow link. Lapsed leases, each set of reserved tasks, and retries get at
-- most half of what is left of both, but at least one task, so that they do not delay new tasks. If
-- there is room for one task only, retries and new tasks take turns.
--
-- Suspects: a suspect is a task of which two or more leases have lapsed in a row, so that it may
-- kill its workers. A worker holds at most one at a time, beside other tasks: so a task that kills
-- its workers is alone soon, and no other suspect is counted with it.
--
-- A shard whose mark has the value "paused" takes nothing.
--
-- Repeated claims: with AGAIN 1, if NONCE is that of the last claim of WORKER, the script returns
-- the tasks that still have the token of that claim, and renews their leases. So no attempt is
-- counted twice. With MAX 0 the script takes no other tasks.
--
-- Tasks for other workers: a due task whose handler this worker lacks is moved to a reserved set. After a time without claims by any worker,
-- lapsed leases are not taken for up to GRACE_MAX ms, so that live workers can extend them.
--
-- Redis does not roll back a script. So all reads, which fail on a key of the wrong type, and the
-- check of the user's permissions come before the first write. Removals come before additions: a
-- server out of memory permits removals and all commands of a script after one.
local SLICES_MAX = 1000 -- maximum number of slices emptied by one claim
local RECORDS_MAX = 1048576 -- approximate maximum number of bytes of records taken by one claim
local CHUNK = 16 -- records read at a time; those that exceed the limit are read in vain
local LOOK_MAX = 1000 -- maximum number of tasks examined in a set that may contain suspects
local LOOK = 250 -- tasks examined at a time
local BEAT = 250 -- minimum ms between two writes of beat and grace
local GAP_MIN = 500 -- ms without claims that count as an outage; at least half a lease
local GRACE_MAX = 1000 -- ms; at most half a lease
-- NOT_A_LIST is the value of the field with the empty name in CLAIMS; no task has an empty key.
-- Redis stores a hash of up to 512 short fields (hash-max-listpack-entries) as a list, which each
-- lookup searches from the front. One value of more than 64 bytes (hash-max-listpack-value) makes
-- Redis store it as a hash table. With 150 tasks in flight this saves a third of the time that
-- Redis takes.
local NOT_A_LIST = string.rep('-', 65)
local NONCE_KEPT = 3600000 -- ms for which the last claim of a worker can be repeated
local room, bytes, t = tonumber(ARGV[1]), RECORDS_MAX, now()
local worker, nonce, again, not_after = ARGV[4], ARGV[5], ARGV[6], tonumber(ARGV[7] or 0)
-- CLAIMER is a string with the last claim of the worker: "NONCE TOKEN LAPSES", where LAPSES is the
-- instant at which its leases lapse.
local CLAIMER = P .. ':claimer:' .. (worker or '')
local batch, records, removals = {}, {}, {}
local reserved = {} -- tasks to move to reserved sets: key, set, due
local allowed = tonumber(ARGV[3]) -- how many more suspects may be taken
local foreign = '' -- FOREIGN of the reply
local passed = {} -- set -> number of due suspects that were skipped in it
-- The time of the last claim by a worker, and the end of the period in which lapsed leases are
-- left.
local beat, grace = nil, 0

local mine = {} -- the reserved sets that this worker can run
local runs_all = false
if worker then
  for i = 8, #ARGV do
    if ARGV[i] == '' then
      runs_all = true
      for _, set in ipairs(redis.call('SMEMBERS', RESERVED)) do mine[set] = true end
    else
      mine[P .. ':handler:' .. ARGV[i]] = true
    end
  end
end

-- reserve records that a task must be moved to a reserved set, and returns true, if this worker
-- cannot run it. Otherwise it returns false.
local function reserve(key, record)
  if not worker or runs_all or not record then return false end
  local set = reserved_set(record)
  if not set or mine[set] then return false end
  reserved[#reserved + 1] = { key = key, set = set, due = due_of(record) }
  return true
end

-- fitting adds the first keys of list, with their records, to the batch, until the records have at
-- least `most` bytes. It returns the number of keys processed, at least 1; how many of them it
-- added; and the bytes of their records. Keys that reserve moves are not added.
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

-- take adds the first keys of list to the batch, and returns the number of keys processed.
local function take(list, most)
  if #list == 0 then return 0 end
  local count, taken, size = fitting(list, most)
  room, bytes = room - taken, bytes - size
  return count
end

-- take_first is like take for a list from the front of set, and removes the processed keys from the
-- set.
local function take_first(set, list, most)
  local count = take(list, most)
  if count > 0 then removals[#removals + 1] = { set = set, count = count } end
  return count
end

-- earliest returns the lowest score of set after the first `before` entries, or nil if there is
-- none.
local function earliest(set, before)
  return tonumber(redis.call('ZRANGE', set, before, before, 'WITHSCORES')[2])
end

-- first_minute returns the earliest minute in MINUTES, or nil if there is none. It removes members
-- before it that are not minutes.
local function first_minute()
  local minute = redis.call('ZRANGE', MINUTES, 0, 0)[1]
  while minute and not string.match(minute, '^%d+$') do
    foreign = 'minute ' .. minute
    redis.call('ZREM', MINUTES, minute)
    minute = redis.call('ZRANGE', MINUTES, 0, 0)[1]
  end
  return minute
end

-- earliest_new returns the due of the earliest task in the slices, or nil if there is none.
local function earliest_new()
  local minute = first_minute()
  return minute and earliest(slice(minute), 0)
end

-- number_of returns a number that is stored in STATS under a name, or 0. A text that is not a number
-- is foreign.
local function number_of(name, text)
  local n = tonumber(text or 0)
  if not n then foreign = 'counter ' .. name end
  return n or 0
end

-- find_grace sets beat and grace to the stored values. If this is the first claim after an outage,
-- it starts a new period of grace. The end of a period counts as a claim, because workers wait for
-- it: otherwise a single idle worker would start one period after another.
local function find_grace()
  if not worker then return end
  local notes = redis.call('HMGET', STATS, 'beat', 'grace')
  local lease = tonumber(ARGV[2])
  beat, grace = number_of('beat', notes[1]), number_of('grace', notes[2])
  if beat > 0 and t - math.max(beat, grace) > math.max(GAP_MIN, lease / 2) then
    grace = t + math.min(GRACE_MAX, math.floor(lease / 2))
  end
  if grace > t + GRACE_MAX then grace = 0 end -- the clock was set back
end

-- note_beat stores beat and grace for find_grace. It is called last, and errors are ignored,
-- because a server out of memory may refuse the write.
local function note_beat()
  if not worker or math.abs(t - beat) < BEAT then return end
  redis.pcall('HSET', STATS, 'beat', decimal(t), 'grace', decimal(grace))
end

-- lapses_of returns LAPSES of a due task with the given claim, including the lease that lapsed last
-- if a worker holds the task.
local function lapses_of(claim)
  local token, _, _, _, _, lapses = claim_of(claim)
  return token == '0' and lapses or lapses + 1
end

-- choose returns up to `most` due tasks of set, with at most as many suspects as are allowed. It
-- skips other suspects and counts them in passed.
local function choose(set, most)
  local chosen = {}
  for offset = 0, LOOK_MAX - LOOK, LOOK do
    local list = redis.call('ZRANGEBYSCORE', set, '-inf', t, 'LIMIT', offset, LOOK)
    for i, claim in ipairs(#list > 0 and redis.call('HMGET', CLAIMS, unpack(list)) or {}) do
      local suspect = lapses_of(claim) >= 2
      if suspect and allowed == 0 then
        passed[set] = (passed[set] or 0) + 1
      elseif #chosen < most then
        chosen[#chosen + 1] = list[i]
        if suspect then allowed = allowed - 1 end
      end
    end
    if #list < LOOK or #chosen == most then break end
  end
  if passed[set] == LOOK_MAX then passed[set] = redis.call('ZCOUNT', set, '-inf', t) end
  return chosen
end

-- take_chosen takes tasks selected by choose, removes them from set, and returns how many keys it
-- processed.
local function take_chosen(set, most)
  if most == 0 then return 0 end
  local chosen = choose(set, most)
  local count = take(chosen, bytes / 2)
  if count > 0 then removals[#removals + 1] = { set = set, keys = { unpack(chosen, 1, count) } } end
  return count
end

-- take_lapsed takes tasks whose lease has lapsed, and returns how many it processed.
local function take_lapsed()
  if grace > t then
    passed[LEASES] = redis.call('ZCOUNT', LEASES, '-inf', t)
    return 0
  end
  return take_chosen(LEASES, math.ceil(room / 2))
end

-- take_reserved takes tasks that are reserved for workers such as this one.
local function take_reserved()
  for set in pairs(mine) do take_chosen(set, math.ceil(room / 2)) end
end

-- take_retries takes due tasks in RETRIES. If there is room for one task only, and both a retry and
-- a new task are due, it returns which of them is next after this claim, 'retry' or 'new'; else
-- nil.
local function take_retries()
  local most, turn = math.ceil(room / 2)
  if room == 1 and (earliest(RETRIES, 0) or t + 1) <= t and (earliest_new() or t + 1) <= t then
    turn = redis.call('HGET', STATS, 'turn') == 'new' and 'retry' or 'new'
    if turn == 'retry' then most = 0 end
  end
  take_chosen(RETRIES, most)
  return turn
end

-- take_slices takes due tasks from the slices, the earliest first. It continues with the next slice
-- only if it emptied the one before. It returns the minutes whose slices become empty.
local function take_slices()
  local over = {}
  for i = 0, SLICES_MAX - 1 do
    local minute = i == 0 and first_minute() or redis.call('ZRANGE', MINUTES, i, i)[1]
    local full = room == 0 or i > 0 and bytes <= 0
    if full or not tonumber(minute) or minute * MINUTE > t then break end
    local set = slice(minute)
    local list = redis.call('ZRANGEBYSCORE', set, '-inf', t, 'LIMIT', 0, room)
    if redis.call('ZCARD', set) > take_first(set, list, bytes) then break end
    over[#over + 1] = minute
  end
  return over
end

-- refusal returns an error if the user may not run all of the write commands below, else nil. It
-- checks nothing on a server without acl_check_cmd, such as the embedded one, which has no users.
local function refusal()
  if not redis.acl_check_cmd then return end
  for _, command in ipairs({ { 'ZREMRANGEBYRANK', RETRIES, '0', '0' }, { 'ZREM', LEASES, '0' }, { 'ZADD', LEASES, '0', '0' },
    { 'HSET', CLAIMS, '0', '0' }, { 'HINCRBY', STATS, 'lapsed', '0' }, { 'SET', CLAIMER, '0', 'PX', '1' } }) do
    if not redis.acl_check_cmd(unpack(command)) then
      return redis.error_reply('NOPERM the user may not run ' .. command[1] .. ' on ' .. command[2])
    end
  end
end

-- new_token returns a token greater than all earlier ones and not less than the time in ms. So a
-- server that has lost its last tokens does not use one again, and an old claim cannot end a newer
-- task.
local function new_token()
  local last = number_of('token', redis.call('HGET', STATS, 'token'))
  return decimal(math.max(last + 1, t))
end

-- history formats HISTORY of the reply.
local function history(attempts, addition, refusals, lapses)
  return attempts .. ' ' .. addition .. ' ' .. refusals .. ' ' .. lapses
end

-- plan returns the new leases, the new claims and the tasks of the reply, each as a flat list. It
-- skips a key without a record: a program other than these scripts has deleted the record. A task
-- that is moved to a reserved set keeps its claim, with token 0.
local function plan(token)
  local leases, claims, reply = {}, { '', NOT_A_LIST }, { '', '', '', '', '' } -- see answer
  local olds = #batch > 0 and redis.call('HMGET', CLAIMS, unpack(batch)) or {}
  local until_text, first_claim = decimal(t + ARGV[2]), claim_text(token, 1, '', token, 0, 0)
  local function put(key, claim, ...)
    local n = #leases
    -- The first pair of claims is that of NOT_A_LIST, so claims is longer than leases by two.
    leases[n + 1], leases[n + 2], claims[n + 3], claims[n + 4] = until_text, key, key, claim
    n = #reply
    reply[n + 1], reply[n + 2], reply[n + 3] = key, ...
  end
  for i, key in ipairs(batch) do
    local record, old = records[i], olds[i]
    if record and not old then -- the usual case: the first claim
      put(key, first_claim, record, '')
    elseif record then
      local _, attempts, reason, addition, refusals = claim_of(old)
      local lapses = lapses_of(old)
      if not string.match(old, '^%d+ %d+ %d+ ') then foreign = 'claim of ' .. key end
      if addition == '0' then addition = token end
      put(key, claim_text(token, attempts + 1, reason, addition, refusals, lapses), record,
        history(attempts + 1, addition, refusals, lapses))
    end
  end
  for _, r in ipairs(reserved) do
    local claim = redis.call('HGET', CLAIMS, r.key)
    if claim then
      local _, attempts, reason, addition, refusals = claim_of(claim)
      claims[#claims + 1], claims[#claims + 2] = r.key, claim_text('0', attempts, reason, addition, refusals, lapses_of(claim))
    end
  end
  return leases, claims, reply
end

-- again_reply returns the tasks that the worker's last claim took and that still have its token,
-- and the token, and renews their leases. It returns nil if that claim had another NONCE or no task
-- is left. It finds the leases by the instant at which they lapse, the same for all, since none was
-- extended.
local function again_reply()
  local noted, token, lapses = string.match(redis.call('GET', CLAIMER) or '', '^(%d+) (%d+) (%d+)$')
  if noted ~= nonce then return nil end
  local list, leases, keys, reply = redis.call('ZRANGEBYSCORE', LEASES, lapses, lapses), {}, {}, { '', '', '', '', '' }
  for first = 1, #list, 500 do
    local last = math.min(first + 499, #list)
    local claims, found = redis.call('HMGET', CLAIMS, unpack(list, first, last)), redis.call('HMGET', TASKS, unpack(list, first, last))
    for i, claim in ipairs(claims) do
      local held_by, attempts, _, addition, refusals, lapses = claim_of(claim)
      if held_by == token and found[i] then
        local key = list[first + i - 1]
        keys[#keys + 1], leases[#leases + 1], leases[#leases + 2] = key, t + ARGV[2], key
        for _, v in ipairs({ key, found[i], history(attempts, addition, refusals, lapses) }) do reply[#reply + 1] = v end
      end
    end
  end
  if #keys == 0 then return nil end
  redis.call('ZREM', LEASES, unpack(keys))
  redis.call('ZADD', LEASES, unpack(leases))
  redis.call('SET', CLAIMER, nonce .. ' ' .. token .. ' ' .. decimal(t + ARGV[2]), 'PX', NONCE_KEPT)
  return reply, token
end

-- wait returns WAIT of the reply.
local function wait()
  local least
  local function consider(at) if at and (not least or at < least) then least = at end end
  consider(earliest(LEASES, passed[LEASES] or 0))
  if grace > t and (passed[LEASES] or 0) > 0 then consider(grace) end
  consider(earliest(RETRIES, passed[RETRIES] or 0))
  consider(earliest_new())
  for set in pairs(mine) do consider(earliest(set, passed[set] or 0)) end
  if not least then return -1 end
  return math.max(0, least - t)
end

-- answer sets NOW, WAIT, TOKEN, LAPSED and FOREIGN, the first values of a reply.
local lapsed = 0
local function answer(reply, token)
  reply[1], reply[2], reply[3], reply[4], reply[5] = decimal(t), decimal(wait()), token, decimal(lapsed), foreign
  return reply
end

if not_after > 0 and t > not_after then return answer({}, '0') end
if again == '1' then
  local reply, token = again_reply()
  if reply then return answer(reply, token) end
end
if room == 0 or redis.call('GET', KEYS[2]) == 'paused' then return answer({}, '0') end
find_grace()
lapsed = take_lapsed()
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
if #reserved > 0 then wake() end -- for workers that can run these tasks
note_beat()
return answer(reply, token)
