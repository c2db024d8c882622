-- Ends tasks whose callback succeeded. A task is ended if its claim is current or, failing that, if
-- the same addition of the task still exists. So a success counts although the lease has lapsed. A
-- task that was removed, or replaced by a later addition, is left unchanged.
-- KEYS: PREFIX NONE; see common.lua.
-- ARGV: N, then FIELD COUNT N times, then KEY TOKEN ADDITION for each task. COUNT is added to the
-- counter FIELD. ADDITION 0 means that it is unknown: only the token
-- is compared.
-- Reply: for each task 1 if it was ended, else 0.
local first = 2 + 2 * ARGV[1]
local keys, flags, mine, elsewhere = {}, {}, {}, {}
for i = first, #ARGV, 3 do keys[#keys + 1] = ARGV[i] end
if #keys == 0 then return flags end
for i, claim in ipairs(redis.call('HMGET', CLAIMS, unpack(keys))) do
  local token, addition = ARGV[first + 3 * i - 2], ARGV[first + 3 * i - 1]
  -- A claim begins with its token; see claim_of.
  local holds = claim and string.sub(claim, 1, #token + 1) == token .. ' '
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
  -- Delete the field with the empty name if it is the last one; see NOT_A_LIST in claim.lua.
  if redis.call('HLEN', CLAIMS) == 1 then redis.call('HDEL', CLAIMS, '') end
  redis.call('HDEL', TASKS, unpack(mine))
  redis.call('HINCRBY', STATS, 'done', #mine)
end
-- If nothing was removed above, a server out of memory refuses to count. The error is ignored,
-- because the reply does not depend on the counters.
if #flags > #mine then redis.pcall('HINCRBY', STATS, 'stale', #flags - #mine) end
for i = 2, first - 1, 2 do redis.pcall('HINCRBY', STATS, ARGV[i], ARGV[i + 1]) end
return flags
