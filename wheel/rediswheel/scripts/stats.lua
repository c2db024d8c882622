-- Returns the statistics of a shard. It writes nothing.
-- ARGV: MAX, the number of minutes to list; optionally OVERDUE, in ms: tasks that should have been claimed that
-- long ago are counted. Reply: NOW as text; the numbers of all tasks, of those in flight, retrying and dead,
-- and of minutes; a list of MINUTE COUNT, earliest first; a list of FIELD COUNT, the counters; then the number
-- of overdue tasks if OVERDUE was given.
local OVERDUE_MINUTES = 1500 -- minutes in which overdue tasks are counted, a little more than a day
local LEFT_MAX = 100 -- tasks examined of a reserved set, which may have entries of tasks that were removed
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
    local first = redis.call('ZRANGEBYSCORE', set, '-inf', decimal(before), 'WITHSCORES', 'LIMIT', 0, LEFT_MAX)
    for i = 1, #first, 2 do
      if not is_reserved(first[i], first[i + 1], redis.call('HGET', TASKS, first[i])) then overdue = overdue - 1 end
    end
  end
  reply[9] = overdue
end
return reply
