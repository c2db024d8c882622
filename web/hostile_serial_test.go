//go:build !race

// Long tests of one request at a time, in which the race detector finds nothing; see the Makefile.

package web

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// Deep and large JSON, compressed or not, is refused in one line.
func TestDeepAndPackedFiles(t *testing.T) {
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	z.Write([]byte(`{"wheelscope":1,"lanes":[`))
	for range 64 {
		z.Write(bytes.Repeat([]byte(" "), 1<<20))
	}
	z.Close()
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		for what, body := range map[string]string{
			"lists": strings.Repeat("[", 1<<20), "objects": strings.Repeat(`{"a":`, 1<<18), "in a scenario": `{"wheelscope":1,"lanes":` + strings.Repeat("[", 1<<20),
			"64 MiB packed": bomb.String(), "packed twice": packed(packed("x")),
		} {
			a, got := h.send("", body)
			if a.code != 422 || len(got.Faults) != 1 || len(got.Faults[0]) > 500 || strings.Contains(got.Faults[0], "\n") {
				t.Errorf("%s: %d %.300s", what, a.code, a.body)
			}
		}
		c := h.client("/ws")
		defer c.close()
		if err := c.ask(`"do":"load","scenario":{"wheelscope":1,"lanes":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}`); err == nil || len(err.Message) > 300 {
			t.Errorf("%v", err)
		}
		c.send(`{"v":1,"id":9,"do":"load","scenario":` + strings.Repeat("[", 60000)) // too deep to be read: the id is unknown
		if data := c.readAck(); decode[protocol.Ack](t, data).Error == nil {
			t.Errorf("%.300s", data)
		}
	})
}
