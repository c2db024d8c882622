package connect

import (
	"context"

	goredis "github.com/redis/go-redis/v9"
)

// once is a client that sends each script once. A client of go-redis resends commands that were not
// answered in time, and a script may then run twice. The second run of a claim or a removal has a
// different reply. The second run of an addition could add a task that has been called in the
// meantime.
type once struct {
	goredis.Scripter
	client processor
}

// processor is implemented by the clients of servers and clusters. Process runs a command.
type processor interface {
	Process(ctx context.Context, cmd goredis.Cmder) error
}

// Once wraps c so that each script is sent once. A client of an embedded server is returned
// unchanged.
func Once(c goredis.Scripter) goredis.Scripter {
	if p, ok := c.(processor); ok {
		return once{c, p}
	}
	return c
}

// Eval runs a script given as source text.
func (o once) Eval(ctx context.Context, script string, keys []string, args ...any) *goredis.Cmd {
	return o.send(ctx, "eval", script, keys, args)
}

// EvalSha runs a script given by its SHA-1 hash.
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
	ReloadSlots(ctx, o.client, o.client.Process(ctx, unrepeated{cmd}))
	return cmd
}

// unrepeated is a command that go-redis does not send again.
type unrepeated struct{ *goredis.Cmd }

// NoRetry returns true, so that go-redis does not send the command again.
func (unrepeated) NoRetry() bool { return true }
