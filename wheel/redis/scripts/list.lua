-- Lists the tasks of one state by their instant, a page at a time. Reads only.
-- ARGV: STATE; FROM, an instant in ms; SKIP, how many of those at FROM to leave out;
-- MAX tasks. Reply: KEY AT RECORD CLAIM for each task, as get.lua tells them.
local from, skip, max = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local found = {} -- key, at, key, at, …

local function page(set)
  local room = max - #found / 2
  local list = redis.call('ZRANGEBYSCORE', set, from, '+inf', 'WITHSCORES', 'LIMIT', skip, room)
  for _, v in ipairs(list) do found[#found + 1] = v end
end

-- Only the slice that FROM lies in can hold tasks at FROM: later ones skip none.
local function pages_of_slices()
  local least = minute_of(from)
  for _, minute in ipairs(redis.call('ZRANGEBYSCORE', MINUTES, least, '+inf', 'LIMIT', 0, max + 1)) do
    if minute ~= least then skip = 0 end
    page(slice(minute))
    if #found >= 2 * max then return end
  end
end

local sets = { retrying = RETRIES, ['in-flight'] = LEASES, dead = DEAD }
if ARGV[1] == 'waiting' then pages_of_slices() else page(sets[ARGV[1]]) end
if #found == 0 then return {} end

local keys, reply = {}, {}
for i = 1, #found, 2 do keys[#keys + 1] = found[i] end
local records, claims = redis.call('HMGET', TASKS, unpack(keys)), redis.call('HMGET', CLAIMS, unpack(keys))
for i, key in ipairs(keys) do
  local n = #reply
  reply[n + 1], reply[n + 2] = key, tonumber(found[2 * i])
  reply[n + 3], reply[n + 4] = records[i] or '', claims[i] or ''
end
return reply
