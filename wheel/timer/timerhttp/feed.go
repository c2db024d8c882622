package timerhttp

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/wheelscope/wheelscope/wheel/timer"
	"github.com/wheelscope/wheelscope/wheel/timer/internal/watch"
)

// server serves the page of one wheel to all viewers of that wheel.
type server struct {
	source watch.Source
	info   watch.Info
	wheel  *timer.Wheel

	mu      sync.Mutex // guards the fields below, and calls to the methods of source
	viewers int
	report  []byte    // plain text that server.text sent last
	written time.Time // time at which report was created

	found    *herdSeen // result of herd at the time searched
	searched time.Time
}

// enter counts a new viewer and returns true, or returns false if there are already viewersMax viewers. If the viewer
// is the first, enter also begins the recording.
func (s *server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.viewers >= viewersMax {
		return false
	}
	if s.viewers == 0 {
		s.source.Begin(watch.RecordedMax)
		s.found, s.searched = nil, time.Now()
	}
	s.viewers++
	return true
}

// leave removes a viewer. When no viewer is left, it ends the recording.
func (s *server) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.viewers--; s.viewers == 0 {
		s.source.End()
	}
}

// feed streams messages to one viewer until it disconnects. It uses server-sent events, because
// messages flow in only one direction, to the viewer.
func (s *server) feed(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	if r.Method == http.MethodHead { // a HEAD request is not a viewer
		feedHeaders(h)
		return
	}
	if !s.enter() {
		http.Error(w, "the maximum number of pages already shows this wheel; close one", http.StatusServiceUnavailable)
		return
	}
	defer s.leave()
	feedHeaders(h)
	f := &stream{w: w, out: http.NewResponseController(w), run: newRun()}
	if err := f.out.Flush(); errors.Is(err, http.ErrNotSupported) { // otherwise it would be reported at the end of the stream, which never comes
		http.Error(w, "what serves this page keeps back what is written to it: its http.ResponseWriter has neither Flush nor Unwrap", http.StatusInternalServerError)
		return
	}
	if first, err := helloOf(f.run, &s.info); err != nil || !f.send(first) {
		return
	}
	var before *watch.Sample
	for seq := int64(1); ; seq++ {
		sample, pause, ok := s.send(f, seq, before)
		if !ok || !wait(r.Context(), pause) {
			return
		}
		before = sample
	}
}

func feedHeaders(h http.Header) {
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
}

// send sends a new sample of the wheel to f, as message number seq. The rates in the message are computed from this
// sample and the previous one, before, which is nil for the first message. send returns the new sample, the pause until
// the next one, and whether the message was sent. With these pauses, all viewers together use at most 1/shareMax of a
// processor.
func (s *server) send(f *stream, seq int64, before *watch.Sample) (*watch.Sample, time.Duration, bool) {
	s.mu.Lock()
	begun := time.Now()
	sample := s.source.Sample()
	data, err := stateOf(f.run, seq, &sample, before, s.herd())
	spent, viewers := time.Since(begun), s.viewers
	s.mu.Unlock()
	pause := max(period, spent*shareMax*time.Duration(viewers))
	return &sample, pause, err == nil && f.send(data)
}

// wait waits for d. It returns false if the viewer disconnects first, which cancels ctx.
func wait(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// stream is the connection to one viewer.
type stream struct {
	w   http.ResponseWriter
	out *http.ResponseController
	run string // name of the stream, contained in each message; see newRun
}

// send sends one message and reports whether it succeeded.
func (f *stream) send(data []byte) bool {
	f.out.SetWriteDeadline(time.Now().Add(writeWait)) // without support for deadlines, the server's own timeouts apply
	for _, part := range [][]byte{[]byte("data: "), data, []byte("\n\n")} {
		if _, err := f.w.Write(part); err != nil {
			return false
		}
	}
	return f.out.Flush() == nil
}

// newRun returns a random name for a stream, the connection to one viewer. All messages of the stream have it in the
// field Run.
func newRun() string {
	var b [8]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}
