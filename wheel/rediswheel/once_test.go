package rediswheel_test

import (
	"context"
	"errors"
	"io"
	"net"
	"sync/atomic"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/internal/redistest"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/engine"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/wheeltesting"
)

// connWithLostReplies is a connection that closes instead of returning the next reply if lose holds a function,
// and calls that function first. The server has executed the command by then.
type connWithLostReplies struct {
	net.Conn
	lose *atomic.Pointer[func()]
}

func (l connWithLostReplies) Read(b []byte) (int, error) {
	n, err := l.Conn.Read(b)
	if then := l.lose.Swap(nil); then != nil {
		(*then)()
		_ = l.Close()
		return 0, io.EOF
	}
	return n, err
}

// An addition whose reply is lost is not sent again, since its task may have been called in the
// meantime.
func TestAddIsSentOnce(t *testing.T) {
	server, ctx := redistest.Start(t), context.Background()
	var lose atomic.Pointer[func()]
	dial := func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(ctx, network, addr)
		return connWithLostReplies{conn, &lose}, err
	}
	client := goredis.NewClient(&goredis.Options{Addr: server.Addr, Dialer: dial})
	defer client.Close()
	w := wheeltesting.Open(t, client, 1)
	direct := engine.Shard{Redis: server.Client(), Prefix: engine.Of(w).Shards()[0].Prefix}
	deliver := func() {
		claim := redistest.Must(direct.Claim(ctx, 9, time.Minute))(t)
		redistest.Must(direct.Ack(ctx, []engine.ClaimID{claim.Tasks[0].ClaimID}, nil))(t)
	}
	for name, add := range map[string]func() error{
		"AddTask":  func() error { return w.AddTask(ctx, "k", wheeltesting.Post, rediswheel.DueMin) },
		"AddTasks": func() error { return w.AddTasks(ctx, []rediswheel.Item{{"k", wheeltesting.Post, rediswheel.DueMin}}) },
	} {
		if err := add(); err != nil { // the server knows the script now
			t.Fatal(err)
		}
		deliver()
		lose.Store(&deliver)
		if err := add(); !errors.Is(err, rediswheel.ErrUnreachable) {
			t.Errorf("%s: %v, want that nothing answered", name, err)
		}
		if st := redistest.Must(rediswheel.ReadStats(ctx, direct))(t); st.Waiting > 0 {
			t.Errorf("%s: added once more, after it was delivered", name)
			deliver()
		}
	}
}
