-- LuaAddTasks of the wheel as published (xiaoxuxiansheng/timewheel 8f0e64b,
-- time_wheel_lua.go): the same commands in the same order. The name of the slice
-- contains the minute, and its members are whole bodies, so the same key with
-- another body, or in another minute, is another task.
-- KEYS: slice, delete set. ARGV: second, body, key.
redis.call('srem', KEYS[2], ARGV[3])
return redis.call('zadd', KEYS[1], ARGV[1], ARGV[2])
