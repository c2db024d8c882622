-- Moves a task that is not in flight to another time. It is then waiting, with its first attempt.
-- KEYS: PREFIX MARK; see common.lua.
-- ARGV: KEY; DUE in ms since 1970, or empty for now.
-- Reply: the state in which the task was; it is moved unless this is "in-flight", or "" for no task.
-- The record keeps its head and its body, whoever replaced them last.
local key, due = ARGV[1], ARGV[2]
local record = redis.call('HGET', TASKS, key)
if not record or not string.match(record, '^%d+ %d+ ') then return { '' } end
if redis.call('ZSCORE', LEASES, key) then return { 'in-flight' } end
local was = 'waiting'
if redis.call('ZSCORE', DEAD, key) then was = 'dead' elseif redis.call('ZSCORE', RETRIES, key) then was = 'retrying' end
if due == '' then due = decimal(now()) end
reschedule(key, record, due)
if was == 'dead' then redis.call('HINCRBY', STATS, 'revived', 1) end
wake()
return { was }
