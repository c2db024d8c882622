package console

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"

	goredis "github.com/redis/go-redis/v9"
	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
)

// The default address of Redis, and the environment variables with another address and with the password.
const (
	RedisDefault  = "127.0.0.1:6379"
	RedisEnv      = "WHEELSCOPE_REDIS"
	redisPassword = "WHEELSCOPE_REDIS_PASSWORD"
)

// RedisHelp is the last paragraph of the help text of every command that uses Redis.
const RedisHelp = `ADDR is HOST:PORT, or redis://USER:PASSWORD@HOST:PORT/DB (rediss:// with TLS);
the default is the environment variable ` + RedisEnv + `, or else ` + RedisDefault + `.
A password that should not be seen in the list of processes goes into
` + redisPassword + `. A cluster is recognised by any of its nodes. With
Sentinels ADDR is redis://HOST:PORT/DB?master_name=NAME&addr=HOST:PORT.`

// RedisFlags holds the flags that select a Redis server and a wheel on it.
type RedisFlags struct {
	Addr, Wheel string
}

// Register adds the --redis and --wheel flags to a command and its subcommands.
func (f *RedisFlags) Register(c *cobra.Command) {
	c.PersistentFlags().StringVar(&f.Addr, "redis", "", "`ADDR` of Redis (default "+RedisDefault+")")
	c.PersistentFlags().StringVar(&f.Wheel, "wheel", rediswheel.NameDefault, "`NAME` of the wheel on Redis")
}

// Address returns the Redis address: the value of the --redis flag if it is set, otherwise the value of the
// environment variable RedisEnv if it is set, and otherwise RedisDefault.
func (f *RedisFlags) Address() string {
	return cmp.Or(f.Addr, os.Getenv(RedisEnv), RedisDefault)
}

// Open connects to the Redis server and opens the wheel that the flags select. o contains the wheel's other
// options; o.Name is ignored. done closes the connection.
func (f *RedisFlags) Open(ctx context.Context, o rediswheel.Options) (w *rediswheel.Wheel, done func(), err error) {
	quietRedis()
	client, err := rediswheel.Connect(ctx, f.Address(), os.Getenv(redisPassword))
	if err != nil {
		return nil, nil, redisError(err)
	}
	o.Name = f.Wheel
	w, err = rediswheel.Open(ctx, client, o)
	if err != nil {
		_ = client.Close()
		return nil, nil, redisError(err)
	}
	return w, func() { _ = client.Close() }, nil
}

// redisError returns err. If err means that Redis is unreachable, redisError adds a hint that mentions the
// --redis flag, which sets the address.
func redisError(err error) error {
	if errors.Is(err, rediswheel.ErrUnreachable) {
		return fmt.Errorf("%w (--redis ADDR sets its address; \"wheelscope worker --embedded\" starts one to try)", err)
	}
	return err
}

// silent is a logger for the Redis client library that discards all messages. The commands themselves report
// the same errors, each in one line.
type silent struct{}

func (silent) Printf(context.Context, string, ...any) {}

func quietRedis() { goredis.SetLogger(silent{}) }
