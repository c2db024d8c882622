package rediswheel

import (
	"context"
	"embed"
	"fmt"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/reply"
)

//go:embed scripts/*.lua
var sources embed.FS

// The scripts, each with what common.lua gives it.
var (
	addScript          = shardScript("add")
	removeScript       = shardScript("remove")
	getScript          = shardScript("get")
	scanScript         = shardScript("scan")
	retryScript        = shardScript("retry")
	restoreScript      = shardScript("restore")
	removeListedScript = shardScript("remove_listed")
	statsScript        = shardScript("stats")
	claimScript        = shardScript("claim")
	ackScript          = shardScript("ack")
	laterScript        = shardScript("later")
	releaseScript      = shardScript("release")
	buryScript         = shardScript("bury")
	extendScript       = shardScript("extend")
	dumpScript         = shardScript("dump")
	putScript          = shardScript("put")
	dropScript         = shardScript("drop")
)

// addNewScript is made for speed: it includes no common code.
var addNewScript = goredis.NewScript(source("add_new"))

// guarded are the scripts that run only on a shard with the mark of the caller's layout:
// those that would otherwise add, look for or claim tasks in the wrong place.
var guarded = map[*goredis.Script]bool{addScript: true, addNewScript: true, removeScript: true, claimScript: true,
	restoreScript: true, retryScript: true, removeListedScript: true}

// source is a script's text as the file has it.
func source(name string) string {
	text, err := sources.ReadFile("scripts/" + name + ".lua")
	if err != nil {
		panic(err) // embedded: it is there
	}
	return string(text)
}

// shardScript puts common.lua before a script. All but add_new need it.
func shardScript(name string) *goredis.Script {
	return goredis.NewScript(source("common") + source(name))
}

// keys returns the keys that a script is sent to a node by: the prefix, and a second name of
// the same slot. The prefix is never made: of a slot that is moving a node that gets it would run a
// script with one key, on what has not come yet, and refuses one with two of which one is missing.
// The second is the mark of the layout, for scripts that ask for it, or else never made either.
func (s Shard) keys(script *goredis.Script) []string {
	if s.Layout != "" && guarded[script] {
		return []string{s.Prefix, s.mark()}
	}
	return []string{s.Prefix, s.Prefix + ":none"}
}

// mark returns the key that exists while the shard belongs to the layout.
func (s Shard) mark() string { return s.Prefix + ":layout:" + s.Layout }

// wakeChannel is where a shard's notifications are published.
func (s Shard) wakeChannel() string { return s.Prefix + ":wake" }

// run runs a script on a shard and gives its reply as a list.
func (s Shard) run(ctx context.Context, script *goredis.Script, args ...any) ([]any, error) {
	answer, err := script.Run(ctx, s.Redis, s.keys(script), args...).Result()
	if err != nil {
		return nil, err
	}
	list, ok := answer.([]any)
	if !ok {
		return nil, fmt.Errorf("%w: %T", reply.ErrReply, answer)
	}
	return list, nil
}

// flags reads a reply of 1 and 0, one for each of n.
func flags(answer []any, err error, n int) ([]bool, error) {
	if err != nil {
		return nil, err
	}
	if len(answer) != n {
		return nil, fmt.Errorf("%w: %d flags for %d tasks", reply.ErrReply, len(answer), n)
	}
	list := make([]bool, n)
	for i, v := range answer {
		list[i] = v == int64(1)
	}
	return list, nil
}
