package engine

import (
	"context"
	"embed"
	"fmt"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/connect"
)

//go:embed scripts/*.lua
var sources embed.FS

// Scripts that run on a shard, each with common.lua prepended.
var (
	addScript          = shardScript("add")
	removeScript       = shardScript("remove")
	getScript          = shardScript("get")
	scanScript         = shardScript("scan")
	retryScript        = shardScript("retry")
	restoreScript      = shardScript("restore")
	moveScript         = shardScript("move")
	removeListedScript = shardScript("remove_listed")
	statsScript        = shardScript("stats")
	claimScript        = shardScript("claim")
	ackScript          = shardScript("ack")
	againScript        = shardScript("again")
	laterScript        = shardScript("later")
	markDeadScript     = shardScript("mark_dead")
	extendScript       = shardScript("extend")
)

// addNewScript adds a task if its key is new. It is not prefixed with common.lua, because a shorter script is
// faster.
var addNewScript = goredis.NewScript(source("add_new"))

// guarded is the set of scripts that return an error if the shard does not belong to the caller's layout,
// that is, if the key named by Shard.mark is missing. Without this check they would add, find or claim tasks
// in shards of an outdated layout.
var guarded = map[*goredis.Script]bool{addScript: true, addNewScript: true, removeScript: true, claimScript: true,
	restoreScript: true, retryScript: true, moveScript: true, removeListedScript: true}

// source returns the text of the script in the file "scripts/" + name + ".lua".
func source(name string) string {
	text, err := sources.ReadFile("scripts/" + name + ".lua")
	if err != nil {
		panic(err) // cannot happen: the file is embedded
	}
	return string(text)
}

// shardScript returns the script in the file "scripts/" + name + ".lua", with common.lua prepended.
func shardScript(name string) *goredis.Script {
	return goredis.NewScript(source("common") + source(name))
}

// keys returns the KEYS argument of a script: the prefix of the shard, and a second name in the same hash slot. For a
// guarded script the second name is the mark of the shard (see Shard.mark); for other scripts it is a key that never
// exists in Redis. The prefix itself is never the name of an existing key.
//
// A script gets two keys because of Redis Cluster. While a cluster moves a hash slot to another node, that node has
// only some of the keys in the slot. The node would run a script with one key, and the script would read incomplete
// data. The node refuses a script with two keys if one of the two is missing.
func (s Shard) keys(script *goredis.Script) []string {
	if s.Layout != "" && guarded[script] {
		return []string{s.Prefix, s.mark()}
	}
	return []string{s.Prefix, s.Prefix + ":none"}
}

// mark returns the name of the mark of the shard, a key that exists in Redis while the shard belongs to the
// layout s.Layout.
func (s Shard) mark() string { return s.Prefix + ":layout:" + s.Layout }

// WakeChannel returns the name of the pub/sub channel on which idle workers are notified of due tasks of the shard.
func (s Shard) WakeChannel() string { return s.Prefix + ":wake" }

// run runs a script on the shard and returns its reply as a list.
func (s Shard) run(ctx context.Context, script *goredis.Script, args ...any) ([]any, error) {
	return list(call{script, s.keys(script), args}.run(ctx, s.Redis))
}

// list returns the reply of a script, which must be a list.
func list(reply *goredis.Cmd) ([]any, error) {
	answer, err := reply.Result()
	if err != nil {
		return nil, err
	}
	list, ok := answer.([]any)
	if !ok {
		return nil, fmt.Errorf("%w: %T", ErrReply, answer)
	}
	return list, nil
}

// call is one run of a script.
type call struct {
	script *goredis.Script
	keys   []string
	args   []any
}

func (c call) run(ctx context.Context, client goredis.Scripter) *goredis.Cmd {
	return c.script.Run(ctx, client, c.keys, c.args...)
}

// runAll runs scripts in one pipeline, or one for each node of a cluster, and returns their replies. Each script is sent
// only once, unless Redis has refused it.
func (w *Wheel) runAll(ctx context.Context, calls []call) []*goredis.Cmd {
	pipe := w.client.Pipeline()
	once := connect.SendOnce(pipe)
	replies := make([]*goredis.Cmd, len(calls))
	for i, c := range calls {
		replies[i] = c.script.EvalSha(ctx, once, c.keys, c.args...)
	}
	_, err := pipe.Exec(ctx)
	connect.ReloadSlots(ctx, w.client, err)
	for i, reply := range replies {
		if goredis.HasErrorPrefix(reply.Err(), "NOSCRIPT") {
			replies[i] = calls[i].run(ctx, connect.SendOnce(w.client))
		}
	}
	return replies
}

// flags converts answer, the reply of a script, to n booleans. The reply must be a list of n integers, 1 for true and
// 0 for false. err is the error of the script; if it is not nil, flags returns err.
func flags(answer []any, err error, n int) ([]bool, error) {
	if err != nil {
		return nil, err
	}
	if len(answer) != n {
		return nil, fmt.Errorf("%w: %d flags for %d tasks", ErrReply, len(answer), n)
	}
	list := make([]bool, n)
	for i, v := range answer {
		list[i] = v == int64(1)
	}
	return list, nil
}
