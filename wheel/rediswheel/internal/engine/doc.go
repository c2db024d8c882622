// Package engine is the part of a wheel on Redis that both package rediswheel, for programs that add tasks, and package
// worker use: the scripts, a method of [Shard] for each; the layout of a wheel, and how its loss is detected ([Wheel]);
// and the batches in which many goroutines add tasks. It validates nothing. Start reading at shard.go and
// scripts/claim.lua.
package engine
