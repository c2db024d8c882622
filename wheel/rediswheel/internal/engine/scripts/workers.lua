-- Lists the workers of a wheel. It writes nothing.
-- KEYS: NAME:workers; see beat.lua.
-- ARGV: none.
-- Reply: NOW as text, in ms since 1970; then ID and "MS TEXT" for each worker.
local time = redis.call('TIME')
local reply = redis.call('HGETALL', KEYS[1])
table.insert(reply, 1, string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000)))
return reply
