package lane

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/alicebob/miniredis/v2"
	redisserver "github.com/alicebob/miniredis/v2/server"
	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/wheel"
)

// server is the Redis server of a lane. It has no listener and no goroutine: a command is a function call.
// Only the method set changes its clock, by which keys expire. The first command starts the embedded server, so
// that a copy of a lane that is never used takes only the memory of its keys.
//
// A server is a [goredis.Scripter], so package rediswheel can run its scripts on it.
type server struct {
	mini    *miniredis.Miniredis // embedded server; nil before it is started
	keys    []dumped             // keys that the embedded server loads when it is started; nil afterwards
	asOf    int64                // Unix time, in nanoseconds, to which the values of dumped.ttl refer
	now     int64                // time of the clock, a Unix time in nanoseconds
	runs    int64                // number of scripts run so far
	hook    wheel.Hook           // function called before each script; nil means none
	stopped bool                 // whether hook has returned false
}

// set moves the clock to ns, a Unix time in nanoseconds, unless the clock already shows a later time.
func (s *server) set(ns int64) {
	s.now = max(s.now, ns)
	if s.mini != nil {
		s.mini.SetTime(time.Unix(0, s.now).UTC())
	}
}

// lastMilli extends the TTL of key, which has just been set, to the end of the millisecond in which the key
// expires. Redis counts in whole milliseconds and keeps a key until that millisecond is over (db.c,
// keyIsExpired). Miniredis would remove the key earlier.
func (s *server) lastMilli(key string) {
	s.mini.SetTTL(key, s.mini.TTL(key)+time.Duration(nsMilli-s.now%nsMilli))
}

// open returns the embedded server. It starts the server if necessary.
func (s *server) open() (*miniredis.Miniredis, error) {
	if s.mini != nil {
		return s.mini, nil
	}
	m := miniredis.NewMiniRedis()
	conn, err := m.Dial() // registers the commands, without a listener
	if err != nil {
		return nil, err
	}
	_ = conn.Close()
	m.Server().Close() // waits for the goroutines of that connection; the commands stay registered
	m.SetTime(time.Unix(0, s.asOf).UTC())
	m.ClockTTL(true)
	s.mini = m
	err = s.load()
	m.SetTime(time.Unix(0, s.now).UTC())
	return m, err
}

// do runs one command and returns the reply: an int64, a string, a []any with the elements of a list, or nil for
// null.
func (s *server) do(args ...string) (any, error) {
	m, err := s.open()
	if err != nil {
		return nil, err
	}
	var reply bytes.Buffer
	w := bufio.NewWriter(&reply)
	m.Server().Dispatch(redisserver.NewPeer(w), args)
	if err := w.Flush(); err != nil {
		return nil, err
	}
	v, err := redisserver.ParseReply(bufio.NewReader(&reply))
	return plain(v), err
}

// plain converts a reply of miniredis to the types that a Redis client returns.
func plain(v any) any {
	switch v := v.(type) {
	case int:
		return int64(v)
	case redisserver.Simple:
		return string(v)
	case []byte:
		return string(v)
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
		return v
	}
	return v
}

// eval runs a script with the given command: EVAL or EVAL_RO if script is the source text of the script, EVALSHA or
// EVALSHA_RO if it is the hash. Before the script, eval calls the hook of the lane, because a single script may cost
// more than wheel.HookInterval units of work. If the hook returns false, eval returns the error wheel.ErrAborted and
// does not run the script, nor any later one.
func (s *server) eval(command, script string, keys []string, args []any) *goredis.Cmd {
	if s.stopped = s.stopped || s.hook != nil && !s.hook(); s.stopped {
		return goredis.NewCmdResult(nil, wheel.ErrAborted)
	}
	s.runs++
	list := make([]string, 0, 3+len(keys)+len(args))
	list = append(list, command, script, fmt.Sprint(len(keys)))
	list = append(list, keys...)
	for _, a := range args {
		list = append(list, fmt.Sprint(a))
	}
	v, err := s.do(list...)
	if err != nil && strings.HasPrefix(err.Error(), "NOSCRIPT") {
		err = goredis.ErrNoScript
	}
	return goredis.NewCmdResult(v, err)
}

// Eval runs a script given as source text.
func (s *server) Eval(_ context.Context, script string, keys []string, args ...any) *goredis.Cmd {
	return s.eval("EVAL", script, keys, args)
}

// EvalSha runs the script with the given SHA-1 hash. If the server has neither run nor loaded that script before, the
// error is [goredis.ErrNoScript]. A copy of a server begins without scripts.
func (s *server) EvalSha(_ context.Context, sha string, keys []string, args ...any) *goredis.Cmd {
	return s.eval("EVALSHA", sha, keys, args)
}

// EvalRO runs a read-only script given as source text.
func (s *server) EvalRO(_ context.Context, script string, keys []string, args ...any) *goredis.Cmd {
	return s.eval("EVAL_RO", script, keys, args)
}

// EvalShaRO is like EvalSha, but for a read-only script.
func (s *server) EvalShaRO(_ context.Context, sha string, keys []string, args ...any) *goredis.Cmd {
	return s.eval("EVALSHA_RO", sha, keys, args)
}

// ScriptExists reports, for each hash, whether the server has the script with that hash.
func (s *server) ScriptExists(_ context.Context, hashes ...string) *goredis.BoolSliceCmd {
	v, err := s.do(append([]string{"SCRIPT", "EXISTS"}, hashes...)...)
	list, _ := v.([]any)
	there := make([]bool, len(list))
	for i := range list {
		there[i] = list[i] == int64(1)
	}
	return goredis.NewBoolSliceResult(there, err)
}

// ScriptLoad loads a script and returns its hash.
func (s *server) ScriptLoad(_ context.Context, script string) *goredis.StringCmd {
	v, err := s.do("SCRIPT", "LOAD", script)
	sha, _ := v.(string)
	return goredis.NewStringResult(sha, err)
}
