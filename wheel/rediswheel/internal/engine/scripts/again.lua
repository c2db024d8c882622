-- Ends the current run of periodic tasks, whose callback succeeded, and makes the next run wait for its
-- time. As in ack.lua, a run ends if its claim is current or its addition still exists: a task that was
-- removed or replaced while it ran is left as it is.
-- KEYS: PREFIX NONE; see common.lua.
-- ARGV: N, then FIELD COUNT N times, as in ack.lua; then KEY TOKEN ADDITION NEXT for each task. NEXT is
-- the due of the next run in ms since 1970.
-- Reply: for each task 1 if its run was ended, else 0.
local first = 2 + 2 * ARGV[1]
local flags, done = {}, 0
for i = first, #ARGV, 4 do
  local key, next = ARGV[i], ARGV[i + 3]
  local record = redis.call('HGET', TASKS, key)
  local token, _, _, addition = claim_of(redis.call('HGET', CLAIMS, key))
  local same = token == ARGV[i + 1] or ARGV[i + 2] ~= '0' and addition == ARGV[i + 2]
  flags[#flags + 1] = record and same and 1 or 0
  if record and same then
    reschedule(key, record, next)
    done = done + 1
  end
end
if done > 0 then
  redis.call('HINCRBY', STATS, 'done', done)
  wake()
end
if #flags > done then redis.pcall('HINCRBY', STATS, 'stale', #flags - done) end
for i = 2, first - 1, 2 do redis.pcall('HINCRBY', STATS, ARGV[i], ARGV[i + 1]) end
return flags
