-- Adds tasks. A task replaces the existing task with the same key, whatever its state.
-- KEYS: PREFIX MARK; see common.lua.
-- ARGV: KEY DUE RECORD for each task, with distinct keys. DUE is in ms since 1970.
-- Reply: for each task 1 if it replaced one, else 0.
-- The first write is one that a server out of memory refuses; the script then changes nothing.
local keys, fields, minutes, order = {}, {}, {}, {}
for i = 1, #ARGV, 3 do
  local key, due, record = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  keys[#keys + 1] = key
  fields[#fields + 1], fields[#fields + 2] = key, record
  local minute = minute_of(due)
  if not minutes[minute] then
    minutes[minute] = {}
    order[#order + 1] = minute
  end
  local members = minutes[minute]
  members[#members + 1], members[#members + 2] = due, key
end

local olds, replaced, count = redis.call('HMGET', TASKS, unpack(keys)), {}, 0
redis.call('HSET', TASKS, unpack(fields))
for i, key in ipairs(keys) do
  replaced[i] = 0
  if olds[i] then
    unlink(key, olds[i])
    replaced[i], count = 1, count + 1
  end
end
for _, minute in ipairs(order) do
  redis.call('ZADD', slice(minute), unpack(minutes[minute]))
  redis.call('ZADD', MINUTES, minute, minute)
end
if count > 0 then redis.call('HINCRBY', STATS, 'replaced', count) end
-- Workers wait for the earliest task of the shard. Notify them if it is one of these.
local first = redis.call('ZRANGE', MINUTES, 0, 0)[1]
if minutes[first] then
  local head = redis.call('ZRANGE', slice(first), 0, 0)[1]
  for _, key in ipairs(keys) do
    if key == head then wake() end
  end
end
return replaced
