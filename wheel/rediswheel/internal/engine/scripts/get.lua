-- Returns the task with a given key. It writes nothing.
-- KEYS: PREFIX NONE; see common.lua.
-- ARGV: KEY.
-- Reply: an empty list if there is no such task, else STATE AT RECORD CLAIM. AT is text: the
-- instant in ms since 1970 at which the task is due, is retried, its lease lapses, or it was given
-- up. CLAIM has the format of claim_of, or is empty.
local record = redis.call('HGET', TASKS, ARGV[1])
if not record then return {} end
local claim = redis.call('HGET', CLAIMS, ARGV[1]) or ''
for _, place in ipairs({ { 'retrying', RETRIES }, { 'in-flight', LEASES }, { 'dead', DEAD } }) do
  local at = redis.call('ZSCORE', place[2], ARGV[1])
  if at then return { place[1], decimal(tonumber(at)), record, claim } end
end
return { 'waiting', decimal(due_of(record)), record, claim }
