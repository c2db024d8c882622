package script

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dop251/goja"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/recorded"
)

// Limits of a source in a lane.
const (
	LaneMax     = 30 * time.Second // time of a run
	CallMax     = time.Second      // time of a call; checked at times, so that a call is found slow after up to twice that
	MemoryMax   = 512 << 20        // bytes of the process of ServeLane, looked at every 20 ms
	AdvancesMax = 1_000_000        // calls of advance in a run
	PlacedMax   = 2000             // timers whose places are asked for after a call
	PlacesMax   = 1_000_000        // calls of place in a run after which they are few: the timers take turns
	placesFew   = 32               // calls of place after each other call from then on
	batchPlaces = 100_000          // calls of place, and four times as many of others, after which Advance stops
	seed        = 1                // of Math.random
)

// Lane is a source in a lane: it implements recorded.Source. Its methods must not be called concurrently.
type Lane struct {
	script
	Levels  []wheel.Level // nil if the source has no method place
	now     wheel.Tick
	pending []recorded.Move // by key: the pending timers, and their places as last told; Level is untold before
	turn    int             // index in pending of the timer whose place is asked for next when they take turns
	costs   bool            // whether the source has a method cost
	cost    int64
	placed  int // calls of place
	moves   int // calls of advance
	methods map[string]goja.Callable
	watch   watch
}

// watch interrupts calls that take too long.
type watch struct {
	calls atomic.Int64 // 2 for each call that has ended, and 1 for one that has begun
	end   chan struct{}
}

// NewLane runs source and creates a wheel. The caller must call Close. stuck, if it is not nil, is called with the reason when a
// call has to end and cannot be interrupted, because it is in a function of the interpreter.
func NewLane(source string, start wheel.Tick, slots, levels int, stuck func(error)) (*Lane, error) {
	s, err := compile("wheel.js", source, seed)
	if err != nil {
		return nil, err
	}
	l := &Lane{script: *s, now: start, methods: map[string]goja.Callable{}}
	told, err := l.answer(&request{Do: "create", Start: start, Slots: slots, Levels: levels})
	if err != nil {
		return nil, plain(err)
	}
	if list, ok := told.([][2]int64); ok {
		if l.Levels, err = checkLevels(list); err != nil {
			return nil, err
		}
	}
	for _, name := range []string{"schedule", "cancel", "advance", "place", "cost"} {
		if f, ok := goja.AssertFunction(l.wheel.Get(name)); ok {
			l.methods[name] = f
		}
	}
	l.costs = l.methods["cost"] != nil
	l.watch.end = make(chan struct{})
	go l.watch.run(l.vm, stuck)
	return l, nil
}

func checkLevels(list [][2]int64) ([]wheel.Level, error) {
	if len(list) < 1 || len(list) > wheel.LevelsMax {
		return nil, fmt.Errorf("layout returned %d levels; expected 1 to %d", len(list), wheel.LevelsMax)
	}
	levels := []wheel.Level{}
	for i, l := range list {
		if l[0] < 1 || l[0] > wheel.SlotsMax || l[1] < 1 || l[1] > wheel.WidthMax {
			return nil, fmt.Errorf("layout returned %d slots of %d ticks; expected 1 to %d slots of 1 to %d ticks", l[0], l[1], wheel.SlotsMax, int64(wheel.WidthMax))
		}
		levels = append(levels, wheel.Level{Level: i, Slots: int(l[0]), Width: l[1]})
	}
	return levels, nil
}

// Close ends the source.
func (l *Lane) Close() {
	close(l.watch.end)
	l.vm.Interrupt(context.Canceled)
}

// run interrupts vm when a call takes longer than CallMax, or all of them together longer than LaneMax.
func (w *watch) run(vm *goja.Runtime, stuck func(error)) {
	all := time.After(LaneMax)
	often := time.NewTicker(CallMax / 4)
	defer often.Stop()
	for seen, since, why := int64(-1), time.Now(), error(nil); ; {
		select {
		case <-w.end:
			return
		case <-all:
			why = fmt.Errorf("more than %v for the whole run", LaneMax)
		case now := <-often.C:
			if n := w.calls.Load(); n != seen || n%2 == 0 {
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
		vm.Interrupt(why)
	}
}

// ask calls a method of the wheel.
func (l *Lane) ask(method string, args ...int64) (goja.Value, error) {
	f := l.methods[method]
	if f == nil {
		return nil, fmt.Errorf("the wheel has no method %s", method)
	}
	values := [2]goja.Value{}
	for i, n := range args {
		values[i] = l.vm.ToValue(n)
	}
	l.watch.calls.Add(1)
	v, err := f(l.wheel, values[:len(args)]...)
	l.watch.calls.Add(1)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", written(method, args), plain(err))
	}
	return v, nil
}

// written returns a call as it is written in a program.
func written(method string, args []int64) string {
	switch len(args) {
	case 0:
		return method + "()"
	case 1:
		return fmt.Sprintf("%s(%d)", method, args[0])
	}
	return fmt.Sprintf("%s(%d, %d)", method, args[0], args[1])
}

// yes calls a method that returns true or false.
func (l *Lane) yes(method string, args ...int64) (bool, error) {
	v, err := l.ask(method, args...)
	if err != nil {
		return false, err
	}
	yes, ok := v.Export().(bool)
	if !ok {
		return false, fmt.Errorf("%s returned %.60s; expected true or false", written(method, args), v)
	}
	return yes, nil
}

// Schedule implements recorded.Source.
func (l *Lane) Schedule(now, due wheel.Tick, key uint32) (a recorded.Answer, err error) {
	if err := l.come(now, &a); err != nil {
		return a, err
	}
	if a.OK, err = l.yes("schedule", int64(key), due); err != nil {
		return a, err
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
		return a, err
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
	v, err := l.ask("advance", now)
	if err != nil {
		return err
	}
	var keys []float64
	if v == nil || l.vm.ExportTo(v, &keys) != nil || goja.IsUndefined(v) || goja.IsNull(v) {
		return fmt.Errorf("advance(%d) returned %.60s; expected a list of keys", now, v)
	}
	for _, key := range keys {
		if key != math.Trunc(key) || key < 1 || key > math.MaxUint32 {
			return fmt.Errorf("advance(%d) returned the key %v, which was never scheduled", now, key)
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
	if l.costs {
		v, err := l.ask("cost")
		if err != nil {
			return err
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
	v, err := l.ask("place", int64(key))
	if err != nil {
		return err
	}
	m := recorded.Move{Key: key, Level: -1, Rounds: -1}
	if p, ok := v.(*goja.Object); ok {
		level, slot := number(p, "level", 0), number(p, "slot", 0)
		m.Rounds = max(number(p, "rounds", -1), -1)
		if level < -1 || level >= int64(len(l.Levels)) || level >= 0 && (slot < 0 || slot >= int64(l.Levels[level].Slots)) {
			return fmt.Errorf("place(%d) returned slot %d of level %d, which its layout does not have", key, slot, level)
		}
		if m.Level = int8(level); level >= 0 {
			m.Slot = uint32(slot)
		}
	}
	if *told != m {
		*told = m
		a.Moved = append(a.Moved, m)
	}
	return nil
}

// number returns a property of p, or def if there is none.
func number(p *goja.Object, name string, def int64) int64 {
	v := p.Get(name)
	if v == nil || goja.IsUndefined(v) || goja.IsNull(v) {
		return def
	}
	return v.ToInteger()
}

// laneRequest is a line to ServeLane: the first starts the source, the others are calls.
type laneRequest struct {
	Source        string     `json:"source,omitempty"`
	Start         wheel.Tick `json:"start,omitempty"`
	Slots, Levels int        `json:",omitempty"`
	Do            string     `json:"do,omitempty"`
	Now           wheel.Tick `json:"now,omitempty"`
	To            wheel.Tick `json:"to,omitempty"` // of a schedule: the due tick
	Key           uint32     `json:"key,omitempty"`
}

// laneReply is the answer to a line.
type laneReply struct {
	Levels []wheel.Level `json:"levels,omitempty"`
	recorded.Answer
	Err string `json:"error,omitempty"`
}

// Start starts a source in this process, which cannot limit its memory. It is an engine.Starter.
func Start(_ context.Context, w engine.OwnWheel) (recorded.Source, []wheel.Level, func(), error) {
	l, err := NewLane(w.Source, w.Start, w.Slots, w.Levels, nil)
	if err != nil {
		return nil, nil, nil, err
	}
	return l, l.Levels, l.Close, nil
}

// ServeLane runs the source in the first line of in and answers the calls in those that follow, until in ends or a call fails.
// Client is the other end. exit is called when a call cannot be ended in another way, or the process has taken more than
// MemoryMax.
func ServeLane(in io.Reader, out io.Writer, exit func()) error {
	answers := json.NewEncoder(out)
	refuse := func(err error) error { return answers.Encode(laneReply{Err: err.Error()}) }
	var once sync.Once
	leave := func(err error) {
		once.Do(func() {
			refuse(err)
			exit()
		})
	}
	ended := make(chan struct{})
	defer close(ended)
	go watchMemory(ended, leave)
	lines := json.NewDecoder(in)
	var l *Lane
	for {
		var r laneRequest
		if err := lines.Decode(&r); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		var reply laneReply
		var err error
		switch {
		case l == nil:
			if l, err = NewLane(r.Source, r.Start, r.Slots, r.Levels, leave); err == nil {
				defer l.Close()
				reply.Levels = l.Levels
			}
		case r.Do == "schedule":
			reply.Answer, err = l.Schedule(r.Now, r.To, r.Key)
		case r.Do == "cancel":
			reply.Answer, err = l.Cancel(r.Now, r.Key)
		default:
			reply.Answer, err = l.Advance(r.Now, r.To)
		}
		if err != nil {
			return refuse(err)
		}
		if err := answers.Encode(&reply); err != nil {
			return err
		}
	}
}

// watchMemory calls leave when the process has taken more than MemoryMax.
func watchMemory(ended chan struct{}, leave func(error)) {
	debug.SetMemoryLimit(MemoryMax / 2) // collects garbage before that
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	for often := time.NewTicker(20 * time.Millisecond); ; {
		select {
		case <-ended:
			often.Stop()
			return
		case <-often.C:
			if metrics.Read(sample); sample[0].Value.Uint64() > MemoryMax {
				leave(fmt.Errorf("more than %d MB of memory", MemoryMax>>20))
				return
			}
		}
	}
}

// Client is a source that ServeLane runs behind in and out. It implements recorded.Source.
type Client struct {
	in    *json.Encoder
	out   *bufio.Reader
	Ended func() error // returns why there are no further answers; may be nil
}

// NewClient starts source behind in and out, and returns its levels. ended returns why the other end has closed out, if it is
// known.
func NewClient(in io.Writer, out io.Reader, ended func() error, source string, start wheel.Tick, slots, levels int) (*Client, []wheel.Level, error) {
	c := &Client{json.NewEncoder(in), bufio.NewReaderSize(out, 64<<10), ended}
	r, err := c.call(laneRequest{Source: source, Start: start, Slots: slots, Levels: levels})
	return c, r.Levels, err
}

func (c *Client) call(r laneRequest) (reply laneReply, err error) {
	err = c.in.Encode(r)
	var line []byte
	if err == nil {
		line, err = c.out.ReadBytes('\n')
	}
	if err != nil {
		if why := c.Ended(); why != nil {
			err = why
		}
		return reply, err
	}
	if err := json.Unmarshal(line, &reply); err != nil {
		return reply, err
	}
	if reply.Err != "" {
		return reply, errors.New(reply.Err)
	}
	return reply, nil
}

// Schedule implements recorded.Source.
func (c *Client) Schedule(now, due wheel.Tick, key uint32) (recorded.Answer, error) {
	r, err := c.call(laneRequest{Do: "schedule", Now: now, To: due, Key: key})
	return r.Answer, err
}

// Cancel implements recorded.Source.
func (c *Client) Cancel(now wheel.Tick, key uint32) (recorded.Answer, error) {
	r, err := c.call(laneRequest{Do: "cancel", Now: now, Key: key})
	return r.Answer, err
}

// Advance implements recorded.Source.
func (c *Client) Advance(from, to wheel.Tick) (recorded.Answer, error) {
	r, err := c.call(laneRequest{Do: "advance", Now: from, To: to})
	return r.Answer, err
}
