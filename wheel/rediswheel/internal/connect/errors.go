package connect

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"

	goredis "github.com/redis/go-redis/v9"
)

// Errors that package rediswheel exports. They are documented there.
var (
	ErrUnreachable = errors.New("no Redis")
	ErrAccess      = errors.New("access refused by Redis")
	ErrTooOld      = errors.New("this Redis is too old")
	ErrRefused     = errors.New("refused by Redis")
	ErrShards      = errors.New("shards do not agree")
	ErrFormat      = errors.New("another format")
	ErrNone        = errors.New("no such wheel")
	ErrInput       = errors.New("bad input")
)

// refusals lists the Redis errors that are explained to the user. An error reply whose message starts with word
// becomes an error that wraps kind and contains text.
var refusals = []struct {
	word string
	kind error
	text string
}{
	{"NOAUTH", ErrAccess, "it wants a password"},
	{"WRONGPASS", ErrAccess, "wrong name or password"},
	{"NOPERM", ErrAccess, "this user may not do that"},
	{"The user executing the script", ErrAccess, "this user may not do that"},
	{"READONLY", ErrRefused, "it is a read-only replica; expected the address of the master"},
	{"OOM", ErrRefused, "it is out of memory (maxmemory); nothing was added"},
	{"LOADING", ErrRefused, "it is still loading its data"},
	{"MASTERDOWN", ErrRefused, "it is a replica without its master"},
	{"MISCONF", ErrRefused, "it can't write to its disk, so it accepts no writes"},
	{"NOREPLICAS", ErrRefused, "it has too few replicas to accept writes"},
	{"CLUSTERDOWN", ErrRefused, "its cluster is down"},
	{"TRYAGAIN", ErrRefused, "its cluster is moving this part of the wheel to another node"},
	{"BUSY", ErrRefused, "it is busy with another script"},
}

// Explain converts err, an error of a Redis client, to a one-line error that names addr, the address of the
// server. It returns nil and errors that wrap context.Canceled or ErrInput unchanged, and only adds addr to errors
// that wrap ErrTooOld, ErrShards, ErrFormat or ErrNone. It passes all other errors that are not about the connection, such as
// error replies of Redis, to explainRefusal.
func Explain(err error, addr string) error {
	var op *net.OpError
	var timeout net.Error
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, ErrInput):
		return err
	case errors.Is(err, ErrTooOld), errors.Is(err, ErrShards), errors.Is(err, ErrFormat), errors.Is(err, ErrNone):
		return fmt.Errorf("%w (Redis at %s)", err, addr)
	case errors.Is(err, goredis.ErrPoolTimeout):
		return fmt.Errorf("%w at %s: no connection was free in time", ErrUnreachable, addr)
	case errors.As(err, &timeout) && timeout.Timeout(), errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		return fmt.Errorf("%w at %s: it gave no answer in time", ErrUnreachable, addr)
	case errors.As(err, &op):
		return fmt.Errorf("%w at %s: %w", ErrUnreachable, addr, op.Err)
	case errors.Is(err, io.EOF), errors.Is(err, net.ErrClosed):
		return fmt.Errorf("%w at %s: it closed the connection", ErrUnreachable, addr)
	}
	return explainRefusal(err, addr)
}

// explainRefusal converts err, an error reply of Redis, to a one-line error, using the first matching element of
// refusals. If none matches, the result wraps err. explainRefusal ignores the prefix "ERR ", with which the errors
// of commands run by scripts begin.
func explainRefusal(err error, addr string) error {
	text := strings.TrimPrefix(err.Error(), "ERR ")
	if strings.HasPrefix(text, "AUTH ") || strings.Contains(text, "invalid password") {
		return fmt.Errorf("%w at %s: wrong name or password", ErrAccess, addr)
	}
	for _, r := range refusals {
		if strings.HasPrefix(text, r.word+" ") {
			return fmt.Errorf("%w at %s: %s", r.kind, addr, r.text)
		}
	}
	return fmt.Errorf("error of Redis at %s: %w", addr, err)
}
