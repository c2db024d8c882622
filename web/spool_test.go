package web

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/wheelscope/wheelscope/web/api"
)

// If BodiesMax files are being received and another one waits, the slowest is cut off, but only
// when it has been arriving for bodyTurn. The others are received completely.
func TestSlowestFileIsDisplaced(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		data := strings.Repeat(" ", BodyBytesMax+1)
		another := func() answer { a, _ := h.send("", data); return a }
		const slowest, honest = 3, 422 // 422: blanks are no file of a known kind
		var senders sync.WaitGroup
		answers, took := make([]answer, BodiesMax), make([]time.Duration, BodiesMax)
		began := time.Now()
		for i := range BodiesMax {
			rate := BodyRateMin + 1000*i
			if i == slowest {
				rate = BodyRateMin
			} else if i == 0 {
				rate = BodyRateMin + 500
			}
			senders.Go(func() {
				answers[i] = h.trickled(newTrickle(0, 5<<20, rate, time.Second))
				took[i] = time.Since(began)
			})
		}
		time.Sleep(bodyTurn - placeWait - time.Second)
		if a := another(); a.code != http.StatusServiceUnavailable || !strings.HasPrefix(a.body, "8 files are arriving") {
			t.Errorf("before %s: %d %s", bodyTurn, a.code, a.body)
		}
		time.Sleep(time.Until(began.Add(bodyTurn + time.Second/2)))
		cut := time.Since(began)
		if a := another(); a.code != honest || time.Since(began) != cut {
			t.Errorf("after %s: %d %s", bodyTurn, a.code, a.body)
		}
		senders.Wait()
		for i, a := range answers {
			switch {
			case i == slowest && (a.code != http.StatusRequestTimeout || took[i] != cut ||
				a.body != "the file arrived too slowly: other files wait, and after 2m0s it was the slowest of 8 files\n"):
				t.Errorf("the slowest file: %d %q after %s", a.code, a.body, took[i])
			case i != slowest && a.code != honest:
				t.Errorf("file %d: %d %s after %s", i, a.code, a.body, took[i])
			}
		}
		synctest.Wait()
		if b := h.server.bodies; len(b.arriving)+len(b.readers) != 0 || b.disk.Load() != 0 {
			t.Errorf("%d places and %d readers are left, %d bytes on disk", len(b.arriving), len(b.readers), b.disk.Load())
		}
	})
}

// The slot in which a file is read is released when its sender disconnects. It waits for its turn
// in the queue of heavy work, like everything that computes.
func TestImportEndsWithItsSender(t *testing.T) {
	trace := traceText(t, "three-slots")
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		free := takeAll(t, h.store.Queue())
		conn, err := h.ln.dial(t.Context(), "", "")
		if err != nil {
			t.Fatal(err)
		}
		r, err := http.NewRequest("POST", "http://127.0.0.1:8080/api/import", strings.NewReader(trace))
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Write(conn); err != nil {
			t.Fatal(err)
		}
		go io.Copy(io.Discard, conn) // the connection has no buffer for the acknowledgements
		time.Sleep(api.ImportWait / 2)
		if len(h.server.imports) != 1 {
			t.Errorf("%d slots are taken while the file waits for its turn", len(h.server.imports))
		}
		conn.Close()
		synctest.Wait()
		if len(h.server.imports) != 0 {
			t.Error("the slot is taken after the sender has left")
		}
		free()
		if a, imported := h.send("", trace); a.code != 200 || imported.Run == "" {
			t.Errorf("the next file: %d %s", a.code, a.body)
		}
	})
}
