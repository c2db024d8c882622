//go:build linux

package attack

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// settling is the time that sessions play before the measurement.
const settling = 3 * time.Second

// watched records the times between the frames of many sockets.
type watched struct {
	clients []*client
	all     sync.WaitGroup            // waits for the readers
	began   atomic.Pointer[time.Time] // start of the measurement; nil before it

	mu      sync.Mutex
	gaps    []time.Duration
	fewest  float64 // frames per second of the socket with the fewest
	total   int
	sockets int
}

// watch counts the frames of a socket without parsing them, until its read deadline. Frames before
// the measurement are only read.
func (w *watched) watch(k *client, span time.Duration) {
	var gaps []time.Duration
	var last time.Time
	for {
		message, err := k.next()
		if err != nil {
			break
		}
		began := w.began.Load()
		if began == nil {
			continue
		}
		if last.IsZero() {
			last = *began
		}
		if kind := kindOf(message); kind != "delta" && kind != "state" {
			continue
		}
		now := time.Now()
		gaps = append(gaps, now.Sub(last))
		last = now
	}
	began := w.began.Load()
	if began == nil {
		return // it was closed before the measurement
	}
	if last.IsZero() {
		last = *began
	}
	rate := float64(len(gaps)) / span.Seconds()
	gaps = append(gaps, began.Add(span).Sub(last)) // the last gap ends with the measurement
	w.mu.Lock()
	defer w.mu.Unlock()
	w.gaps = append(w.gaps, gaps...)
	if w.sockets == 0 || rate < w.fewest {
		w.fewest = rate
	}
	w.total += len(gaps) - 1
	w.sockets++
}

// add starts reading a socket.
func (w *watched) add(c *trial, k *client) {
	w.clients = append(w.clients, k)
	w.all.Go(func() { w.watch(k, c.span) })
}

// measure watches all sockets for the span of the attack.
func (w *watched) measure(c *trial) {
	time.Sleep(settling)
	now := time.Now()
	w.began.Store(&now)
	for _, k := range w.clients {
		k.conn.SetReadDeadline(now.Add(c.span))
	}
	w.all.Wait()
}

// check compares the measurements with bounds and adds them to the case's line.
func (w *watched) check(c *trial, sockets int, rateMin float64, p99Max time.Duration) {
	if w.sockets != sockets {
		c.t.Errorf("%d of %d sockets were served", w.sockets, sockets)
	}
	if w.sockets == 0 {
		return
	}
	slices.Sort(w.gaps)
	p99, rate := quantile(w.gaps, 99), float64(w.total)/c.span.Seconds()/float64(w.sockets)
	c.figure("%d sockets: %.1f frames/s (fewest %.1f), p99 %d ms, max %d ms", w.sockets, rate, w.fewest, p99.Milliseconds(), quantile(w.gaps, 100).Milliseconds())
	if rate < rateMin {
		c.t.Errorf("%.1f frames/s, at least %.0f are required", rate, rateMin)
	}
	if p99 > p99Max {
		c.t.Errorf("frames come %s apart at p99, at most %s are allowed", rounded(p99), p99Max)
	}
}

// playing plays heartbeats in n sessions, like the other user.
func playing(n int) func(c *trial) {
	rateMin, p99Max := 15.0, 150*time.Millisecond
	if n <= 150 {
		rateMin, p99Max = 57, 30*time.Millisecond
	}
	return func(c *trial) {
		var w watched
		for range n {
			if k := c.socket("/ws?scenario=heartbeats"); k != nil && c.ask(k, `"do":"play","rate":60`) == nil {
				w.add(c, k)
			}
		}
		w.measure(c)
		w.check(c, n, rateMin, p99Max)
	}
}

// viewers watch one session that plays: 511 of them and the driver, the maximum number of sockets
// of a session.
func viewers(c *trial) {
	const n = 512
	driver := c.socket("/ws?scenario=heartbeats")
	if driver == nil {
		return
	}
	var w watched
	for range n - 1 {
		if k := c.socket("/ws?session=" + driver.id); k != nil {
			w.add(c, k)
		}
	}
	if _, err := driver.command(`"do":"play","rate":60`); err != nil {
		c.t.Error(err)
	}
	w.add(c, driver)
	w.measure(c)
	w.check(c, n, 15, 150*time.Millisecond)
}
