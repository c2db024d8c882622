package rediswheel

// ReadStats returns the statistics of one shard, for tests of scripts.
var ReadStats = readStats
