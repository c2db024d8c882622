-- Makes tasks due that were put back because of a receiver (see later.lua), those with the earliest
-- due first. A task is left unchanged if it was claimed, removed or replaced since, or if it waits
-- for another reason, such as a failed attempt.
-- KEYS: PREFIX NONE; see common.lua.
-- ARGV: HOST, the receiver; MAX, the number of due tasks in RETRIES above which no more are made
-- due; ANSWERS, 1 to notify workers that the receiver answers, else 0; then the REASONS with which
-- such tasks are put back.
-- Reply: the number of tasks made due, and the number of entries left in the index of the receiver.
local set, t = deferred_set(ARGV[1]), now()
local room = ARGV[2] - redis.call('ZCOUNT', RETRIES, '-inf', decimal(t))
local list = room > 0 and redis.call('ZRANGE', set, 0, room - 1) or {}
local scores, reasons = {}, {}
for i = 4, #ARGV do reasons[ARGV[i]] = true end
for i, claim in ipairs(#list > 0 and redis.call('HMGET', CLAIMS, unpack(list)) or {}) do
  local token, _, reason = claim_of(claim)
  if token == '0' and reasons[reason] and tonumber(redis.call('ZSCORE', RETRIES, list[i]) or 0) > t then
    scores[#scores + 1], scores[#scores + 2] = decimal(t), list[i]
  end
end
if #list > 0 then redis.call('ZREM', set, unpack(list)) end
if #scores > 0 then redis.call('ZADD', RETRIES, unpack(scores)) end
if ARGV[3] == '1' then wake(ARGV[1]) elseif #scores > 0 then wake() end
return { #scores / 2, redis.call('ZCARD', set) }
