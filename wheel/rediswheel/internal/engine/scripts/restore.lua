-- Adds tasks in given states. It is used by an import, and to add tasks whose keys must be new.
-- KEYS: PREFIX MARK; see common.lua.
-- ARGV: REPLACE, 1 to replace a task with the same key, 0 to leave it unchanged; then KEY STATE AT
-- RECORD ATTEMPTS REASON for each task, with distinct keys. STATE is waiting, retrying or dead. AT
-- is the instant in ms since 1970 at which the task is retried or was given up. It is ignored for a
-- waiting task, whose due is in its record.
-- Reply: for each task 1 if it was added, else 0.
-- The first write is one that a server out of memory refuses; the script then changes nothing.
local keys = {}
for i = 2, #ARGV, 6 do keys[#keys + 1] = ARGV[i] end
local olds = redis.call('HMGET', TASKS, unpack(keys))
local flags, fields, replaced = {}, {}, 0
for n, key in ipairs(keys) do
  flags[n] = (ARGV[1] == '1' or not olds[n]) and 1 or 0
  if flags[n] == 1 then fields[#fields + 1], fields[#fields + 2] = key, ARGV[2 + (n - 1) * 6 + 3] end
end
if #fields == 0 then return flags end
redis.call('HSET', TASKS, unpack(fields))
for n, key in ipairs(keys) do
  if flags[n] == 1 then
    local at = 2 + (n - 1) * 6
    local state, instant, record = ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]
    if olds[n] then
      unlink(key, olds[n])
      replaced = replaced + 1
    end
    if state == 'waiting' then
      local due = due_of(record)
      redis.call('ZADD', slice(minute_of(due)), decimal(due), key)
      redis.call('ZADD', MINUTES, minute_of(due), minute_of(due))
    else
      redis.call('ZADD', state == 'dead' and DEAD or RETRIES, instant, key)
      redis.call('HSET', CLAIMS, key, claim_text('0', ARGV[at + 4], ARGV[at + 5], '0', 0, 0))
    end
  end
end
if replaced > 0 then redis.call('HINCRBY', STATS, 'replaced', replaced) end
wake()
return flags
