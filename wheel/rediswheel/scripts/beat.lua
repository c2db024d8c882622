-- Records that a worker is alive, and removes workers without a recent heartbeat.
-- KEYS[1]: NAME:workers, a hash: ID -> "MS TEXT", MS by the clock of this server.
-- ARGV: ID; TEXT, which is empty to remove the worker; FORGET, in ms; MAX, the maximum number of workers.
-- If there are MAX workers, further ones are not recorded. Reply: nothing.
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
