-- Lists the tasks of one state by their instant, a page at a time. Reads only.
-- ARGV: STATE; FROM, an instant in ms; AFTER, up to which key those at FROM are left out,
-- or empty; MAX tasks. Reply: KEY AT RECORD CLAIM for each task, as get.lua tells them.
local from, after, max = ARGV[2], ARGV[3], tonumber(ARGV[4])
local found = {} -- key, at, key, at, …

-- up_to says whether a key is not behind another in the order of a sorted set, which is
-- that of bytes; that of Lua's <= is the server's language's.
local function up_to(key, other)
  for i = 1, math.min(#key, #other) do
    local a, b = string.byte(key, i), string.byte(other, i)
    if a ~= b then return a < b end
  end
  return #key <= #other
end

-- left_out is how many of a set's tasks at FROM have keys up to AFTER, by halving: any
-- number may stand there.
local function left_out(set)
  if after == '' then return 0 end
  local first = redis.call('ZCOUNT', set, '-inf', '(' .. from)
  local low, high = 0, redis.call('ZCOUNT', set, from, from)
  while low < high do
    local middle = math.floor((low + high) / 2)
    local key = redis.call('ZRANGE', set, first + middle, first + middle)[1]
    if up_to(key, after) then low = middle + 1 else high = middle end
  end
  return low
end

local function page(set, skip)
  local room = max - #found / 2
  local list = redis.call('ZRANGEBYSCORE', set, from, '+inf', 'WITHSCORES', 'LIMIT', skip, room)
  for _, v in ipairs(list) do found[#found + 1] = v end
end

-- Only the slice that FROM lies in can hold tasks at FROM: of later ones none is left out.
local function pages_of_slices()
  local least = minute_of(from)
  for _, minute in ipairs(redis.call('ZRANGEBYSCORE', MINUTES, least, '+inf', 'LIMIT', 0, max + 1)) do
    local set = slice(minute)
    page(set, minute == least and left_out(set) or 0)
    if #found >= 2 * max then return end
  end
end

local sets = { retrying = RETRIES, ['in-flight'] = LEASES, dead = DEAD }
if ARGV[1] == 'waiting' then
  pages_of_slices()
else
  local set = sets[ARGV[1]]
  page(set, left_out(set))
end
if #found == 0 then return {} end

local keys, reply = {}, {}
for i = 1, #found, 2 do keys[#keys + 1] = found[i] end
local records, claims = redis.call('HMGET', TASKS, unpack(keys)), redis.call('HMGET', CLAIMS, unpack(keys))
for i, key in ipairs(keys) do
  local n = #reply
  reply[n + 1], reply[n + 2] = key, decimal(tonumber(found[2 * i]))
  reply[n + 3], reply[n + 4] = records[i] or '', claims[i] or ''
end
return reply
