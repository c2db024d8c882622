-- Counts the tasks of a shard. It writes nothing.
-- KEYS: PREFIX NONE; see common.lua.
-- ARGV: MAX minutes to list; optionally OVERDUE in ms: tasks that have been due for longer than
-- this are counted.
-- Reply: NOW as text; the numbers of all tasks, tasks in flight, retrying tasks, dead tasks and
-- minutes; a list of MINUTE COUNT for each minute, the earliest first; a list of FIELD COUNT for
-- each counter; and with OVERDUE the number of overdue tasks.
-- Maximum number of minutes in which overdue tasks are counted, slightly more than a day.
local OVERDUE_MINUTES = 1500
local minutes = {}
for _, minute in ipairs(redis.call('ZRANGE', MINUTES, 0, ARGV[1] - 1)) do
  minutes[#minutes + 1] = tonumber(minute)
  minutes[#minutes + 1] = redis.call('ZCARD', slice(minute))
end
local reply = { decimal(now()), redis.call('HLEN', TASKS), redis.call('ZCARD', LEASES), redis.call('ZCARD', RETRIES),
  redis.call('ZCARD', DEAD), redis.call('ZCARD', MINUTES), minutes, redis.call('HGETALL', STATS) }
if ARGV[2] then
  local before = now() - ARGV[2]
  local overdue = redis.call('ZCOUNT', RETRIES, '-inf', decimal(before))
  for _, minute in ipairs(redis.call('ZRANGEBYSCORE', MINUTES, '-inf', minute_of(before), 'LIMIT', 0, OVERDUE_MINUTES)) do
    overdue = overdue + redis.call('ZCOUNT', slice(minute), '-inf', decimal(before))
  end
  for _, set in ipairs(redis.call('SMEMBERS', RESERVED)) do
    overdue = overdue + redis.call('ZCOUNT', set, '-inf', decimal(before))
  end
  reply[9] = overdue
end
return reply
