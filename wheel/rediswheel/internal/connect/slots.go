package connect

import (
	"context"
	"errors"
	"strings"

	goredis "github.com/redis/go-redis/v9"
)

// slotReloader is implemented by cluster clients. ReloadState makes the client reload its slot table, which maps hash
// slots to nodes, in the background, at most about 5 times per second; see [goredis.ClusterClient.ReloadState].
type slotReloader interface {
	ReloadState(ctx context.Context)
}

// ReloadSlots makes a cluster client reload its slot table, which maps hash slots to nodes, if err may have been caused
// by a failover. It does nothing for other clients. go-redis itself reloads the table only when it retries a command,
// and therefore never for a command that is sent only once.
func ReloadSlots(ctx context.Context, client any, err error) {
	if c, ok := client.(slotReloader); ok && err != nil && !answered(err) {
		c.ReloadState(ctx)
	}
}

// answered reports whether err, the error of a command, is a reply of the node that is responsible for the keys of the
// command, for example an error of a script. In this case, the client's table of hash slots and nodes is up to date.
func answered(err error) bool {
	var reply goredis.Error
	return errors.As(err, &reply) && !strings.HasPrefix(err.Error(), "CLUSTERDOWN")
}
