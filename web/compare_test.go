package web

import (
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/compare"
	"github.com/wheelscope/wheelscope/sim/quiz"
	"github.com/wheelscope/wheelscope/web/api"
)

// answered decodes the JSON of a successful answer.
func answered[T any](t *testing.T, a answer) (v T) {
	t.Helper()
	if a.code != 200 {
		t.Fatalf("%d %s", a.code, a.body)
	}
	if err := json.Unmarshal([]byte(a.body), &v); err != nil {
		t.Fatalf("%v in %.200s", err, a.body)
	}
	return v
}

// runOf opens a scenario as a page does and returns the name of its run.
func runOf(h *harness, scenario string) string {
	h.t.Helper()
	c := h.client("/ws?scenario=" + scenario)
	defer c.close()
	return c.hello.Run
}

func TestCompareReportsTheWholeRun(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		run := runOf(h, "cascade-storm")
		en := answered[api.Comparison](t, h.get("/api/compare?lang=en&run="+run))
		zh := answered[api.Comparison](t, h.get("/api/compare?lang=zh&run="+run))
		r, _ := h.store.Lookup(run)
		want, err := compare.Lanes(t.Context(), r.Program(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range en.Rows {
			want[i].Work, want[i].Pending = row.Work, row.Pending // not in the answer
			if row.LaneResult != want[i] || row.Mean != math.Round(float64(row.Cost)*100/781)/100 {
				t.Errorf("%+v, compare says %+v", row, want[i])
			}
		}
		if len(en.Curves) != 4 || len(en.Curves[0].Mean) != len(en.Curves[3].Early) || en.Bucket*int64(len(en.Curves[0].Live)) < en.Until {
			t.Errorf("%d curves of %d points for %d ticks", len(en.Curves), len(en.Curves[0].Mean), en.Until)
		}
		if !strings.HasPrefix(en.Verdict[0], "All four fired all 500") || !strings.HasPrefix(zh.Verdict[0], "四条泳道都") {
			t.Errorf("%q, %q", en.Verdict, zh.Verdict)
		}
	})
}

func TestCostsAroundACursor(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		run := runOf(h, "cascade-storm")
		costs := answered[struct {
			From  int64
			Lanes [][]int64
		}](t, h.get("/api/costs?from=448&to=575&run="+run))
		if costs.From != 448 || len(costs.Lanes) != 4 || len(costs.Lanes[0]) != 128 || costs.Lanes[0][512-448] != 1496 || slices.Max(costs.Lanes[0]) != 1496 {
			t.Errorf("%+v", costs)
		}
		for _, bad := range []string{"from=0&to=128", "from=-1&to=3", "from=5&to=4", "from=780&to=781", "from=x&to=4", "from=1", ""} {
			if a := h.get("/api/costs?run=" + run + "&" + bad); a.code != 400 || strings.Count(a.body, "\n") != 1 {
				t.Errorf("%s: %d %q", bad, a.code, a.body)
			}
		}
		for _, path := range []string{"/api/costs?from=0&to=1&run=", "/api/compare?run=", "/api/quiz?t=0&n=0&run="} {
			if a := h.get(path + "0000000000000000"); a.code != 404 || strings.Count(a.body, "\n") != 1 {
				t.Errorf("%s: %d %q", path, a.code, a.body)
			}
		}
	})
}

func TestQuizFollowsTheSeed(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		run := runOf(h, "three-slots")
		ask := func(seed string, n int) string {
			return h.get(fmt.Sprintf("/api/quiz?run=%s&t=2&n=%d&seed=%s", run, n, url.QueryEscape(seed))).body
		}
		differ := false
		for n := range 6 {
			if first, again := ask("小明", n), ask("小明", n); first != again {
				t.Errorf("question %d is not the same again", n)
			}
			differ = differ || strings.ReplaceAll(ask("Ada", n), "Ada", "") != strings.ReplaceAll(ask("Bob", n), "Bob", "")
			q := answered[api.Question](t, h.get(fmt.Sprintf("/api/quiz?run=%s&t=2&n=%d&seed=Ada", run, n)))
			choices := []api.Choice{q.Choice}
			if q.Kind == quiz.KindSlot {
				choices = nil
				for _, target := range q.Targets {
					choices = append(choices, target.Choice)
				}
			}
			for _, c := range choices {
				if !slices.Contains(c.Options, c.Answer) || len(c.Reasons) != len(c.Options) || q.Kind == quiz.KindSlot && (c.Seq <= q.From.Seq || len(c.Event) == 0) {
					t.Errorf("question %d: %+v", n, c)
				}
			}
		}
		if end := answered[api.Question](t, h.get("/api/quiz?t=14&n=0&run="+run)); end.Kind != "" || end.Targets == nil {
			t.Errorf("at the end is asked %+v", end)
		}
		if !differ {
			t.Error("two students are asked the same")
		}
	})
}

func TestQuestionsRefuse(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		run := runOf(h, "three-slots")
		for path, code := range map[string]int{
			"/api/quiz?t=x&n=0&run=" + run:                                       400,
			"/api/quiz?t=0&n=-1&run=" + run:                                      400,
			"/api/quiz?t=0&n=0&seed=" + strings.Repeat("x", 129) + "&run=" + run: 400,
			"/api/lecture?name=nope":                                             404,
			"/api/lecture?name=../timing-wheels":                                 404,
			"/api/stop?scenario=nope&t=0&queries={}":                             404,
			"/api/stop?scenario=reach&t=x&queries={}":                            400,
			"/api/stop?scenario=reach&t=0&queries=[]":                            400,
			"/api/stop?scenario=reach&t=0&queries={%22facts%22:{%22n%22:{%22kind%22:%22live%22,%22lane%22:%22no%22}}}": 404,
		} {
			if a := h.get(path); a.code != code || strings.Count(a.body, "\n") != 1 {
				t.Errorf("%s: %d %q, want %d", path, a.code, a.body, code)
			}
		}
	})
}
