//go:build js && !full

package main

import (
	"context"

	"github.com/wheelscope/wheelscope/sim"
)

// Pictures and players need the page's templates, which would double the size of the engine. The page asks
// the engine with the build constraint full for them.

func (l *lab) picture(_ context.Context, r *request, _ *sim.Run) error { return noSuchPath(r) }

func (l *lab) player(_ context.Context, r *request, _ *sim.Run) error { return noSuchPath(r) }
