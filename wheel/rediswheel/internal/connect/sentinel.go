package connect

import (
	"cmp"
	"crypto/tls"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	goredis "github.com/redis/go-redis/v9"
)

// sentinelsMax is the maximum number of Sentinels in one address.
const sentinelsMax = 32

// sentinelWait is the timeout of Dial for a Sentinel address. Without it, Dial would take long to fail, because
// go-redis tries each Sentinel many times.
const sentinelWait = 5 * time.Second

// URL schemes for addresses of Sentinels, for connections to Redis without and with TLS.
const (
	sentinelScheme    = "redis+sentinel://"
	sentinelSchemeTLS = "rediss+sentinel://"
)

// sentinelForm shows the form of a Sentinel address in error messages.
const sentinelForm = "redis+sentinel://USER:PASSWORD@HOST:PORT,HOST:PORT/MASTER/DB"

// sentinelClient is a client of a Redis master. It asks Sentinels which server is the master.
type sentinelClient struct {
	*goredis.Client
	addr string // name of the master and addresses of the Sentinels, for error messages and logs
}

// parseSentinels parses a Sentinel address, which has the form [sentinelForm]. USER and PASSWORD are the
// credentials for Redis. The query parameters sentinel_user and sentinel_password are the credentials for the
// Sentinels. DB is 0 if absent. parseSentinels returns ok == false if address has a different scheme. Errors do
// not quote the whole address, because it may contain passwords.
func parseSentinels(address string) (o *goredis.FailoverOptions, ok bool, err error) {
	rest, plain := strings.CutPrefix(address, sentinelScheme)
	if !plain {
		if rest, ok = strings.CutPrefix(address, sentinelSchemeTLS); !ok {
			return nil, false, nil
		}
	}
	refuse := func(what string) (*goredis.FailoverOptions, bool, error) {
		return nil, true, fmt.Errorf("%w: address of Sentinels: %s, expected %s", ErrInput, what, sentinelForm)
	}
	authority, path, _ := strings.Cut(rest, "/")
	hosts := authority[strings.LastIndex(authority, "@")+1:]
	// net/url accepts one host only, so the list is parsed separately.
	u, err := url.Parse("redis://" + authority[:len(authority)-len(hosts)] + "sentinels/" + path)
	if err != nil {
		return refuse("not a URL")
	}
	o = &goredis.FailoverOptions{SentinelAddrs: strings.Split(hosts, ","), Username: u.User.Username()}
	o.Password, _ = u.User.Password()
	if len(o.SentinelAddrs) > sentinelsMax {
		return refuse(fmt.Sprintf("%d Sentinels, at most %d are allowed", len(o.SentinelAddrs), sentinelsMax))
	}
	for _, addr := range o.SentinelAddrs {
		if host, _, err := net.SplitHostPort(addr); err != nil || host == "" {
			return refuse(fmt.Sprintf("%.80q is not HOST:PORT", addr))
		}
	}
	master, db, _ := strings.Cut(strings.TrimPrefix(u.Path, "/"), "/")
	if o.MasterName = master; master == "" {
		return refuse("no name of a master")
	}
	if o.DB, err = strconv.Atoi(db); db != "" && (err != nil || o.DB < 0) {
		return refuse(fmt.Sprintf("DB %.20q", db))
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return refuse("parameters that are not valid")
	}
	for name := range query {
		if name != "sentinel_user" && name != "sentinel_password" {
			return refuse(fmt.Sprintf("parameter %.40q", name))
		}
	}
	o.SentinelUsername, o.SentinelPassword = query.Get("sentinel_user"), query.Get("sentinel_password")
	if !plain {
		o.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	return o, true, nil
}

// connectSentinels returns a client that asks the Sentinels of o for the address of the master, initially and
// after each failover. password is the password for the master if o has none.
func connectSentinels(o *goredis.FailoverOptions, password string) goredis.UniversalClient {
	o.Password = cmp.Or(o.Password, password)
	o.DialTimeout, o.ReadTimeout, o.ContextTimeoutEnabled, o.DisableIdentity = dialWait, replyWait, true, true
	o.DialerRetries = 1 // commands are retried, and so are operations by their callers
	addr := "master " + o.MasterName + " of Sentinels " + strings.Join(o.SentinelAddrs, ",")
	return sentinelClient{goredis.NewFailoverClient(o), addr}
}
