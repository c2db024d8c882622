package web

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// longScenario returns the text of a scenario of many operations.
func longScenario(ops int) string {
	var b strings.Builder
	b.WriteString(`{"wheelscope":1,"name":"long","lanes":[{"algorithm":"list"}],"workload":{"ops":[`)
	for k := range ops {
		if k > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "\n"+`{"at":%d,"op":"schedule","timer":"timer number %d","delay":%d}`, k, k, 2000+k%50)
	}
	b.WriteString("]}}")
	return b.String()
}

// A scenario that is too long for a message can be imported. Errors have a field and a line, like
// those of a load. An edited scenario shares unchanged parts with its original run.
func TestImportOfALongScenario(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		text := longScenario(3000)
		a, got := h.send("", text)
		if a.code != 200 || len(got.Run) != 64 || got.Fault != nil {
			t.Fatalf("%d %.300s", a.code, a.body)
		}
		parent := must(h.store.Lookup(got.Run))
		if _, err := parent.EndSeq(t.Context()); err != nil {
			t.Fatal(err)
		}
		c := h.client("/ws")
		defer c.close()
		c.must(`"do":"load","run":"` + got.Run[:16] + `","tick":7`)
		if c.hello.Run != got.Run[:sim.DigestShort] {
			t.Errorf("loaded %v", c.hello.Run)
		}

		over, cancel := context.WithCancel(t.Context())
		cancel()
		_, edited := h.send("from="+got.Run[:16], strings.Replace(text, `"timer number 2999","delay":2049`, `"timer number 2999","delay":2001`, 1))
		run := must(h.store.Lookup(edited.Run))
		if err := run.Wait(over, 1000); err != nil || run == parent {
			t.Errorf("the edited run begins without the first 1,000 ticks: %v", err)
		}

		a, got = h.send("lang=zh", strings.Replace(text, `"delay":2000}`, `"delay":"soon"}`, 1))
		want := protocol.Description{Path: "workload.ops[0].delay", Line: 2}
		if got.Fault == nil || a.code != 422 || got.Fault.Path != want.Path || got.Fault.Line != want.Line || !han(got.Fault.Message) {
			t.Errorf("%d %s, want %+v", a.code, a.body, want)
		}
		if a, got = h.send("", "hello"); a.code != 422 || got.Fault != nil {
			t.Errorf("no scenario at all: %d %s", a.code, a.body)
		}
	})
}

// The reason why a socket is refused can be read over HTTP at the same URL.
func TestWhyASocketIsRefused(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		if a := h.get("/ws?why=1"); a.code != 204 {
			t.Errorf("why, while there is room: %d %s", a.code, a.body)
		}
		if a := h.get("/ws"); a.code != 426 {
			t.Errorf("while there is room: %d %s", a.code, a.body)
		}
		place, err := h.server.answers.Find(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for range protocol.SessionsMax {
			s, err := h.server.hub.Open(place.Run, place.At)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Abandon()
		}
		if a := h.get("/ws?lang=zh"); a.code != 503 || !strings.Contains(a.body, "512") || !han(a.body) || a.header.Get("Retry-After") == "" {
			t.Errorf("while there is none: %d %s", a.code, a.body)
		}
	})
}
