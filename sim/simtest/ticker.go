package simtest

import (
	"time"

	"github.com/benbjohnson/clock"
)

// Ticker is a ticker of the fake clock that records calls to its methods. In the scenario it is a
// repeating timer whose interval is rounded up to ticks. The methods may be called concurrently.
type Ticker struct {
	C    <-chan time.Time
	name string
	rec  *Recorder
	own  *clock.Ticker
}

// Now returns the current time of the clock.
func (r *Recorder) Now() time.Time { return r.clock.Now() }

// After returns a channel that receives the time after d, as time.After does.
func (r *Recorder) After(d time.Duration) <-chan time.Time { return r.NewTimer(d).C }

// NewTicker returns a ticker that sends the time on its channel every d, as time.NewTicker
// does. It panics if d is not positive.
func (r *Recorder) NewTicker(d time.Duration) *Ticker { return r.Named("t").NewTicker(d) }

// NewTicker is like Recorder.NewTicker, but names the ticker after the label.
func (l Label) NewTicker(d time.Duration) *Ticker {
	if d <= 0 {
		panic("simtest: the interval of a ticker must be longer than 0")
	}
	r := l.rec
	r.mu.Lock()
	defer r.mu.Unlock()
	name := r.scheduled(l.label, d, r.ticks(d))
	r.running[name] = true
	own := r.clock.Ticker(d)
	return &Ticker{C: own.C, name: name, rec: r, own: own}
}

// Name returns the ticker's name in the scenario.
func (t *Ticker) Name() string { return t.name }

// Stop stops the ticker. It does not close the channel.
func (t *Ticker) Stop() {
	t.rec.mu.Lock()
	defer t.rec.mu.Unlock()
	t.rec.running[t.name] = false
	t.rec.note(call{Op: "cancel", Timer: t.name})
	t.own.Stop()
}

// Reset restarts the ticker with the interval d. It panics if d is not positive.
func (t *Ticker) Reset(d time.Duration) {
	if d <= 0 {
		panic("simtest: the interval of a ticker must be longer than 0")
	}
	t.rec.mu.Lock()
	defer t.rec.mu.Unlock()
	t.rec.running[t.name] = true
	t.rec.note(call{Op: "reset", Timer: t.name, Delay: t.rec.ticks(d), Every: t.rec.ticks(d)})
	t.own.Reset(d)
}
