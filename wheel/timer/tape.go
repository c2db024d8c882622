package timer

import (
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/timer/recording"
)

// Sizes of a recording by Record.
const (
	tapeEvents = 1 << 13               // maximum number of events of a shard between two writes; further ones are lost
	tapeClock  = time.Millisecond      // time between two readings of the clock
	tapeFlush  = 50 * time.Millisecond // time between two writes, if no shard has half of tapeEvents before
)

// ErrRecording is returned by Record for a wheel that is being recorded.
var ErrRecording = errors.New("timer: the wheel is being recorded already")

// Record writes a recording of the timers of w to out, in the format of package recording: those that are pending, and from
// now on each that is scheduled, reset, stopped or fires, with its time, to a millisecond, and its delay. It goes on until
// stop is called. stop returns the number of events that are missing because out was too slow, and the first error of out,
// after which nothing is written. It waits for a write in progress.
//
// An operation takes about 20 ns longer while it is recorded. A recording takes 200 kB of memory for each shard and, until they
// are written, 24 bytes for each timer that is pending when it begins; its shard is locked while they are copied. A wheel can
// be recorded once at a time.
func Record(w *Wheel, out io.Writer) (stop func() (lost int64, err error), err error) {
	w.check(true)
	t := &taping{wheel: w, out: recording.NewWriter(out), full: make(chan struct{}, 1), quit: make(chan struct{})}
	if !w.taped.CompareAndSwap(false, true) {
		return nil, ErrRecording
	}
	t.begun = w.now()
	for _, s := range w.shards {
		s.mu.Lock()
		closed := s.closed
		if !closed {
			s.tape = &tape{taping: t, events: make([]recording.Event, 0, tapeEvents)}
			t.before = append(t.before, s.pending(w.now()))
		}
		s.mu.Unlock()
		if closed {
			t.detach()
			return nil, ErrClosed
		}
	}
	t.ended.Go(t.tick)
	t.ended.Go(t.write)
	return sync.OnceValues(func() (int64, error) {
		close(t.quit)
		t.ended.Wait()
		return t.lost, t.err
	}), nil
}

// taping is a recording in progress.
type taping struct {
	wheel  *Wheel
	begun  time.Duration
	clock  atomic.Int64 // nanoseconds since the recording began, read every tapeClock
	full   chan struct{}
	quit   chan struct{}
	ended  sync.WaitGroup
	before [][]recording.Event // the timers of each shard that were pending

	out  *recording.Writer // it and the fields below belong to the goroutine that writes
	lost int64
	err  error
}

// tape has the events of one shard that have not been written. It is guarded by shard.mu.
type tape struct {
	*taping
	events []recording.Event // at most tapeEvents
	lost   int64             // number of events left out since the last write
}

// note records an event of the timer with the given ID. d is the time until it is due, if the event is one that has it.
func (t *tape) note(k recording.Kind, id uint32, d time.Duration) {
	n := len(t.events)
	if n == tapeEvents {
		t.lost++
		return
	}
	t.events = t.events[:n+1]
	t.events[n] = recording.Event{At: time.Duration(t.clock.Load()), Delay: d, Timer: id, Kind: k}
	if n == tapeEvents/2 {
		t.hurry()
	}
}

// hurry makes the goroutine that writes begin at once.
func (t *taping) hurry() {
	select {
	case t.full <- struct{}{}:
	default:
	}
}

// pending returns the pending timers of the shard as events. now is the current clock reading. s.mu must be held.
func (s *shard) pending(now time.Duration) []recording.Event {
	o := s.observable()
	if o == nil {
		return nil
	}
	s.endGroup(now)
	events := make([]recording.Event, 0, s.wheel.Len())
	var state wheel.State
	o.AppendState(&state, wheel.AllEntries)
	for _, p := range state.Places {
		for _, e := range p.Entries {
			if !e.Marked {
				events = append(events, recording.Event{Delay: s.owner.timeOf(e.Due) - now, Timer: e.ID, Kind: recording.Pending})
			}
		}
	}
	return events
}

// tick reads the clock until the recording ends.
func (t *taping) tick() {
	clock := time.NewTicker(tapeClock)
	defer clock.Stop()
	for {
		select {
		case <-t.quit:
			return
		case <-clock.C:
			t.clock.Store(int64(t.wheel.now() - t.begun))
		}
	}
}

// write writes the events until the recording ends.
func (t *taping) write() {
	defer t.detach()
	for k, events := range t.before {
		for len(events) > 0 {
			n := min(len(events), recording.BlockMax)
			t.out.Block(k, events[:n], 0)
			events = events[n:]
		}
	}
	t.before = nil
	spare := make([]recording.Event, 0, tapeEvents)
	flush := time.NewTicker(tapeFlush)
	defer flush.Stop()
	for on := true; on; {
		select {
		case <-t.quit:
			on = false
		case <-flush.C:
		case <-t.full:
		}
		for _, s := range t.wheel.shards {
			spare = t.take(s, spare)
		}
		if t.err == nil {
			t.err = t.out.Flush()
		}
	}
	t.out.End(t.wheel.now() - t.begun)
	if err := t.out.Flush(); t.err == nil {
		t.err = err
	}
}

// take writes the events of shard s and gives it the buffer spare for the next ones. It returns the next spare buffer.
func (t *taping) take(s *shard, spare []recording.Event) []recording.Event {
	s.mu.Lock()
	events, lost := s.tape.events, s.tape.lost
	s.tape.events, s.tape.lost = spare[:0], 0
	s.mu.Unlock()
	t.lost += lost
	if t.err == nil && (len(events) > 0 || lost > 0) {
		t.out.Block(int(s.number), events, lost)
	}
	return events
}

// detach ends the recording of every shard.
func (t *taping) detach() {
	for _, s := range t.wheel.shards {
		s.mu.Lock()
		s.tape = nil
		s.mu.Unlock()
	}
	t.wheel.taped.Store(false)
}
