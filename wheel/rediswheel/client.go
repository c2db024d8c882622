package rediswheel

import (
	"context"
	"errors"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/connect"
)

// VersionMin is the oldest supported major version of Redis. The tests run on it.
const VersionMin = connect.VersionMin

// Errors to test for with errors.Is. An error that Redis returns is rewritten as one line that
// names the server and the cause; it wraps one of these or the original error.
var (
	ErrUnreachable = connect.ErrUnreachable // the server cannot be reached or does not answer in time
	ErrAccess      = connect.ErrAccess      // the password is wrong or missing, or the user has too few permissions
	ErrTooOld      = connect.ErrTooOld      // the server is older than VersionMin
	ErrRefused     = connect.ErrRefused     // the server does not execute the command: it is read-only, out of memory, still loading, …
	ErrShards      = connect.ErrShards      // the wheel has a different number of shards than requested
	ErrFormat      = connect.ErrFormat      // the wheel was created by a program that stores tasks in another format
	ErrNone        = connect.ErrNone        // the wheel does not exist and was not created
)

// ErrInFlight is wrapped by the error of [Wheel.Reschedule] and [Wheel.RunNow] for a task that a worker has claimed.
var ErrInFlight = errors.New("the task is in flight")

// ErrInput is wrapped by every error about an invalid argument. A call that returns such an error has changed
// nothing.
var ErrInput = connect.ErrInput

// Connect returns a client for an address: HOST:PORT, or a URL in the form that go-redis parses
// (redis://USER:PASSWORD@HOST:PORT/DB, rediss:// with TLS, unix://PATH). If the server belongs to a cluster,
// the client is a cluster client. If the address has no password, the argument password is used; it may be
// empty. The error wraps [ErrInput] if the address is invalid.
//
// For an address of Sentinels, redis://HOST:PORT/DB?master_name=NAME&addr=HOST:PORT (see
// [goredis.ParseFailoverURL]), the client connects to the master that the Sentinels report, and to the new
// master after a failover. USER:PASSWORD in it are for the Sentinels; username and password are parameters.
func Connect(ctx context.Context, address, password string) (goredis.UniversalClient, error) {
	return connect.Dial(ctx, address, password)
}

// RedactURL returns url with the user name and password replaced, because both may be secret. url
// need not be valid. A string that does not look like a URL is returned unchanged.
func RedactURL(url string) string { return connect.RedactURL(url) }
