//go:build js && full

package main

import (
	"context"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/web/view"
)

// picture writes an image of one lane of run as the response to r. The query of r selects the lane, the moment
// and the format.
func (l *lab) picture(ctx context.Context, r *request, run *sim.Run) error {
	file, err := view.Picture(ctx, l.answers, run, r.q, r.lang)
	return r.send(ctx, run, file, err)
}

// player writes an HTML player, a single file that contains run, as the response to r.
func (l *lab) player(ctx context.Context, r *request, run *sim.Run) error {
	file, err := view.Player(ctx, run, r.q)
	if err != nil {
		return err
	}
	ctx, done, err := l.answers.Work(ctx, file.Bytes)
	if err != nil {
		return err
	}
	defer done()
	return r.send(ctx, run, file, nil)
}

// send writes file, which was made from run, as the response to r. If err is not nil, it returns err instead.
func (r *request) send(ctx context.Context, run *sim.Run, file *view.File, err error) error {
	if err != nil {
		return err
	}
	r.attach(run, file.Ending, file.Media)
	return file.Write(ctx, r.to)
}
