-- Lists the tasks of one state that match a filter, ordered by instant and key. It writes nothing.
-- KEYS: PREFIX NONE; see common.lua.
-- ARGV: STATE FROM AFTER MAX VIEW MATCH HOST ERROR.
--   STATE  waiting, retrying, in-flight or dead
--   FROM   the instant in ms since 1970 at which to start
--   AFTER  a key: tasks at FROM with this key or a lower one are left out; or empty
--   MAX    the maximum number of tasks in the reply
--   VIEW   full; row for records without headers, body and credentials, and with a shortened URL;
--          or key for no records
--   MATCH  a pattern for keys: * matches any text, ? any byte
--   HOST   the host in the URL, in lower case
--   ERROR  a substring of the reason
-- An empty MATCH, HOST or ERROR matches all tasks.
-- Reply: MORE, 1 if there may be more tasks, else 0; AT and KEY, which are FROM and AFTER of the
-- next call; then KEY AT RECORD CLAIM for each task, with the meanings of get.lua.
-- A call examines a limited number of tasks and bytes, so that it blocks the server only for a
-- short time.
local LOOKED_MAX = 1000 -- tasks examined
local READ_MAX = 4 * 1048576 -- approximate number of bytes of records read
local SENT_MAX = 1048576 -- approximate number of bytes of records in the reply
local URL_SHOWN = 200 -- bytes of a URL in a row
local state, from, after, most, view = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), ARGV[5]
local match, host, reason = ARGV[6], ARGV[7], ARGV[8]
local look = most
if match ~= '' or host ~= '' or reason ~= '' then look = LOOKED_MAX end
local found = {} -- key, at, key, at, …

-- up_to reports whether key is not greater than other in the order of sorted sets, which compares
-- bytes. The operator <= of Lua depends on the locale of the server.
local function up_to(key, other)
  for i = 1, math.min(#key, #other) do
    local a, b = string.byte(key, i), string.byte(other, i)
    if a ~= b then return a < b end
  end
  return #key <= #other
end

-- left_out returns the number of tasks in set at FROM with keys up to AFTER. It uses binary search,
-- as any number of tasks may have the same instant.
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

-- page appends up to `look` tasks of set, starting at FROM, to found, after skipping `skip` of
-- them.
local function page(set, skip)
  local list = redis.call('ZRANGEBYSCORE', set, from, '+inf', 'WITHSCORES', 'LIMIT', skip, look)
  for _, v in ipairs(list) do found[#found + 1] = v end
end

-- pages_of_slices adds tasks in slices to found. Only the slice that contains FROM can have tasks
-- at FROM.
local function pages_of_slices()
  local least = minute_of(from)
  for _, minute in ipairs(redis.call('ZRANGEBYSCORE', MINUTES, least, '+inf', 'LIMIT', 0, look + 1)) do
    page(slice(minute), minute == least and left_out(slice(minute)) or 0)
    if #found >= 2 * look then return end
  end
end

-- pages_of_reserved adds tasks in reserved sets to found, and sorts all that found contains.
local function pages_of_reserved()
  local names = redis.call('SMEMBERS', RESERVED)
  if #names == 0 then return end
  local order = {}
  for _, set in ipairs(names) do page(set, left_out(set)) end
  for i = 1, #found, 2 do order[#order + 1] = { found[i], tonumber(found[i + 1]) } end
  table.sort(order, function(a, b)
    if a[2] ~= b[2] then return a[2] < b[2] end
    return a[1] ~= b[1] and up_to(a[1], b[1])
  end)
  found = {}
  for i, pair in ipairs(order) do
    found[2 * i - 1], found[2 * i] = pair[1], decimal(pair[2])
  end
end

-- matches reports whether key matches pattern. It takes time proportional to the product of their
-- lengths at most.
local function matches(key, pattern)
  local k, p, star, mark = 1, 1, nil, nil
  while k <= #key do
    local c = string.byte(pattern, p)
    if c == 42 then -- *
      star, mark, p = p, k, p + 1
    elseif c == 63 or c == string.byte(key, k) then -- ?
      k, p = k + 1, p + 1
    elseif star then
      mark = mark + 1
      k, p = mark, star + 1
    else
      return false
    end
  end
  while string.byte(pattern, p) == 42 do p = p + 1 end
  return p > #pattern
end

-- head_of returns the decoded head of a record, or nil if it cannot be parsed.
local function head_of(record)
  local line = string.match(record, '^%d+ %d+ ([^\n]*)\n')
  local ok, head = pcall(cjson.decode, line or '')
  if ok and type(head) == 'table' then return head end
end

-- parts_of returns the scheme of a URL with "://", its userinfo or nil, and the rest of the URL.
-- If there is no scheme, it returns the whole URL as the rest.
local function parts_of(url)
  local scheme, rest = string.match(url, '^(%a[%w+.-]*://)(.*)$')
  if not scheme then return '', nil, url end
  local authority = string.match(rest, '^[^/?#]*')
  local user = string.match(authority, '^(.*)@')
  if not user then return scheme, nil, rest end
  return scheme, user, string.sub(rest, #user + 2)
end

-- host_of returns the host in the URL of a head in lower case, without the port.
local function host_of(head)
  if type(head.url) ~= 'string' then return '' end
  local _, _, rest = parts_of(head.url)
  local authority = string.match(rest, '^[^/?#]*')
  return string.lower(string.match(authority, '^%[(.*)%]') or string.match(authority, '^[^:]*'))
end

-- row_of returns a record for VIEW row.
local function row_of(record, head)
  if not head then return string.match(string.sub(record, 1, URL_SHOWN), '^[^\n]*') end
  local short = { method = head.method, handler = head.handler }
  if type(head.url) == 'string' then
    local scheme, user, rest = parts_of(head.url)
    short.url = string.sub(scheme .. (user and 'xxxxx@' or '') .. rest, 1, URL_SHOWN)
  end
  if not next(short) then short.url = '' end
  return string.match(record, '^%d+ %d+ ') .. cjson.encode(short) .. '\n'
end

if state == 'waiting' then
  pages_of_slices()
  pages_of_reserved()
else
  local set = ({ retrying = RETRIES, ['in-flight'] = LEASES, dead = DEAD })[state]
  page(set, left_out(set))
end
local count = math.min(#found / 2, look)
local reply, claims = { 0, from, after }, {}
if count == 0 then return reply end
if view ~= 'key' or reason ~= '' then
  local keys = {}
  for i = 1, 2 * count, 2 do keys[#keys + 1] = found[i] end
  claims = redis.call('HMGET', CLAIMS, unpack(keys))
end

local read, sent, given, looked = 0, 0, 0, 0
-- consider appends the task at index i of found to the reply if it matches the filter.
local function consider(i)
  local key, claim, record = found[2 * i - 1], claims[i] or '', ''
  if match ~= '' and not matches(key, match) then return end
  if reason ~= '' then
    local _, _, text = claim_of(claim ~= '' and claim)
    if not string.find(text, reason, 1, true) then return end
  end
  if host ~= '' or view ~= 'key' then
    record = redis.call('HGET', TASKS, key) or ''
    read = read + #record
    local head = (host ~= '' or view == 'row') and head_of(record)
    if host ~= '' and not (head and host_of(head) == host) then return end
    if view == 'row' then record = row_of(record, head) end
    if view == 'key' then record = '' end
  end
  sent, given = sent + #record, given + 1
  local n = #reply
  reply[n + 1], reply[n + 2] = key, decimal(tonumber(found[2 * i]))
  reply[n + 3], reply[n + 4] = record, view == 'key' and '' or claim
end
while looked < count and given < most and read < READ_MAX and sent < SENT_MAX do
  looked = looked + 1
  consider(looked)
end
if looked < count or count == look then reply[1] = 1 end
reply[2], reply[3] = decimal(tonumber(found[2 * looked])), found[2 * looked - 1]
return reply
