package wheeltest

import (
	"errors"
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// sample is an implementation on package time that is correct except for the given fault. Each
// fault was found in a library, or is the simplest violation of a property.
type sample struct {
	fault string
	tick  time.Duration

	mu     sync.Mutex
	closed bool
	live   map[*sampleTimer]bool
	keys   map[string]*sampleTimer
	armed  atomic.Int64 // timers scheduled so far
	kept   []func()
	lock   sync.Mutex // held by functions, with the fault "one at a time"
	fired  *sampleTimer
	begun  time.Time
	calls  map[string]*sampleTimer // running functions, by goroutine
}

type sampleTimer struct {
	f     func()
	gen   int // which schedule is valid
	armed bool
	due   time.Time
	every time.Duration
	left  int
	calls int // runs that fire has claimed and that have not ended
	key   string
	t     *time.Timer
}

var errClosed = errors.New("closed")

func newSample(fault string) *sample {
	s := &sample{fault: fault, tick: time.Millisecond, live: map[*sampleTimer]bool{}, keys: map[string]*sampleTimer{}, begun: time.Now()}
	if fault == "leaks a goroutine" {
		go func() { select {} }()
	}
	return s
}

func (s *sample) Tick() time.Duration { return s.tick }

func (s *sample) Pending() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fault == "counts what was armed" {
		return int(s.armed.Load())
	}
	return len(s.live)
}

// length returns the delay that the sample uses instead of d.
func (s *sample) length(d time.Duration) time.Duration {
	const revolution = 10 * time.Millisecond
	switch {
	case s.fault == "floors to the tick" && d > 0:
		return d - d%s.tick - s.tick/4
	case s.fault == "loses a round" && d > revolution && d%revolution == 0:
		return d - revolution
	case s.fault == "keeps to a level" && d >= 64*64*s.tick:
		return d - d%(64*s.tick)
	case s.fault == "a tick too late":
		return d + 2*s.tick
	case s.fault == "drops what is not positive" && d < 0:
		return math.MaxInt64
	case s.fault == "overflows" && d > math.MaxInt64/2:
		return 0
	case s.fault == "divides by zero" && d > 0 && d < s.tick:
		panic("division by zero")
	case s.fault == "falls asleep" && len(s.live) == 1 && time.Since(s.begun) > 200*time.Millisecond: // it calls itself
		return d + 3*s.tick
	case s.fault == "drops one of many" && s.armed.Load()%3 == 2:
		return time.Hour
	case s.fault == "runs slow":
		return d + d/12
	case s.fault == "late under load" && d == 0 && s.armed.Load()%1000 >= 998:
		return 5 * time.Second
	}
	return max(d, 0)
}

func (s *sample) AfterFunc(d time.Duration, f func()) (Handle, error) {
	if f == nil {
		return nil, errors.New("no function")
	}
	if d == 0 && s.fault == "refuses zero" {
		return nil, errors.New("not a delay")
	}
	x := &sampleTimer{f: f, left: 1}
	return x, s.arm(x, d)
}

func (s *sample) Every(d time.Duration, times int, f func()) (Handle, error) {
	if times > 0 && s.fault == "runs once more" {
		times++
	}
	x := &sampleTimer{f: f, every: d, left: times}
	return x, s.arm(x, d)
}

func (s *sample) arm(x *sampleTimer, d time.Duration) error {
	if s.fault == "slow with many" && s.armed.Load() >= pauseTimers>>9 {
		time.Sleep(100 * pauseMax) // more than a loaded machine takes the processor away
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		if s.fault == "blocks when closed" {
			select {}
		}
		if s.fault != "fires when closed" {
			return errClosed
		}
	}
	s.armed.Add(1)
	if s.fault == "holds what was stopped" {
		s.kept = append(s.kept, x.f)
	}
	s.schedule(x, d)
	return nil
}

// schedule schedules a timer anew. s.mu must be held.
func (s *sample) schedule(x *sampleTimer, d time.Duration) {
	x.gen++
	gen := x.gen
	x.armed = true
	s.live[x] = true
	if d < math.MaxInt64/2 {
		x.due = time.Now().Add(d)
	}
	x.t = time.AfterFunc(s.length(d), func() { s.fire(x, gen) })
}

func (s *sample) fire(x *sampleTimer, gen int) {
	s.mu.Lock()
	if (x.gen != gen || !x.armed) && s.fault != "heeds no stop" || s.closed && s.fault != "fires when closed" {
		s.mu.Unlock()
		return
	}
	s.fired = x
	if x.left > 0 {
		x.left--
	}
	if x.left == 0 {
		x.armed = false
		delete(s.live, x)
		if x.key != "" && s.keys[x.key] == x {
			delete(s.keys, x.key)
		}
	} else {
		x.due = x.due.Add(x.every)
		x.gen++
		next := x.gen
		x.t = time.AfterFunc(time.Until(x.due), func() { s.fire(x, next) })
	}
	x.calls++
	s.mu.Unlock()
	if s.fault == "claims a batch" { // not a fault: what is due together expires before any of it is called
		time.Sleep(time.Nanosecond)
	}
	defer func() {
		s.mu.Lock()
		x.calls--
		s.mu.Unlock()
	}()
	s.call(x)
}

func (s *sample) call(x *sampleTimer) {
	defer s.running(x)()
	switch s.fault {
	case "ends by a panic":
		defer func() {
			if recover() != nil {
				s.Close()
			}
		}()
		x.f()
		return
	case "one at a time":
		s.lock.Lock()
		defer s.lock.Unlock()
	case "fires in bursts":
		if x.every > 0 {
			defer x.f()
		}
	}
	defer func() { recover() }()
	x.f()
}

func (s *sample) Stop(h Handle) bool {
	x, ok := h.(*sampleTimer)
	if !ok {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	was := x.armed
	switch {
	case s.fault == "stop says true":
		was = true
	case s.fault == "stop says false":
		defer func() { was = false }()
		x.armed = false
		delete(s.live, x)
		return false
	case s.fault == "removes a bystander" && !was && s.fired == x:
		for other := range s.live {
			other.armed = false
			delete(s.live, other)
			break
		}
	case s.fault == "a stopped repeat goes on" && x.every > 0:
		return was
	case s.fault == "stop loses the race" && was && time.Until(x.due) < 0:
		return true // although the run is not prevented
	}
	x.armed = false
	if s.fault != "heeds no stop" {
		x.t.Stop()
	}
	delete(s.live, x)
	return was && (x.every == 0 || x.calls == 0)
}

func (s *sample) Reset(h Handle, d time.Duration) error {
	x := h.(*sampleTimer)
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.fault == "reset hangs" && x.armed && time.Until(x.due)-d < s.tick && d-time.Until(x.due) < s.tick:
		select {}
	case s.fault == "reset only later" && x.armed && time.Now().Add(d).Before(x.due):
		return nil
	case s.fault == "reset keeps the old" && x.armed:
		due, f := x.due, x.f
		time.AfterFunc(time.Until(due), f)
	case s.fault == "reset of the dead is lost" && !x.armed:
		return nil
	}
	x.t.Stop()
	x.left = 1
	s.schedule(x, d)
	return nil
}

func (s *sample) Set(key string, d time.Duration, f func()) error {
	s.mu.Lock()
	if old := s.keys[key]; old != nil && s.fault != "keeps both" {
		if s.fault == "set only later" && time.Now().Add(d).Before(old.due) {
			s.mu.Unlock()
			return nil
		}
		old.armed = false
		old.t.Stop()
		delete(s.live, old)
	}
	x := &sampleTimer{f: f, left: 1, key: key}
	s.keys[key] = x
	s.mu.Unlock()
	return s.arm(x, d)
}

func (s *sample) Remove(key string) bool {
	s.mu.Lock()
	x := s.keys[key]
	found := x != nil && x.armed
	if s.fault == "forgets keys set inside" && s.fired != nil && s.fired.key == key {
		found = false
	}
	if s.fault == "loses a key" && s.armed.Load()%1000 == 999 {
		found = false
	}
	if s.fault != "keeps the key" {
		delete(s.keys, key)
	}
	s.mu.Unlock()
	if !found {
		return s.fault == "keeps the key" && x != nil
	}
	return s.Stop(x)
}

func (s *sample) Move(key string, d time.Duration) error {
	s.mu.Lock()
	x := s.keys[key]
	s.mu.Unlock()
	if x == nil {
		return nil
	}
	if s.fault == "moves only later" && time.Now().Add(d).Before(x.due) {
		return nil
	}
	return s.Reset(x, d)
}

func (s *sample) Drain() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for x := range s.live {
		x.armed = false
		x.t.Stop()
	}
	clear(s.live)
	clear(s.keys)
	if s.fault == "drains for good" {
		s.closed = true
	}
}

func (s *sample) StepWall(by time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fault != "reads the wall clock" {
		return
	}
	for x := range s.live {
		x.t.Stop()
		s.schedule(x, time.Until(x.due)-by)
	}
}

func (s *sample) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if s.fault == "close hangs" {
		select {}
	}
	if s.fault == "fires when closed" {
		return
	}
	for x := range s.live {
		x.t.Stop()
	}
}

// counted counts the ticks of a ticker, as many libraries do. A tick that the ticker drops is never
// made up.
type counted struct {
	mu     sync.Mutex
	now    int
	timers map[*int]func()
	end    chan struct{}
	once   sync.Once
}

func newCounted() *counted {
	c := &counted{timers: map[*int]func(){}, end: make(chan struct{})}
	go func() {
		ticks := time.NewTicker(time.Millisecond)
		defer ticks.Stop()
		for {
			select {
			case <-c.end:
				return
			case <-ticks.C:
				c.step()
			}
		}
	}()
	return c
}

func (c *counted) step() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now++
	for at, f := range c.timers {
		if *at <= c.now {
			delete(c.timers, at)
			go f()
		}
	}
}

func (c *counted) AfterFunc(d time.Duration, f func()) (Handle, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := c.now + int((d+time.Millisecond-1)/time.Millisecond) + 1
	c.timers[&at] = f
	return &at, nil
}

func (c *counted) Stop(h Handle) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, was := c.timers[h.(*int)]
	delete(c.timers, h.(*int))
	return was
}

func (c *counted) Pending() int        { return Unknown }
func (c *counted) Tick() time.Duration { return time.Millisecond }
func (c *counted) Close()              { c.once.Do(func() { close(c.end) }) }
