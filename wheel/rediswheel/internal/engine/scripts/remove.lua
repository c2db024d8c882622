-- Removes tasks with the given keys, whatever their states. A running callback is not stopped.
-- KEYS: PREFIX MARK; see common.lua.
-- ARGV: KEY for each task.
-- Reply: for each key 1 if there was a task, else 0.
local olds = redis.call('HMGET', TASKS, unpack(ARGV))
local removed, count = {}, 0
for i, key in ipairs(ARGV) do
  removed[i] = 0
  if olds[i] then
    unlink(key, olds[i])
    removed[i] = redis.call('HDEL', TASKS, key)
    count = count + removed[i]
  end
end
if count > 0 then redis.call('HINCRBY', STATS, 'removed', count) end
return removed
