-- Sets the leases of tasks to end after LEASE from now, if their claims are current.
-- KEYS: PREFIX NONE; see common.lua.
-- ARGV: LEASE in ms, then KEY TOKEN for each task.
-- Reply: for each task 1 if its claim is current, else 0.
local flags, mine = held(2, 2)
if #mine == 0 then return flags end
local scores, t = {}, now()
for _, key in ipairs(mine) do
  scores[#scores + 1], scores[#scores + 2] = t + ARGV[1], key
end
redis.call('ZREM', LEASES, unpack(mine))
redis.call('ZADD', LEASES, unpack(scores))
return flags
