package script

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/own"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/recorded"
)

// Limits of a source in a lane.
const (
	LaneMax     = 30 * time.Second // time of a run
	CallMax     = time.Second      // time of a call; checked at times, so that a call is found slow after up to twice that
	AdvancesMax = 1_000_000        // calls of advance in a run
	PlacedMax   = 2000             // timers whose places are asked for after a call
	PlacesMax   = 500_000          // calls of place in a run after which they are few: the timers take turns
	placesFew   = 16               // calls of place after each other call from then on
	batchPlaces = 100_000          // calls of place, and four times as many of others, after which Advance stops
	seed        = 1                // of Math.random
)

// Lane is a source in a lane: it implements recorded.Source. Its methods must not be called concurrently.
type Lane struct {
	*script
	Levels  []wheel.Level // nil if the source has no method place
	now     wheel.Tick
	pending []recorded.Move // by key: the pending timers, and their places as last told; Level is untold before
	turn    int             // index in pending of the timer whose place is asked for next when they take turns
	cost    int64
	placed  int // calls of place
	moves   int // calls of advance
	ended   chan struct{}
}

// NewLane runs source and creates a wheel. The caller must call Close. stuck, if it is not nil, is called with the reason when a
// call has to end and cannot be interrupted, because it is in a function of the interpreter.
func NewLane(source string, start wheel.Tick, slots, levels int, stuck func(error)) (*Lane, error) {
	s, err := compile("wheel.js", source, seed)
	if err != nil {
		return nil, err
	}
	l := &Lane{script: s, now: start, ended: make(chan struct{})}
	if err := l.new(start, slots, levels); err != nil {
		return nil, err
	}
	told, err := l.layout()
	if err == nil && told != nil {
		l.Levels, err = checkLevels(told)
	}
	if err != nil {
		return nil, err
	}
	go l.watch(stuck)
	return l, nil
}

func checkLevels(list []own.Level) ([]wheel.Level, error) {
	if len(list) < 1 || len(list) > wheel.LevelsMax {
		return nil, fmt.Errorf("layout() returned %d levels; expected 1 to %d", len(list), wheel.LevelsMax)
	}
	levels := []wheel.Level{}
	for i, l := range list {
		if l.Slots < 1 || l.Slots > wheel.SlotsMax || l.Width < 1 || l.Width > wheel.WidthMax {
			return nil, fmt.Errorf("layout() returned %d slots of %d ticks; expected 1 to %d slots of 1 to %d ticks", l.Slots, l.Width, wheel.SlotsMax, int64(wheel.WidthMax))
		}
		levels = append(levels, wheel.Level{Level: i, Slots: l.Slots, Width: l.Width})
	}
	return levels, nil
}

// Close ends the source.
func (l *Lane) Close() {
	close(l.ended)
	l.vm.Interrupt(context.Canceled)
}

// watch interrupts the source when a call takes longer than CallMax, or all of them together longer than LaneMax.
func (l *Lane) watch(stuck func(error)) {
	all := time.After(LaneMax)
	often := time.NewTicker(CallMax / 4)
	defer often.Stop()
	for seen, since, why := int64(-1), time.Now(), error(nil); ; {
		select {
		case <-l.ended:
			return
		case <-all:
			why = fmt.Errorf("more than %v for the whole run", LaneMax)
		case now := <-often.C:
			if n := l.calls.Load(); n != seen || n%2 == 0 {
				seen, since = n, now
				continue
			}
			if now.Sub(since) < CallMax {
				continue
			}
			if why != nil { // interrupted before
				if stuck != nil {
					stuck(why)
				}
				return
			}
			why, since = fmt.Errorf("no answer after %v", CallMax), now.Add(-CallMax/2)
		}
		l.vm.Interrupt(why)
	}
}

// Schedule implements recorded.Source.
func (l *Lane) Schedule(now, due wheel.Tick, key uint32) (a recorded.Answer, err error) {
	if err := l.come(now, &a); err != nil {
		return a, err
	}
	if a.OK, err = l.yes("schedule", int64(key), due); err != nil {
		return a, fmt.Errorf("schedule(%d, %d): %w", key, due, err)
	}
	if a.OK {
		at, _ := l.find(key)
		l.pending = slices.Insert(l.pending, at, recorded.Move{Key: key, Level: untold})
	}
	return a, l.look(&a, key)
}

// Cancel implements recorded.Source.
func (l *Lane) Cancel(now wheel.Tick, key uint32) (a recorded.Answer, err error) {
	if err := l.come(now, &a); err != nil {
		return a, err
	}
	if a.OK, err = l.yes("cancel", int64(key)); err != nil {
		return a, fmt.Errorf("cancel(%d): %w", key, err)
	}
	if a.OK {
		l.drop(key)
	}
	return a, l.look(&a, 0)
}

// Advance implements recorded.Source.
func (l *Lane) Advance(from, to wheel.Tick) (a recorded.Answer, err error) {
	for placed, k := l.placed, 0; from < to && l.placed-placed < batchPlaces && k < 4*batchPlaces && !a.Work; k++ {
		from++
		if err := l.come(from, &a); err != nil {
			return a, err
		}
		if err := l.look(&a, 0); err != nil {
			return a, err
		}
		if a.Work = len(a.Fired)+len(a.Moved) > 0; a.Work {
			break
		}
		if n := len(a.Quiet); n > 0 && a.Quiet[n-1].Cost == a.Cost {
			a.Quiet[n-1].Ticks++
		} else {
			a.Quiet = append(a.Quiet, recorded.Quiet{Ticks: 1, Cost: a.Cost})
		}
	}
	return a, nil
}

// come advances the wheel to tick now, if it is not there.
func (l *Lane) come(now wheel.Tick, a *recorded.Answer) error {
	if now <= l.now {
		return nil
	}
	if l.moves++; l.moves > AdvancesMax {
		return fmt.Errorf("timers are pending for more than %d ticks", AdvancesMax)
	}
	l.now = now
	keys, err := l.advance(now)
	if err != nil {
		return fmt.Errorf("advance(%d): %w", now, err)
	}
	for _, key := range keys {
		if key != math.Trunc(key) || key < 1 || key > math.MaxUint32 {
			return fmt.Errorf("advance(%d): it returned the key %v, which was never scheduled", now, key)
		}
		a.Fired = append(a.Fired, uint32(key))
		l.drop(uint32(key))
	}
	return nil
}

// untold is the level of a timer whose place has not been told.
const untold int8 = -2

// find returns the index of a key in l.pending, or where it would be.
func (l *Lane) find(key uint32) (int, bool) {
	return slices.BinarySearchFunc(l.pending, key, func(m recorded.Move, key uint32) int { return cmp.Compare(m.Key, key) })
}

func (l *Lane) drop(key uint32) {
	if at, ok := l.find(key); ok {
		l.pending = slices.Delete(l.pending, at, at+1)
	}
}

// look asks what the call has cost, and for the places of the timers. own is the key of the timer of the call, or 0.
func (l *Lane) look(a *recorded.Answer, own uint32) error {
	if l.has("cost") {
		v, err := l.ask("cost")
		if err != nil {
			return fmt.Errorf("cost(): %w", err)
		}
		n := v.ToInteger()
		a.Cost, l.cost = max(n-l.cost, 0), max(n, l.cost)
	}
	if l.Levels == nil {
		return nil
	}
	first, n := 0, min(len(l.pending), PlacedMax)
	if l.placed >= PlacesMax {
		first, n = l.turn, min(len(l.pending), placesFew)
		l.turn = (first + n) % max(len(l.pending), 1)
	}
	for k := range n {
		if err := l.lookAt(&l.pending[(first+k)%len(l.pending)], a); err != nil { // fewer may be pending than at the last turn
			return err
		}
	}
	if at, ok := l.find(own); ok && l.pending[at].Level == untold {
		return l.lookAt(&l.pending[at], a)
	}
	return nil
}

// lookAt asks for the place of a pending timer.
func (l *Lane) lookAt(told *recorded.Move, a *recorded.Answer) error {
	l.placed++
	key := told.Key
	p, err := l.place(int64(key))
	if err != nil {
		return err
	}
	if p.Level < -1 || p.Level >= len(l.Levels) || p.Level >= 0 && (p.Slot < 0 || p.Slot >= l.Levels[p.Level].Slots) {
		return fmt.Errorf("place(%d) returned slot %d of level %d, which its layout does not have", key, p.Slot, p.Level)
	}
	m := recorded.Move{Key: key, Level: int8(p.Level), Rounds: max(p.Rounds, -1)}
	if p.Level >= 0 {
		m.Slot = uint32(p.Slot)
	}
	if *told != m {
		*told = m
		a.Moved = append(a.Moved, m)
	}
	return nil
}

// Record runs the source of a lane in this process, which cannot limit its memory. It is an engine.Recorder.
func Record(ctx context.Context, p *program.Program, i int) (*recorded.Log, error) {
	return record(ctx, p, i, nil)
}

func record(ctx context.Context, p *program.Program, i int, stuck func(error)) (*recorded.Log, error) {
	params := p.Scenario.Lanes[i].Params
	l, err := NewLane(params["source"].(string), p.Start, int(params["slots"].(int64)), int(params["levels"].(int64)), stuck)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	defer context.AfterFunc(ctx, func() { l.vm.Interrupt(context.Cause(ctx)) })()
	return engine.RunSource(ctx, p, i, l, l.Levels)
}
