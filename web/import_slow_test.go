package web

import (
	"bufio"
	"io"
	"net/http"
	"net/http/httputil"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/wheelscope/wheelscope/sim/library"
)

// Files that arrive at a byte per second delay no small file, and are cut off after the grace period.
func TestSlowFilesDoNotHoldUpOthers(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		var senders sync.WaitGroup
		for range UploadsMax / 2 {
			for _, length := range []int64{-1, 100} {
				senders.Go(func() {
					began := time.Now()
					body := newTrickle(0, 100, 1, time.Second)
					defer body.Close() // the client sends until then
					r, err := http.NewRequest("POST", "http://127.0.0.1:8080/api/import", body)
					if err != nil {
						t.Error(err)
						return
					}
					r.ContentLength = length
					a, err := h.do(r)
					if took := time.Since(began); err != nil || a.code != 408 || strings.Count(a.body, "\n") != 1 || took > uploadGrace+time.Second {
						t.Errorf("%v, %d %q after %s", err, a.code, a.body, took)
					}
				})
			}
		}
		time.Sleep(2 * time.Second)
		began := time.Now()
		data, _ := library.Builtin("three-slots")
		for _, text := range []string{string(data), traceText(t, "three-slots")} {
			if a, imported := h.send("", text); a.code != 200 || imported.Run == "" || time.Since(began) > 0 {
				t.Errorf("meanwhile: %d %s after %s", a.code, a.body, time.Since(began))
			}
		}
		senders.Wait()
		synctest.Wait()
		if len(h.server.uploads) != 0 {
			t.Error("places are taken after all have left")
		}
	})
}

// trickle is a body of `left` bytes: the first ones at once, then a few after each pause.
type trickle struct {
	fast, left, bytes int
	pause             time.Duration
	once              sync.Once
	done              chan struct{}
}

func newTrickle(fast, left, bytes int, pause time.Duration) *trickle {
	return &trickle{fast: fast, left: left, bytes: bytes, pause: pause, done: make(chan struct{})}
}

func (s *trickle) Read(p []byte) (int, error) {
	n := min(s.bytes, s.left, len(p))
	switch {
	case s.left == 0:
		return 0, io.EOF
	case s.fast > 0:
		n = min(s.fast, len(p))
		s.fast -= n
	default:
		select {
		case <-time.After(s.pause):
		case <-s.done:
			return 0, io.ErrClosedPipe
		}
	}
	s.left -= n
	copy(p, strings.Repeat(" ", n))
	return n, nil
}

func (s *trickle) Close() error { s.once.Do(func() { close(s.done) }); return nil }

// trickled sends a body to be imported and returns the answer. The library's client might give up
// when it can't write, and miss the answer.
func (h *harness) trickled(body *trickle) answer {
	h.t.Helper()
	conn, err := h.ln.dial(h.t.Context(), "", "")
	if err != nil {
		h.t.Fatal(err)
	}
	var sender sync.WaitGroup
	sender.Go(func() {
		io.WriteString(conn, "POST /api/import HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nTransfer-Encoding: chunked\r\n\r\n")
		w := httputil.NewChunkedWriter(conn)
		io.Copy(w, body)
		w.Close()
		io.WriteString(conn, "\r\n")
	})
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		h.t.Fatal(err)
	}
	text, err := io.ReadAll(res.Body)
	if err != nil {
		h.t.Error(err)
	}
	body.Close()
	conn.Close()
	sender.Wait()
	return answer{res.StatusCode, res.Header, string(text)}
}

// A file that arrives at the lowest rate is read to its end, even if it takes minutes. A slower one, or one that stops, is cut off when its bytes fall behind that rate.
func TestRateOfFiles(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		if a := h.trickled(newTrickle(0, (1<<20)*3/2, UploadRateMin, time.Second)); a.code != 422 || !strings.Contains(a.body, "; expected one of: a scenario") {
			t.Errorf("at the least rate: %d %s", a.code, a.body)
		}
		const long = 6 << 20 // more than 6 minutes
		if a := h.trickled(newTrickle(0, long, UploadRateMin, time.Second)); a.code != 422 || !strings.Contains(a.body, "; expected one of: a scenario") {
			t.Errorf("a long file at the least rate: %d %s", a.code, a.body)
		}
		for what, body := range map[string]*trickle{
			"too slow": newTrickle(0, 1<<20, UploadRateMin/2, time.Second),
			"stops":    newTrickle(2<<20, 3<<20, 1, time.Hour),
		} {
			if a := h.trickled(body); a.code != 408 {
				t.Errorf("%s: %d %s", what, a.code, a.body)
			}
		}
		if n := len(h.server.uploads); n != 0 {
			t.Errorf("%d places are taken", n)
		}
	})
}
