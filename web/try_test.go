package web

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/own"
	"github.com/wheelscope/wheelscope/sim/own/script"
)

const lateWheel = `function create(start) { let now = start; const dues = new Map(); return {
  schedule(key, due) { dues.set(key, due + 1); return true; }, cancel(key) { return dues.delete(key); },
  advance(to) { const fired = [...dues].filter(([, due]) => due <= to).map(([key]) => key); for (const key of fired) dues.delete(key); return fired; } } }`

// A server judges a wheel only if it was told to, and opens the case beside the oracle. A file with a wheel runs only if the request says so.
func TestTry(t *testing.T) {
	defer engine.RecordOwnWith(script.Record)()
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		post := func(path, body string) (int, string) {
			r, err := http.NewRequest("POST", "http://127.0.0.1:8080"+path, strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			a, err := h.do(r)
			if err != nil {
				t.Fatal(err)
			}
			return a.code, a.body
		}
		body, err := json.Marshal(map[string]any{"source": lateWheel, "slots": 8, "levels": 1})
		if err != nil {
			t.Fatal(err)
		}
		if code, text := post("/api/try", string(body)); code != 403 || !strings.Contains(text, "serve --own") {
			t.Errorf("%d %s", code, text)
		}
		h.server.JudgeWith(func(ctx context.Context, trial *own.Trial) (*own.Result, error) {
			return script.NewJudged(trial.Name, trial.Source, 0).Try(ctx, &trial.Exam)
		})
		for _, bad := range []string{"", "{", `{"source":"","slots":1}`} {
			if code, text := post("/api/try", bad); code != 400 || strings.Count(text, "\n") != 1 {
				t.Errorf("%s: %d %s", bad, code, text)
			}
		}
		code, text := post("/api/try", string(body))
		var v struct {
			First int
			Run   string
			Tick  int64
		}
		if err := json.Unmarshal([]byte(text), &v); err != nil || code != 200 || v.First != 0 || len(v.Run) != 64 || v.Tick != 1 {
			t.Errorf("%d %s", code, text)
		}
		if _, text := post("/api/try?lang=zh", string(body)); !strings.Contains(text, "advance(1) 之后，定时器") || strings.Contains(text, "phrases") {
			t.Error(text)
		}
		file, err := json.Marshal(lateWheel)
		if err != nil {
			t.Fatal(err)
		}
		scenario := `{"wheelscope":1,"lanes":[{"algorithm":"own","source":` + string(file) + `}],"workload":{"ops":[{"at":0,"op":"schedule","timer":"a","delay":2}]}}`
		if code, text := post("/api/import", scenario); code != 200 || !strings.Contains(text, `"own":true`) || strings.Contains(text, `"run"`) {
			t.Errorf("%d %s", code, text)
		}
		if code, text := post("/api/import?own=1", scenario); code != 200 || !strings.Contains(text, `"run":"`) {
			t.Errorf("%d %s", code, text)
		}
		if code, text := post("/api/estimate", scenario); code != 200 || !strings.Contains(text, `"own":true`) {
			t.Errorf("%d %s", code, text)
		}
	})
}
