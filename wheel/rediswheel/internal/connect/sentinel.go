package connect

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	goredis "github.com/redis/go-redis/v9"
)

// sentinelWait is the timeout of Dial for an address of Sentinels. Without it, Dial would take long to fail, because
// go-redis tries each Sentinel many times.
const sentinelWait = 5 * time.Second

// sentinelForm shows the form of an address of Sentinels in error messages.
const sentinelForm = "redis://HOST:PORT/DB?master_name=NAME&addr=HOST:PORT"

// sentinelClient is a client of a Redis master. It asks Sentinels which server is the master.
type sentinelClient struct {
	*goredis.Client
	addr string // name of the master and addresses of the Sentinels, for error messages and logs
}

// connectSentinels returns a client that asks the Sentinels of address, a URL in the form of
// [goredis.ParseFailoverURL], for the address of the master, initially and after each failover. password is the
// password for the master if address has none.
func connectSentinels(address, password string) (goredis.UniversalClient, error) {
	o, err := goredis.ParseFailoverURL(address)
	if err != nil || o.MasterName == "" { // the error may quote a password
		return nil, fmt.Errorf("%w: address of Sentinels: not a URL such as %s", ErrInput, sentinelForm)
	}
	o.Password = cmp.Or(o.Password, password)
	o.DialTimeout, o.ReadTimeout, o.ContextTimeoutEnabled, o.DisableIdentity = dialWait, replyWait, true, true
	o.DialerRetries = 1 // commands are retried, and so are operations by their callers
	addr := "master " + o.MasterName + " of Sentinels " + strings.Join(o.SentinelAddrs, ",")
	return sentinelClient{goredis.NewFailoverClient(o), addr}, nil
}
