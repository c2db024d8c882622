// Package connect creates Redis clients for a wheel from the address of a server, a cluster or
// Sentinels. It also converts errors and other texts to one line for users, removes passwords from
// URLs, and provides clients that send each script once.
package connect

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"strings"
	"time"

	goredis "github.com/redis/go-redis/v9"
)

// VersionMin is the oldest supported major version of Redis.
const VersionMin = 7

// Timeouts of a client returned by [Dial].
const (
	dialWait  = 3 * time.Second // timeout for opening a connection
	replyWait = 3 * time.Second // timeout for reading a reply
)

// Dial returns a client for the address of a server, a cluster or Sentinels. It implements
// rediswheel.Connect, which documents the arguments.
func Dial(ctx context.Context, address, password string) (goredis.UniversalClient, error) {
	if strings.Contains(address, "master_name=") {
		c, err := connectSentinels(address, password)
		if err != nil {
			return nil, err
		}
		ctx, cancel := context.WithTimeout(ctx, sentinelWait)
		defer cancel()
		if err := c.Ping(ctx).Err(); err != nil {
			_ = c.Close()
			return nil, Explain(err, Address(c))
		}
		return c, nil
	}
	o, err := parseAddress(address)
	if err != nil {
		return nil, err
	}
	o.Password = cmp.Or(o.Password, password)
	c := goredis.NewClient(o)
	info, err := Info(ctx, c)
	if err != nil {
		_ = c.Close()
		return nil, Explain(err, o.Addr)
	}
	if info["redis_mode"] != "cluster" {
		return c, nil
	}
	_ = c.Close()
	return goredis.NewClusterClient(&goredis.ClusterOptions{Addrs: []string{o.Addr}, Username: o.Username, Password: o.Password,
		TLSConfig: o.TLSConfig, DialTimeout: o.DialTimeout, ReadTimeout: o.ReadTimeout, ContextTimeoutEnabled: o.ContextTimeoutEnabled}), nil
}

func parseAddress(address string) (*goredis.Options, error) {
	o := &goredis.Options{Addr: address}
	if strings.Contains(address, "://") {
		parsed, err := goredis.ParseURL(address)
		if err != nil {
			// Both the address and the error, which quotes it, may contain a password.
			return nil, fmt.Errorf("%w: address of Redis: not a URL such as redis://USER:PASSWORD@HOST:PORT/DB", ErrInput)
		}
		o = parsed
	} else if _, _, err := net.SplitHostPort(address); strings.Contains(address, "@") {
		return nil, fmt.Errorf("%w: address of Redis: expected HOST:PORT or redis://USER:PASSWORD@HOST:PORT/DB", ErrInput)
	} else if err != nil {
		return nil, fmt.Errorf("%w: address of Redis: %.80q, expected HOST:PORT or redis://USER:PASSWORD@HOST:PORT/DB", ErrInput, address)
	}
	o.DialTimeout, o.ReadTimeout = dialWait, replyWait
	o.ContextTimeoutEnabled = true // otherwise a wait for a reply does not end with the caller's ctx
	o.DisableIdentity = true
	return o, nil
}

// Address returns the address of the Redis server that c connects to, for error messages and logs. If c is a
// client of a cluster, Address returns the addresses of the initial nodes, separated by commas; if c uses
// Sentinels, it returns the name of the master and the addresses of the Sentinels.
func Address(c goredis.UniversalClient) string {
	switch c := c.(type) {
	case sentinelClient:
		return c.addr
	case *goredis.Client:
		return c.Options().Addr
	case *goredis.ClusterClient:
		return strings.Join(c.Options().Addrs, ",")
	}
	return "its address"
}

// Info runs the command INFO and returns the fields of the reply by name. The reply of an embedded server has only
// a few fields.
func Info(ctx context.Context, c goredis.UniversalClient) (map[string]string, error) {
	text, err := c.Info(ctx).Result()
	return Fields(text), err
}

// Fields parses the text of a reply to INFO and returns its values by field name.
func Fields(text string) map[string]string {
	info := map[string]string{}
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		info[name] = value
	}
	return info
}

// Eviction returns the maxmemory policy under which a server may evict keys of a wheel, or an empty string
// if it does not evict them. info is the result of [Info]. The keys have no expiry, so only allkeys
// policies evict them.
func Eviction(info map[string]string) string {
	if policy := info["maxmemory_policy"]; strings.HasPrefix(policy, "allkeys-") && info["maxmemory"] != "0" {
		return policy
	}
	return ""
}

// CheckVersion returns an error that wraps ErrTooOld if version is older than VersionMin. It accepts a
// version that it cannot parse.
func CheckVersion(version string) error {
	var major int
	if _, err := fmt.Sscanf(version, "%d.", &major); err == nil && major < VersionMin {
		return fmt.Errorf("%w: version %s, expected %d or newer", ErrTooOld, version, VersionMin)
	}
	return nil
}
