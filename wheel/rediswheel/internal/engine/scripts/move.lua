-- Moves a task that is not in flight to another time. It is then waiting, with its first attempt.
-- KEYS: PREFIX MARK; see common.lua.
-- ARGV: KEY; DUE in ms since 1970, or empty for now.
-- Reply: the state in which the task was; it is moved unless this is "in-flight", or "" for no task.
-- The record keeps its head and its body, whoever replaced them last.
-- The first write is one that a server out of memory refuses; the script then changes nothing.
local key, due = ARGV[1], ARGV[2]
local record = redis.call('HGET', TASKS, key)
local head = record and string.match(record, '^%d+ %d+() ')
if not head then return { '' } end
if redis.call('ZSCORE', LEASES, key) then return { 'in-flight' } end
local was = 'waiting'
if redis.call('ZSCORE', DEAD, key) then was = 'dead' elseif redis.call('ZSCORE', RETRIES, key) then was = 'retrying' end
if due == '' then due = decimal(now()) end
redis.call('HSET', TASKS, key, string.match(record, '^%d+ ') .. due .. string.sub(record, head))
unlink(key, record)
local minute = minute_of(due)
redis.call('ZADD', slice(minute), due, key)
redis.call('ZADD', MINUTES, minute, minute)
if was == 'dead' then redis.call('HINCRBY', STATS, 'revived', 1) end
wake()
return { was }
