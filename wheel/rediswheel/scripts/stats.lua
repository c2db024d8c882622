-- Counts a shard. Reads only.
-- ARGV: MAX minutes to list; then optionally OVERDUE, in ms: tasks that should have been claimed that
-- long ago are counted. Reply: NOW as text, TASKS in all, in flight, to be tried again,
-- dead, minutes in all; then a list of MINUTE COUNT, the earliest first, and a list
-- of FIELD COUNT, the counters; then the overdue tasks, if they were asked for.
local OVERDUE_MINUTES = 1500 -- in which overdue tasks are counted, a little more than a day
local LEFT_MAX = 100 -- tasks of a reserved set that are looked at, since the set may have left-over entries
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
