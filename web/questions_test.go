package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/web/api"
	"github.com/wheelscope/wheelscope/web/internal/webtest"
	"github.com/wheelscope/wheelscope/web/session/protocol"
	"github.com/wheelscope/wheelscope/wheel"
)

// decodedAnswer is an answer to a question, as a client reads it.
type decodedAnswer struct {
	ID     uint32  `json:"id"`
	Events []int64 `json:"events"`
	Names  []any   `json:"names"`
	Until  int64   `json:"until"`
	Whole  bool    `json:"whole"`
}

// question sends a question and reads the answer.
func (h *harness) question(path string) decodedAnswer {
	h.t.Helper()
	a := h.get(path)
	var decoded decodedAnswer
	if err := json.Unmarshal([]byte(a.body), &decoded); a.code != http.StatusOK || err != nil {
		h.t.Fatalf("%s: %d %q %v", path, a.code, a.body, err)
	}
	return decoded
}

// row returns row k of an answer.
func (a *decodedAnswer) row(k int) []int64 {
	return a.Events[k*protocol.RowWidth : (k+1)*protocol.RowWidth]
}

func TestQuestionsAboutARun(t *testing.T) {
	inBubble(t, Config{Default: webtest.LoadSmall(t)}, func(t *testing.T, h *harness) {
		c := h.client("/ws")
		defer c.close()
		run := c.hello.Run
		everything := h.question("/api/events?run=" + run + "&seq=6&n=200")
		if len(everything.Events) != 6*protocol.RowWidth {
			t.Fatalf("%d integers for 6 events", len(everything.Events))
		}
		for k := range 6 {
			if row := everything.row(k); row[0] != int64(k+1) || row[14] < 0 {
				t.Errorf("row %d is %v", k, row)
			}
		}
		last := h.question("/api/events?run=" + run + "&seq=6&n=2")
		if fmt.Sprint(last.Events) != fmt.Sprint(everything.Events[4*protocol.RowWidth:]) {
			t.Errorf("the last two are %v", last.Events)
		}
		first := h.question("/api/step?run=" + run + "&seq=0")
		if n := len(first.Events) / protocol.RowWidth; n < 2 || first.row(0)[0] != 1 || wheel.Kind(first.row(0)[3]) != wheel.KindSchedule {
			t.Errorf("the first step is %v", first.Events)
		}
		if len(first.Names) < 3 || first.Names[0] != float64(first.row(0)[4]) {
			t.Errorf("it names %v", first.Names)
		}
		before := h.question("/api/events?run=" + run + "&seq=0&n=5")
		if len(before.Events) != 0 || before.Names == nil {
			t.Errorf("before anything there is %+v", before)
		}
		life := h.question("/api/life?run=" + run + "&id=1")
		for k := range len(life.Events) / protocol.RowWidth {
			if life.row(k)[4] != 1 {
				t.Errorf("row %d of the life of timer 1 is %v", k, life.row(k))
			}
		}
		if !life.Whole || life.ID != 1 || len(life.Events) < 3*protocol.RowWidth {
			t.Errorf("the life of timer 1 is %+v", life)
		}
	})
}

// The expected and actual values of a finding are those of the trace: ticks relative to the start,
// counts unchanged.
func TestFindingsOfALaterStart(t *testing.T) {
	p, err := program.Load([]byte(`{"wheelscope":1,"tick":"1s","start":1000,"until":30,"lanes":[{"algorithm":"lk668","slots":10}],
	 "workload":{"ops":[{"at":0,"op":"schedule","timer":"ten","delay":10},{"at":2,"op":"schedule","timer":"twice","delay":3,"every":4,"times":1}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	inBubble(t, Config{Default: p}, func(t *testing.T, h *harness) {
		c := h.client("/ws")
		defer c.close()
		run, _ := h.store.Lookup(c.hello.Run)
		end, err := run.EndSeq(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		decoded := h.question(fmt.Sprintf("/api/events?run=%s&seq=%d&n=200", c.hello.Run, end))
		var got []string
		for k := range len(decoded.Events) / protocol.RowWidth {
			if row := decoded.row(k); wheel.Kind(row[3]) == wheel.KindFinding {
				got = append(got, fmt.Sprintf("%s %d %d", wheel.CodeName(uint8(row[13])), row[11], row[10]))
			}
		}
		if want := "[early 10 1 twice 1 2]"; fmt.Sprint(got) != want {
			t.Errorf("the findings are %v, want %s", got, want)
		}
	})
}

// No event follows the last one.
func TestNoStepAfterTheLast(t *testing.T) {
	inBubble(t, Config{Default: webtest.LoadSmall(t)}, func(t *testing.T, h *harness) {
		c := h.client("/ws")
		defer c.close()
		run, _ := h.store.Lookup(c.hello.Run)
		end, err := run.EndSeq(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if a := h.question(fmt.Sprintf("/api/step?run=%s&seq=%d", c.hello.Run, end)); len(a.Events) != 0 {
			t.Errorf("after the last event comes %v", a.Events)
		}
	})
}

func TestQuestionsThatAreRefused(t *testing.T) {
	inBubble(t, Config{Default: webtest.LoadSmall(t)}, func(t *testing.T, h *harness) {
		c := h.client("/ws")
		defer c.close()
		run := "?run=" + c.hello.Run
		for path, want := range map[string]string{
			"/api/step?run=0&seq=1":                      "run:",
			"/api/step" + run:                            "seq:",
			"/api/step" + run + "&seq=-1":                "seq:",
			"/api/step" + run + "&seq=x":                 "seq:",
			"/api/events" + run + "&seq=1":               "n:",
			"/api/events" + run + "&seq=1&n=0":           "n:",
			"/api/events" + run + "&seq=1&n=201":         "n:",
			"/api/events" + run + "&seq=99999&n=5":       "seq: 99999 is not an event",
			"/api/life" + run + "&id=0":                  "id:",
			"/api/life" + run + "&id=4294967296":         "id: 4294967296 is not a timer",
			"/api/life" + run + "&id=999":                "id:",
			"/api/life" + run + "&id=999999999999999999": "id: 999999999999999999 is not a timer",
		} {
			a := h.get(path)
			line := strings.TrimSuffix(a.body, "\n")
			if a.code != http.StatusBadRequest && a.code != http.StatusNotFound || !strings.HasPrefix(line, want) || strings.Contains(line, "\n") {
				t.Errorf("%s: %d %q, want a line that begins with %q", path, a.code, a.body, want)
			}
		}
	})
}

// The text has the limits of the answers.
func TestMessagesTextDescribesTheQuestions(t *testing.T) {
	text := messagesText(t)
	for words, holds := range map[string]bool{
		"its first 60 events": api.NextEventsMax == 60, "K at most 200": api.RecentEventsMax == 200, "the first 400 events": api.LifeEventsMax == 400,
		"not computed within 5 s": api.EventsWait.Seconds() == 5,
	} {
		if !strings.Contains(text, words) || !holds {
			t.Errorf("%q is missing, or written differently", words)
		}
	}
	for _, path := range []string{"/api/step", "/api/events", "/api/life"} {
		if !strings.Contains(text, "`"+path+"?") {
			t.Errorf("%s is not described", path)
		}
	}
}
