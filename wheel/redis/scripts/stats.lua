-- Counts a shard. Reads only.
-- ARGV: MAX minutes to tell. Reply: NOW as text, TASKS in all, in flight, to be tried again,
-- dead, minutes in all; then a list of MINUTE COUNT, the earliest first, and a list
-- of FIELD COUNT, the counters.
local minutes = {}
for _, minute in ipairs(redis.call('ZRANGE', MINUTES, 0, ARGV[1] - 1)) do
  minutes[#minutes + 1] = tonumber(minute)
  minutes[#minutes + 1] = redis.call('ZCARD', slice(minute))
end
return { decimal(now()), redis.call('HLEN', TASKS), redis.call('ZCARD', LEASES), redis.call('ZCARD', RETRIES),
  redis.call('ZCARD', DEAD), redis.call('ZCARD', MINUTES), minutes, redis.call('HGETALL', STATS) }
