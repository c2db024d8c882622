package rediswheel

import (
	"context"

	goredis "github.com/redis/go-redis/v9"
)

// once is a client whose scripts are sent once each. A client of go-redis sends again what
// was not answered in time; of a claim or a removal that Redis has made, the second
// answer tells of another, or of nothing, and a task that was added may be done by then.
type once struct {
	goredis.Scripter
	client processor
}

// processor is what a client of a server, or of a cluster, runs commands by.
type processor interface {
	Process(ctx context.Context, cmd goredis.Cmder) error
}

// sentOnce is a client that sends once; an embedded server sends nothing.
func sentOnce(c goredis.Scripter) goredis.Scripter {
	if p, ok := c.(processor); ok {
		return once{c, p}
	}
	return c
}

// Eval runs a script by its text.
func (o once) Eval(ctx context.Context, script string, keys []string, args ...any) *goredis.Cmd {
	return o.send(ctx, "eval", script, keys, args)
}

// EvalSha runs a script that was run before.
func (o once) EvalSha(ctx context.Context, sha string, keys []string, args ...any) *goredis.Cmd {
	return o.send(ctx, "evalsha", sha, keys, args)
}

func (o once) send(ctx context.Context, command, script string, keys []string, args []any) *goredis.Cmd {
	list := []any{command, script, len(keys)}
	for _, key := range keys {
		list = append(list, key)
	}
	cmd := goredis.NewCmd(ctx, append(list, args...)...)
	cmd.SetFirstKeyPos(3)
	reloadSlots(ctx, o.client, o.client.Process(ctx, unrepeated{cmd}))
	return cmd
}

// unrepeated is a command that go-redis does not send again.
type unrepeated struct{ *goredis.Cmd }

// NoRetry says so.
func (unrepeated) NoRetry() bool { return true }
