package rediswheel

import (
	"context"
	"errors"
	"strings"

	goredis "github.com/redis/go-redis/v9"
)

// slotReloader is a client of a cluster: see [goredis.ClusterClient.ReloadState], which returns
// at once and asks at most about 5 times a second.
type slotReloader interface {
	ReloadState(ctx context.Context)
}

// reloadSlots has a client of a cluster ask which node has which slots, after an error that
// another node's taking over may be the cause of. Of itself go-redis does so when it sends a
// command again, and thus never after commands that are sent once.
func reloadSlots(ctx context.Context, client any, err error) {
	if c, ok := client.(slotReloader); ok && err != nil && !answered(err) {
		c.ReloadState(ctx)
	}
}

// answered says whether an error is the answer of a node that has the slot, such as a
// script's.
func answered(err error) bool {
	var reply goredis.Error
	return errors.As(err, &reply) && !strings.HasPrefix(err.Error(), "CLUSTERDOWN")
}
