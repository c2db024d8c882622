-- Stores the heartbeat of a worker, and removes workers whose last heartbeat is older than FORGET.
-- KEYS: NAME:workers, a hash: ID -> "MS TEXT", where MS is the time of the last heartbeat in ms
-- since 1970 by the clock of this server, and TEXT describes the worker.
-- ARGV: ID; TEXT, or an empty string to remove the worker; FORGET in ms; MAX workers.
-- Reply: an empty list.
-- The heartbeat of a new worker is not stored if there are MAX workers.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local all = redis.call('HGETALL', KEYS[1])
local count, known = 0, false
for i = 1, #all, 2 do
  local at = tonumber(string.match(all[i + 1], '^%d+') or 0)
  if now - at > tonumber(ARGV[3]) then
    redis.call('HDEL', KEYS[1], all[i])
  else
    count, known = count + 1, known or all[i] == ARGV[1]
  end
end
if ARGV[2] == '' then
  redis.call('HDEL', KEYS[1], ARGV[1])
elseif known or count < tonumber(ARGV[4]) then
  redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f', now) .. ' ' .. ARGV[2])
end
return {}
