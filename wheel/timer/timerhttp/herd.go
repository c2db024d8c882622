package timerhttp

import (
	"fmt"
	"time"

	"github.com/wheelscope/wheelscope/internal/herd"
	"github.com/wheelscope/wheelscope/wheel/timer/internal/watch"
)

// herdEvery is the minimum time between two searches for herds in the recording.
const herdEvery = time.Second

// herdSeen is the largest group of timers that fire together at a fixed period.
type herdSeen struct {
	Timers int    `json:"timers"`
	Period string `json:"period"`
}

// herd returns the largest herd of the recording so far, or nil if there is none. It looks for one at most every
// herdEvery. s.mu must be held, and a recording must be in progress.
func (s *server) herd() *herdSeen {
	if time.Since(s.searched) >= herdEvery {
		r := s.source.Recorded()
		s.found, s.searched = largestHerd(&r, s.info.Tick), time.Now()
	}
	return s.found
}

// largestHerd returns the largest herd among the timers of r, whose ticks are tick long.
func largestHerd(r *watch.Recording, tick time.Duration) *herdSeen {
	stopped := map[int64]int64{}
	for i := range r.Ops {
		if o := &r.Ops[i]; o.Stop {
			stopped[o.Timer] = o.At
		}
	}
	var fired []herd.Arming
	for i := range r.Ops {
		o := &r.Ops[i]
		end, ended := stopped[o.Timer]
		if due := o.At + o.Delay; !o.Stop && due <= r.End-r.Begun && !(ended && end < due) {
			fired = append(fired, herd.Arming{At: o.At, Due: due})
		}
	}
	herds := herd.Rearmed(fired)
	if len(herds) == 0 {
		return nil
	}
	return &herdSeen{herds[0].Timers, (time.Duration(herds[0].Every) * tick).String()}
}

func (h *herdSeen) String() string {
	return fmt.Sprintf("%d timers of %s fire together; timer.WithJitter(1) spreads them over the period", h.Timers, h.Period)
}
