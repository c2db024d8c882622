package session

import (
	"context"
	"errors"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/web/session/protocol"
	"github.com/wheelscope/wheelscope/wheel"
)

// preview decodes a "preview" command from viewer k, and returns the function that executes it.
func (s *Session) preview(c *protocol.Command, k *Viewer) (func(context.Context) error, error) {
	if !c.Has("run") {
		return nil, texts.Errorf(texts.Invalid, "run", "missing; expected %s", "the digest of the run that is shown")
	}
	delays, err := c.Integers("delays", 0, int64(wheel.TickMax), protocol.PreviewDelaysMax)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) error {
		if err := s.sameRun(c); err != nil {
			return err
		}
		p := s.run.Program()
		tick, err := c.Integer("tick", 0, p.Until)
		if err != nil {
			return err
		}
		for _, d := range delays {
			if d > int64(wheel.TickMax)-p.Start-tick {
				return texts.Errorf(texts.Invalid, "delays", "%d is past the last tick that can be represented", d)
			}
		}
		if k.answersWaiting() {
			return texts.Errorf(texts.Invalid, "", "the answer to an earlier %s command is not complete", "preview")
		}
		lanes, err := s.run.Futures(ctx, tick, delays)
		var large *sim.FutureError
		if errors.As(err, &large) {
			return texts.Errorf(texts.Invalid, "delays", "%d delays are too many for a run of this size; at most %d", len(delays), large.Max)
		}
		if err != nil {
			return err
		}
		m := protocol.Preview{Header: s.header("preview"), Tick: tick, Delays: delays, Lanes: make([]protocol.Futures, len(lanes))}
		for i, futures := range lanes {
			m.Lanes[i] = appendFutures(make(protocol.Futures, 0, len(futures)*len(protocol.FutureColumns)), futures)
		}
		k.putAnswer(s.encode(m))
		return nil
	}, nil
}

// appendFutures appends futures to list, each as integers in the order of protocol.FutureColumns.
func appendFutures(list protocol.Futures, futures []engine.Future) protocol.Futures {
	for _, f := range futures {
		list = append(list, int64(f.Kind), int64(f.Level), int64(f.Slot), f.Rounds, int64(f.Code))
	}
	return list
}
