package connect

import (
	"context"

	goredis "github.com/redis/go-redis/v9"
)

// sendOnceClient is a client that runs scripts and never retries them. The go-redis clients send a command again if
// they receive no reply in time, so a script may run twice, which is harmful for scripts that claim, remove or add
// tasks. If a script that claims or removes tasks runs twice, the second run does not find the tasks of the first run,
// whose reply is lost. If a script that adds a task runs twice, the second run may add the task again after the task
// has been called.
type sendOnceClient struct {
	goredis.Scripter
	client processor
}

// processor is implemented by the go-redis clients for servers and clusters. Process runs a command.
type processor interface {
	Process(ctx context.Context, cmd goredis.Cmder) error
}

// SendOnce returns a client that runs scripts on c, but does not send a script again if there is no reply in time. It
// returns c itself if c is the client of an embedded server.
func SendOnce(c goredis.Scripter) goredis.Scripter {
	if p, ok := c.(processor); ok {
		return sendOnceClient{c, p}
	}
	return c
}

// Eval runs a script given as source text.
func (o sendOnceClient) Eval(ctx context.Context, script string, keys []string, args ...any) *goredis.Cmd {
	return o.send(ctx, "eval", script, keys, args)
}

// EvalSha runs a script given by its SHA-1 hash.
func (o sendOnceClient) EvalSha(ctx context.Context, sha string, keys []string, args ...any) *goredis.Cmd {
	return o.send(ctx, "evalsha", sha, keys, args)
}

func (o sendOnceClient) send(ctx context.Context, command, script string, keys []string, args []any) *goredis.Cmd {
	list := []any{command, script, len(keys)}
	for _, key := range keys {
		list = append(list, key)
	}
	cmd := goredis.NewCmd(ctx, append(list, args...)...)
	cmd.SetFirstKeyPos(3)
	ReloadSlots(ctx, o.client, o.client.Process(ctx, unretriedCmd{cmd}))
	return cmd
}

// unretriedCmd is a command that go-redis does not send again.
type unretriedCmd struct{ *goredis.Cmd }

// NoRetry returns true, so that go-redis does not send the command again.
func (unretriedCmd) NoRetry() bool { return true }
