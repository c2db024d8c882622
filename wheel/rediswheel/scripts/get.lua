-- Returns the task with a key. It writes nothing.
-- ARGV: KEY. Reply: nothing if there is no such task, otherwise STATE AT RECORD CLAIM. AT, as text, is the
-- instant at which the task is due, is tried again, its lease lapses, or it was given up. CLAIM is
-- "TOKEN ATTEMPTS REASON", or empty.
local record = redis.call('HGET', TASKS, ARGV[1])
if not record then return {} end
local claim = redis.call('HGET', CLAIMS, ARGV[1]) or ''
for _, place in ipairs({ { 'retrying', RETRIES }, { 'in-flight', LEASES }, { 'dead', DEAD } }) do
  local at = redis.call('ZSCORE', place[2], ARGV[1])
  if at then return { place[1], decimal(tonumber(at)), record, claim } end
end
return { 'waiting', decimal(due_of(record)), record, claim }
