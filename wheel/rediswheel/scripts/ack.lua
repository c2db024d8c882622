-- Ends tasks whose callbacks have succeeded. A task is ended if the claim is current or if the same
-- addition still exists, so a success counts even if the lease has lapsed in the meantime. Tasks that
-- were removed, or replaced by another addition, remain unchanged.
-- ARGV: N; N pairs FIELD COUNT to be added to the counters; then KEY TOKEN ADDITION for each task. If
-- ADDITION is 0, only the token is compared. Reply: for each task 1 if it was ended, otherwise 0.
local first = 2 + 2 * ARGV[1]
local keys, flags, mine, elsewhere = {}, {}, {}, {}
for i = first, #ARGV, 3 do keys[#keys + 1] = ARGV[i] end
if #keys == 0 then return flags end
for i, claim in ipairs(redis.call('HMGET', CLAIMS, unpack(keys))) do
  local token, addition = ARGV[first + 3 * i - 2], ARGV[first + 3 * i - 1]
  local holds = claim and string.sub(claim, 1, #token + 1) == token .. ' ' -- see claim_of
  local same = claim and not holds and addition ~= '0' and select(4, claim_of(claim)) == addition
  flags[i] = (holds or same) and 1 or 0
  if flags[i] == 1 then
    mine[#mine + 1] = keys[i]
    if not holds then elsewhere[#elsewhere + 1] = keys[i] end
  end
end
if #elsewhere > 0 then
  local records = redis.call('HMGET', TASKS, unpack(elsewhere))
  for i, key in ipairs(elsewhere) do unlink(key, records[i] or '') end
end
if #mine > 0 then
  redis.call('ZREM', LEASES, unpack(mine))
  redis.call('HDEL', CLAIMS, unpack(mine))
  if redis.call('HLEN', CLAIMS) == 1 then redis.call('HDEL', CLAIMS, '') end -- see NOT_A_LIST in claim.lua
  redis.call('HDEL', TASKS, unpack(mine))
  redis.call('HINCRBY', STATS, 'done', #mine)
  for i = 2, first - 1, 2 do redis.call('HINCRBY', STATS, ARGV[i], ARGV[i + 1]) end
end
-- If Redis is out of memory and nothing was removed before, this write fails and nothing is counted;
-- the reply is still correct.
if #flags > #mine then redis.pcall('HINCRBY', STATS, 'stale', #flags - #mine) end
return flags
