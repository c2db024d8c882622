package rediswheel

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2/server"
	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/internal/redistest"
)

// expectLine checks the kind of an error and its one-line text.
func expectLine(t *testing.T, err, kind error, want string) {
	t.Helper()
	if !errors.Is(err, kind) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v, want %v with %q", err, kind, want)
	}
}

// quick returns a client with short timeouts.
func quick(t testing.TB, addr string) *goredis.Client {
	c := goredis.NewClient(&goredis.Options{Addr: addr, ReadTimeout: 50 * time.Millisecond, DialTimeout: time.Second, MaxRetries: -1})
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// Nothing at the address, or something that never answers.
func TestNoRedis(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	_, err = Open(context.Background(), quick(t, addr), Options{})
	expectLine(t, err, ErrAway, "no Redis at "+addr+": it gave no answer in time")
	_ = l.Close()
	_, err = Connect(context.Background(), addr, "")
	expectLine(t, err, ErrAway, "no Redis at "+addr+": connect: connection refused")
	for _, bad := range []string{"", "here", "redis://:secret@host:port/0", "http://host:1"} {
		_, err := Connect(context.Background(), bad, "")
		expectLine(t, err, ErrInput, "address of Redis")
		if strings.Contains(err.Error(), "secret") {
			t.Errorf("the error contains the password: %v", err)
		}
	}
}

// A caller's ctx ends a wait for Redis, whatever the times of the client.
func TestCtxEndsTheWait(t *testing.T) {
	s := redistest.Start(t)
	proxy := redistest.StartProxy(t, s.Addr)
	c := must(Connect(context.Background(), proxy.Addr, ""))(t)
	defer c.Close()
	w := open(t, c, 1)
	proxy.Delay(2 * time.Second)
	for what, f := range map[string]func(ctx context.Context) error{
		"a command": func(ctx context.Context) error { return w.AddTask(ctx, "k", post, time.Now()) },
		"Connect":   func(ctx context.Context) error { _, err := Connect(ctx, proxy.Addr, ""); return err },
	} {
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		began := time.Now()
		expectLine(t, f(ctx), ErrAway, "no Redis at "+proxy.Addr+": it gave no answer in time")
		if took := time.Since(began); took > time.Second {
			t.Errorf("%s with 50ms took %v", what, took)
		}
		cancel()
	}
}

// A server that is no Redis at all, or one that is too old.
func TestNotARedisOfToday(t *testing.T) {
	old := must(server.NewServer("127.0.0.1:0"))(t)
	defer old.Close()
	_ = old.Register("INFO", func(c *server.Peer, _ string, _ []string) { c.WriteBulk("# Server\r\nredis_version:5.0.7\r\n") })
	_, err := Open(context.Background(), quick(t, old.Addr().String()), Options{})
	expectLine(t, err, ErrTooOld, "version 5.0.7, 7 or newer was expected")
	for version, ok := range map[string]bool{"7.0.15": true, "8.2": true, "255.255.255": true, "": true, "6.2.14": false} {
		if err := versionError(version); (err == nil) != ok {
			t.Errorf("%q: %v", version, err)
		}
	}
}

// A password is missing, wrong, in the address, or separate from it.
func TestPasswords(t *testing.T) {
	s, ctx := redistest.Start(t, "--requirepass", "secret"), context.Background()
	_, err := Connect(ctx, s.Addr, "")
	expectLine(t, err, ErrAccess, "it wants a password")
	_, err = Connect(ctx, s.Addr, "guess")
	expectLine(t, err, ErrAccess, "wrong name or password")
	for address, password := range map[string]string{s.Addr: "secret", "redis://:secret@" + s.Addr + "/2": "ignored"} {
		c := must(Connect(ctx, address, password))(t)
		open(t, c, 1)
		_ = c.Close()
	}
}

// A read-only replica refuses tasks with a clear error.
func TestReadOnly(t *testing.T) {
	s, ctx := redistest.Start(t), context.Background()
	c := s.Client()
	w := open(t, c, 1)
	if err := c.Do(ctx, "REPLICAOF", "127.0.0.1", "1").Err(); err != nil {
		t.Fatal(err)
	}
	err := w.AddTask(ctx, "k", post, time.Now())
	expectLine(t, err, ErrRefused, "refused by Redis at "+s.Addr+": it is a read-only replica")
	_, err = Open(ctx, c, Options{Name: "other"})
	expectLine(t, err, ErrRefused, "read-only replica")
}

// A worker logs that its Redis may evict tasks if its policy allows it.
func TestEvictionIsTold(t *testing.T) {
	ctx, s := context.Background(), redistest.Start(t)
	c := s.Client()
	for _, test := range []struct {
		memory, policy string
		warnings       int
	}{{"0", "allkeys-lru", 0}, {"100mb", "noeviction", 0}, {"100mb", "volatile-lru", 0}, {"100mb", "allkeys-lru", 1}} {
		for name, value := range map[string]string{"maxmemory": test.memory, "maxmemory-policy": test.policy} {
			if err := c.ConfigSet(ctx, name, value).Err(); err != nil {
				t.Fatal(err)
			}
		}
		log := &journal{}
		_, stop := startWorker(t, open(t, c, 1), WorkerOptions{Log: log.logger()})
		stop()
		if n := strings.Count(log.String(), "its maxmemory-policy is allkeys-lru, noeviction was expected"); n != test.warnings {
			t.Errorf("%+v: logged %d times: %s", test, n, log)
		}
	}
}

// A server out of memory accepts no tasks, but existing tasks are delivered, given up and put back
// as usual.
func TestOutOfMemory(t *testing.T) {
	s, ctx := redistest.Start(t), context.Background()
	c := s.Client()
	w := open(t, c, 1)
	for i := range 30 {
		task := Task{Handler: []string{"good", "bad"}[i%2]}
		if err := w.AddTask(ctx, fmt.Sprint(i), task, time.Now().Add(-time.Second)); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.ConfigSet(ctx, "maxmemory", "1").Err(); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"new", "3"} {
		err := w.AddTask(ctx, key, post, time.Now())
		if key == "new" || err != nil { // what replaces may be let through, whole
			expectLine(t, err, ErrRefused, "out of memory (maxmemory); nothing was added")
		}
	}
	startWorker(t, w, WorkerOptions{Attempts: 3, Handlers: map[string]Handler{
		"good": func(context.Context, Call) error { return nil },
		"bad":  func(context.Context, Call) error { return io.ErrUnexpectedEOF }}})
	eventually(t, "all is done that was there", func() bool {
		st := must(w.Stats(ctx))(t)
		return st.Done == 15 && st.Dead == 15
	})
	if _, ok, err := w.Get(ctx, "new"); ok || err != nil {
		t.Errorf("a refused task is there (%v)", err)
	}
}

// An acknowledgement of a claim that no longer holds has nothing to remove: a server
// out of memory answers it all the same, and its worker goes on.
func TestStaleOutOfMemory(t *testing.T) {
	server, ctx := redistest.Start(t), context.Background()
	c, s := server.Client(), Shard{Redis: server.Client(), Prefix: "w{0}"}
	if err := c.ConfigSet(ctx, "maxmemory", "1").Err(); err != nil {
		t.Fatal(err)
	}
	for _, counts := range [][]Count{nil, {{"late:3", 1}}} {
		if got, err := s.Ack(ctx, []Hold{{Key: "k", Token: 7}}, counts); err != nil || !slices.Equal(got, []bool{false}) {
			t.Errorf("ack: %v %v", got, err)
		}
	}
}

// An error that only some scripts of a worker get is logged once, and its end is logged once all
// scripts succeed.
func TestTroubleIsToldOnce(t *testing.T) {
	log := &journal{}
	report := newHolder(caller(t, WorkerOptions{Log: log.logger()}), Shard{}).log.report
	refused := errors.New("refused")
	for range 3 {
		report("settle", refused)
		report("claim", nil)
		report("extend", refused)
	}
	report("settle", nil)
	if want := "level=ERROR msg=\"refused; the worker keeps trying\"\n"; strings.Count(log.String(), "\n") != 1 || !strings.HasSuffix(log.String(), want) {
		t.Errorf("log: %s", log)
	}
	report("extend", nil)
	report("claim", nil)
	if n := strings.Count(log.String(), "answers again"); n != 1 || strings.Count(log.String(), "\n") != 2 {
		t.Errorf("log: %s", log)
	}
}

// dumpAll returns every key with its content.
func dumpAll(t *testing.T, c *goredis.Client) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, key := range must(c.Keys(context.Background(), "*").Result())(t) {
		all[key] = must(c.Dump(context.Background(), key).Result())(t)
	}
	return all
}

// mixed adds tasks to an empty shard: some wait, some lapsed, some are to be tried again,
// all of them due.
func mixed(t *testing.T, s Shard) {
	t.Helper()
	ctx := context.Background()
	must(s.Add(ctx, []Entry{entry("a", 1), entry("b", 2), entry("c", 3), entry("d", 4)}))(t)
	claim := must(s.Claim(ctx, 4, 0))(t)
	must(s.Later(ctx, Retried, []Failed{{Hold: claim.Tasks[0].Hold}, {Hold: claim.Tasks[1].Hold}}))(t)
	must(s.Add(ctx, []Entry{entry("e", 5), entry("f", 70_000)}))(t)
}

// A script that Redis does not allow to write everything, or that finds a key of another type,
// changes nothing: every task keeps its place.
func TestRefusedClaimChangesNothing(t *testing.T) {
	server, ctx := redistest.Start(t), context.Background()
	c, s := server.Client(), Shard{Redis: server.Client(), Prefix: "w{0}"}
	mixed(t, s)
	claimed := func(what string, s Shard, want string) {
		t.Helper()
		before := dumpAll(t, c)
		claim, err := s.Claim(ctx, 10, time.Minute)
		if err = explain(err, "here"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %d tasks, %v, want %q", what, len(claim.Tasks), err, want)
		}
		if after := dumpAll(t, c); !maps.Equal(after, before) {
			t.Errorf("%s: the keys have changed", what)
		}
	}
	for _, command := range []string{"zadd", "zrem", "zremrangebyrank", "hset", "hincrby", "hget", "zrange"} {
		if err := c.Do(ctx, "ACL", "SETUSER", "u", "reset", "on", "nopass", "~*", "+@all", "-"+command).Err(); err != nil {
			t.Fatal(err)
		}
		user := goredis.NewClient(&goredis.Options{Addr: server.Addr, Username: "u", Password: "x"})
		claimed("without "+command, Shard{Redis: user, Prefix: "w{0}"}, "access refused by Redis at here: this user may not do that")
		_ = user.Close()
	}
	for _, key := range []string{":stats", ":claims", ":tasks", ":leases", ":retries", ":minutes", ":slice:1"} {
		must(c.Rename(ctx, s.Prefix+key, "aside").Result())(t)
		must(c.Set(ctx, s.Prefix+key, "text", 0).Result())(t)
		claimed("no "+key, s, "WRONGTYPE")
		must(c.Rename(ctx, "aside", s.Prefix+key).Result())(t)
	}
	expectKeys(t, must(s.Claim(ctx, 10, time.Minute))(t), "c", "d", "a", "b", "e", "f")
}

// A task that can't be given up stays in flight.
func TestRefusedBuryChangesNothing(t *testing.T) {
	onBoth(t, func(t *testing.T, c goredis.UniversalClient) {
		ctx, s := context.Background(), Shard{Redis: c, Prefix: "w{0}"}
		must(s.Add(ctx, []Entry{entry("a", 1)}))(t)
		hold := must(s.Claim(ctx, 1, time.Minute))(t).Tasks[0].Hold
		must(c.Set(ctx, "w{0}:dead", "text", 0).Result())(t)
		if _, err := s.Bury(ctx, 1, []Failed{{Hold: hold}}); err == nil {
			t.Error("buried in a text")
		}
		must(c.Del(ctx, "w{0}:dead").Result())(t)
		if st := must(s.Stats(ctx))(t); st.InFlight != 1 {
			t.Errorf("%+v", st)
		}
	})
}

// While Redis cannot be reached or is slow, the worker logs it once, keeps trying, and continues
// when Redis answers again.
func TestWorkerOutlastsRedis(t *testing.T) {
	s, ctx, log := redistest.StartKept(t), context.Background(), &journal{}
	proxy := redistest.StartProxy(t, s.Addr)
	w := open(t, quick(t, proxy.Addr), 1)
	direct := open(t, s.Client(), 1)
	var called atomic.Int64
	handlers := map[string]Handler{"h": func(context.Context, Call) error { called.Add(1); return nil }}
	const lease = 3 * time.Second // of a claim whose answer is late on a busy machine, so that it comes again
	startWorker(t, w, WorkerOptions{Handlers: handlers, Log: log.logger(), Lease: lease})
	trouble := func(n int, word string) {
		t.Helper()
		eventually(t, word, func() bool { return strings.Count(log.String(), "level=ERROR") >= n })
		if !strings.Contains(log.String(), word) {
			t.Errorf("%q is not logged: %s", word, log)
		}
	}
	s.Kill()
	trouble(1, "no Redis at "+proxy.Addr)
	s.Restart()
	eventually(t, "back again", func() bool { return strings.Contains(log.String(), "Redis answers again") })
	proxy.Delay(200 * time.Millisecond)
	trouble(2, "it gave no answer in time; the worker keeps trying")
	proxy.Delay(0)
	if err := direct.AddTask(ctx, "k", Task{Handler: "h"}, time.Now()); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the task is gone", func() bool { return must(direct.Stats(ctx))(t).Done == 1 })
	if called.Load() != 1 {
		t.Errorf("called %d times", called.Load())
	}
}

// Words of Redis that no test brings about, and those of the client.
func TestExplain(t *testing.T) {
	for text, kind := range map[string]error{
		"LOADING Redis is loading the dataset in memory": ErrRefused,
		"MISCONF Redis is configured to save RDB":        ErrRefused,
		"CLUSTERDOWN Hash slot not served":               ErrRefused,
		"ERR The user executing the script can't run this command or subcommand script: 12ab, on @user_script:7.": ErrAccess,
		"NOPERM this user has no permissions to run 'hget'":                                                       ErrAccess,
	} {
		expectLine(t, explain(errors.New(text), "here"), kind, "at here: ")
	}
	expectLine(t, explain(goredis.ErrPoolTimeout, "here"), ErrAway, "no connection was free")
	expectLine(t, explain(io.EOF, "here"), ErrAway, "it closed the connection")
	expectLine(t, explain(context.DeadlineExceeded, "here"), ErrAway, "no answer in time")
	if err := explain(errors.New("ERR something else"), "here"); err.Error() != "error of Redis at here: ERR something else" {
		t.Errorf("another error: %v", err)
	}
	if err := explain(nil, "here"); err != nil {
		t.Errorf("nothing is %v", err)
	}
}

func init() { goredis.SetLogger(mute{}) }

// mute discards the client's own log.
type mute struct{}

func (mute) Printf(context.Context, string, ...any) {}
