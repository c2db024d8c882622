package web

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/web/api"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// An import that takes long is acknowledged after protocol.AnswerWait. At the same interval the body
// gets a further byte, and finally the answer: a run, a difference, or the reason for an error.
func TestImportIsAcknowledged(t *testing.T) {
	trace := traceText(t, "three-slots")
	lines := strings.SplitAfter(trace, "\n")
	other := strings.Replace(trace, lines[5], strings.Replace(lines[5], `"due":`, `"due":1`, 1), 1)
	const computing = 100 * time.Second // longer than a proxy waits for a byte
	for name, test := range map[string]struct {
		file string
		busy time.Duration // for which the file waits for its turn
		want func(i *api.Imported) bool
	}{
		"read":    {trace, computing, func(i *api.Imported) bool { return i.Run != "" && i.Events > 0 && !i.Refused() }},
		"differs": {other, computing, func(i *api.Imported) bool { return i.Run != "" && i.Diff != nil && i.Diff.Line == 6 }},
		"broken":  {"hello", computing, func(i *api.Imported) bool { return i.Run == "" && i.Count == 1 && len(i.Faults) == 1 }},
		"late":    {trace, 2 * api.ImportWait, func(i *api.Imported) bool { return i.Run == "" && i.Count == 1 && len(i.Faults) == 1 }},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, Config{}, func(t *testing.T, h *harness) {
				free := sync.OnceFunc(takeAll(t, h.store.Queue()))
				defer free()
				time.AfterFunc(test.busy, free)
				began := time.Now()
				res := h.upload(test.file)
				defer res.Body.Close()
				if took := time.Since(began); res.StatusCode != http.StatusAccepted || took != protocol.AnswerWait {
					t.Fatalf("%s after %s, want 202 after %s", res.Status, took, protocol.AnswerWait)
				}
				answer := finalLine(t, res.Body)
				var imported api.Imported
				if err := json.Unmarshal([]byte(answer), &imported); err != nil || !test.want(&imported) {
					t.Errorf("%v: %s", err, answer)
				}
				if took := time.Since(began); took != min(test.busy, api.ImportWait) {
					t.Errorf("the answer came after %s", took)
				}
				if len(h.server.imports) != 0 {
					t.Error("the slot is taken after the answer")
				}
			})
		})
	}
}

// upload sends a file to be imported on a connection of its own, and returns the answer's status and
// header when they have come.
func (h *harness) upload(file string) *http.Response {
	h.t.Helper()
	conn, err := h.ln.dial(h.t.Context(), "", "")
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { conn.Close() })
	r, err := http.NewRequest("POST", "http://127.0.0.1:8080/api/import", strings.NewReader(file))
	if err != nil {
		h.t.Fatal(err)
	}
	r.Close = true
	if err := r.Write(conn); err != nil {
		h.t.Fatal(err)
	}
	res, err := http.ReadResponse(bufio.NewReader(conn), r)
	if err != nil {
		h.t.Fatal(err)
	}
	return res
}

// finalLine reads the body of an acknowledged request to its end and returns what follows the
// newlines. At most protocol.AnswerWait may pass between two bytes.
func finalLine(t *testing.T, body io.Reader) string {
	t.Helper()
	var text strings.Builder
	for p := make([]byte, 1); ; {
		began := time.Now()
		n, err := body.Read(p)
		if took := time.Since(began); took > protocol.AnswerWait {
			t.Errorf("no byte for %s", took)
		}
		text.Write(p[:n])
		if err == io.EOF {
			return strings.TrimLeft(text.String(), "\n")
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
