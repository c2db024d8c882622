-- Reads some tasks of a shard in order to move them to another layout. It writes nothing.
-- KEYS: PREFIX NONE; see common.lua.
-- ARGV: CURSOR, 0 in the first call; COUNT, the approximate number of tasks.
-- Reply: the next CURSOR, 0 if there are no more tasks; then KEY STATE AT RECORD CLAIM for each
-- task, with the meanings of get.lua.
local scan = redis.call('HSCAN', TASKS, ARGV[1], 'COUNT', ARGV[2])
local reply = { scan[1] }
for i = 1, #scan[2], 2 do
  local key, record = scan[2][i], scan[2][i + 1]
  local state, at = 'waiting', due_of(record)
  for _, place in ipairs({ { 'retrying', RETRIES }, { 'in-flight', LEASES }, { 'dead', DEAD } }) do
    local score = redis.call('ZSCORE', place[2], key)
    if score then state, at = place[1], tonumber(score) end
  end
  local n = #reply
  reply[n + 1], reply[n + 2], reply[n + 3] = key, state, decimal(at)
  reply[n + 4], reply[n + 5] = record, redis.call('HGET', CLAIMS, key) or ''
end
return reply
