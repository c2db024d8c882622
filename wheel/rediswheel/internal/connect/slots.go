package connect

import (
	"context"
	"errors"
	"strings"

	goredis "github.com/redis/go-redis/v9"
)

// slotReloader is implemented by cluster clients: see [goredis.ClusterClient.ReloadState], which
// returns at once and reloads at most about 5 times per second.
type slotReloader interface {
	ReloadState(ctx context.Context)
}

// ReloadSlots makes a cluster client reload the slot table if err may have been caused by a
// failover. go-redis itself does so only when it resends a command, which it does not do for
// commands that are sent once.
func ReloadSlots(ctx context.Context, client any, err error) {
	if c, ok := client.(slotReloader); ok && err != nil && !answered(err) {
		c.ReloadState(ctx)
	}
}

// answered reports whether an error, such as one of a script, is a reply of the node that has the
// slot, so that the client's slot table is up to date.
func answered(err error) bool {
	var reply goredis.Error
	return errors.As(err, &reply) && !strings.HasPrefix(err.Error(), "CLUSTERDOWN")
}
