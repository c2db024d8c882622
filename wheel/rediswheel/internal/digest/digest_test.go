package digest

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

const every = 10 * time.Second // between two lines of one cause

// journal is a log that is read by the test.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

// take returns what was written since the last call.
func (j *journal) take() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	defer j.text.Reset()
	return j.text.String()
}

// One line for each cause and interval, with the number of incidents; causes are bounded.
func TestDigest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := &journal{}
		d := New(slog.New(slog.NewTextHandler(log, nil)), every)
		lines := func(what string, want int, has string) {
			t.Helper()
			synctest.Wait()
			text := log.take()
			if n := strings.Count(text, "\n"); n != want || !strings.Contains(text, has) {
				t.Errorf("%s: %d lines, want %d with %q: %s", what, n, want, has, text)
			}
		}
		for i := range 500 {
			d.Note(Incident{"failed", "a:1", fmt.Sprint("k", i), 1, fmt.Sprintf("read 127.0.0.1:%d: reset", 30000+i)})
			d.Note(Incident{"failed", "b:1", fmt.Sprint("k", i), 1, "refused"})
		}
		lines("at once", 2, "key=k0 where=a:1 attempt=1 reason=\"read 127.0.0.1:30000: reset\"\n")
		time.Sleep(every)
		lines("after the interval", 2, "key=k499 where=b:1 attempt=1 reason=refused times=499 within=10s\n")
		time.Sleep(every)
		lines("when it is over", 0, "")
		d.Note(Incident{"failed", "b:1", "k", 2, "refused"})
		lines("again", 1, "attempt=2")
		for i := range 1000 {
			d.Note(Incident{"failed", fmt.Sprint("h:", i), "k", 1, "refused"})
		}
		lines("many causes", causesMax, "where=h:1 ")
		d.Close()
		lines("the end", 1, "times=")
		if len(d.causes) > causesMax+1 {
			t.Errorf("%d causes are kept", len(d.causes))
		}
		quiet := New(slog.New(slog.DiscardHandler), every)
		if quiet.Note(Incident{Message: "x"}); quiet.timer != nil {
			t.Error("without a log it counts")
		}
	})
}
