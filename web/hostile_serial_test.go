//go:build !race

// Long tests of one request at a time, in which the race detector finds nothing; see the Makefile.

package web

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/program"
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

// A name that contains HTML is shown as text everywhere.
func TestHTMLInEveryName(t *testing.T) {
	const tag = `<img src=x onerror=alert(1)>"'`
	quoted, err := json.Marshal(tag)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(`{"wheelscope":1,"name":Q,"title":Q,"summary":Q,"question":Q,"until":9,
		"lanes":[{"algorithm":"heap","id":Q},{"algorithm":"rounds","slots":4}],"workload":{"ops":[{"at":0,"op":"schedule","timer":Q,"delay":5}]}}`, "Q", string(quoted))
	p, err := program.Load([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	inBubble(t, Config{Default: p}, func(t *testing.T, h *harness) {
		for _, path := range []string{"/", "/?t=3", "/?t=5&lang=zh", "/?embed=1", "/?t=" + tagQuery, "/?scenario=" + tagQuery, "/algorithms/" + tagQuery, "/?lang=" + tagQuery, "/" + tagQuery} {
			a := h.get(path)
			if html := strings.HasPrefix(a.header.Get("Content-Type"), "text/html"); html && strings.Contains(a.body, "<img src=x") {
				t.Errorf("%s: the tag is in the page", path)
			} else if !html && !strings.HasPrefix(a.header.Get("Content-Type"), "text/plain") {
				t.Errorf("%s: %s", path, a.header.Get("Content-Type"))
			}
		}
		if a := h.get("/?t=3"); !strings.Contains(a.body, "&lt;img src=x") {
			t.Error("the names are not in the page at all")
		}
		run := runOf(h, "")
		a := h.get("/picture?as=svg&run=" + run)
		if a.code != 200 || strings.Contains(a.body, "<img") {
			t.Errorf("picture: %d %.200s", a.code, a.body)
		}
		for _, path := range []string{"/trace?run=" + run, "/trace?as=html&run=" + run, "/scenario?run=" + run} {
			a := h.get(path)
			if a.code != 200 || !strings.HasPrefix(a.header.Get("Content-Disposition"), "attachment; filename=\"") || strings.ContainsAny(a.header.Get("Content-Disposition"), "<>'") {
				t.Errorf("%s: %d %v", path, a.code, a.header)
			}
			if strings.HasPrefix(a.header.Get("Content-Type"), "text/html") && strings.Contains(a.body, "<img src=x") {
				t.Errorf("%s: the tag is in the file", path)
			}
		}
	})
}
