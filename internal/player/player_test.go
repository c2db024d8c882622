package player

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/tracefile"
	"github.com/wheelscope/wheelscope/wheel"
)

// runOf computes a scenario.
func runOf(t *testing.T, scenario string) *sim.Run {
	t.Helper()
	data, ok := library.Builtin(scenario)
	if !ok {
		data = []byte(scenario)
	}
	p, err := program.Load(data)
	if err != nil {
		t.Fatal(err)
	}
	store := sim.NewStore(sim.StoreOptions{})
	t.Cleanup(store.Close)
	run, err := store.Open(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// fileOf returns a run's file.
func fileOf(t *testing.T, run *sim.Run, o Options) string {
	t.Helper()
	var b strings.Builder
	if err := Write(t.Context(), &b, run, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// unpack returns the content of a block of a file.
func unpack(t *testing.T, file, id string) []byte {
	t.Helper()
	m := regexp.MustCompile(`<script id="` + id + `" type="[^"]+">([^<]*)</script>`).FindStringSubmatch(file)
	if m == nil {
		t.Fatalf("the file has no block %q", id)
	}
	z, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(m[1])))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// The trace in a file equals the run's byte for byte, and has the documented type.
func TestFileHoldsTheTrace(t *testing.T) {
	run := runOf(t, "three-slots")
	file := fileOf(t, run, Options{Open: 7})
	var want bytes.Buffer
	if _, err := tracefile.Write(t.Context(), &want, run.Program(), tracefile.Options{}); err != nil {
		t.Fatal(err)
	}
	if got := unpack(t, file, "trace"); !bytes.Equal(got, want.Bytes()) {
		t.Errorf("the trace is another than the run's: %.200s", got)
	}
	if n := strings.Count(file, `<script id="trace" type="`+TraceType+`">`); n != 1 {
		t.Errorf("%d scripts are of the trace's type", n)
	}
	var s struct{ Open int64 }
	if err := json.Unmarshal(unpack(t, file, "score"), &s); err != nil || s.Open != 7 {
		t.Errorf("opens at %d, %v", s.Open, err)
	}
}

// The same run results in the same file: it does not depend on the machine or the time.
func TestFileIsTheSameAgain(t *testing.T) {
	first, again := fileOf(t, runOf(t, "clock-12"), Options{}), fileOf(t, runOf(t, "clock-12"), Options{})
	if first != again {
		t.Error("two files of one run differ")
	}
}

// A file makes no requests: it has no URL except the reserved one, and its policy allows none.
func TestFileNamesNoAddress(t *testing.T) {
	file := fileOf(t, runOf(t, "ten-slots"), Options{})
	if !strings.Contains(file, `content="default-src 'none';`) {
		t.Error("the file has no policy")
	}
	blocks := regexp.MustCompile(`(?s)<script id=.*?</script>`)
	for _, part := range []string{`src=`, `href="http`, `url(`, `import("http`, `https://`} {
		if strings.Contains(blocks.ReplaceAllString(file, ""), part) {
			t.Errorf("outside its blocks the file has %q", part)
		}
	}
	var k struct{ Views map[string]kitView }
	if err := json.Unmarshal(unpack(t, file, "kit"), &k); err != nil || len(k.Views) != 2 {
		t.Fatalf("%d views, %v", len(k.Views), err)
	}
	for name, view := range k.Views {
		if strings.Contains(view.Sheet, "url(") || strings.Contains(view.Sheet, "@import") {
			t.Errorf("%s: the style sheet asks for more", name)
		}
		if view.Script == "" || strings.Contains(view.Script, "import(") || strings.Contains(view.Script, "import.meta") {
			t.Errorf("%s: the script of %d bytes asks for more", name, len(view.Script))
		}
	}
}

// Names of users are in the file as text only.
func TestFileIsNoPlaceForMarkup(t *testing.T) {
	nasty := `{"wheelscope":1,"name":"</title><script>alert(1)</script>","lanes":[{"id":"</script>","algorithm":"heap"}],
		"workload":{"ops":[{"at":0,"op":"schedule","timer":"<img src=x>","delay":1}]}}`
	file := fileOf(t, runOf(t, nasty), Options{Note: &Note{What: map[string]string{"en": "</script>"}}})
	for _, part := range []string{"<script>alert", "<img", "</title><"} {
		if strings.Contains(file, part) {
			t.Errorf("the file has %q", part)
		}
	}
	if open, shut := strings.Count(file, "<script"), strings.Count(file, "</script>"); open != shut || open != 4 {
		t.Errorf("%d scripts begin and %d end, want 4", open, shut)
	}
}

// Errors of Write are returned, including the writer's.
func TestWriteFails(t *testing.T) {
	run := runOf(t, "clock-12")
	if err := Write(t.Context(), full{}, run, Options{}); !errors.Is(err, errFull) {
		t.Errorf("a full disk: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Write(ctx, io.Discard, runOf(t, "hundred-thousand"), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}

var errFull = errors.New("full")

// full accepts no bytes.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

// Names by id are restored as they were, and numbered ones take no space.
func TestNames(t *testing.T) {
	run := runOf(t, `{"wheelscope":1,"until":900,"lanes":[{"algorithm":"heap"}],"workload":{
		"ops":[{"at":0,"op":"schedule","timer":"a007","delay":1},{"at":0,"op":"schedule","timer":"9","delay":1},{"at":0,"op":"schedule","timer":"重试12","delay":1},
			{"at":0,"op":"schedule","timer":"x99999999999999999999","delay":1},{"at":0,"op":"schedule","timer":"x0","delay":1},{"at":0,"op":"schedule","timer":"x1","delay":1}],
		"generate":[{"prefix":"conn","seed":1,"count":500,"arrivals":{"dist":"uniform","min":0,"max":9},"delay":{"dist":"uniform","min":1,"max":20}}]}}`)
	p := run.Program()
	list := namesOf(p, p.Name)
	var back []string
	for _, item := range list {
		switch v := item.(type) {
		case string:
			back = append(back, v)
		case []any:
			for k := range v[2].(int64) {
				back = append(back, v[0].(string)+itoa(v[1].(int64)+k))
			}
		}
	}
	for id := 1; id <= p.Timers(); id++ {
		if back[id-1] != p.Name(uint32(id)) {
			t.Fatalf("timer %d is called %q, want %q", id, back[id-1], p.Name(uint32(id)))
		}
	}
	if len(back) != p.Timers() || len(list) > 520 {
		t.Errorf("%d names in %d items for %d timers", len(back), len(list), p.Timers())
	}
}

func itoa(n int64) string { return string(json.RawMessage(mustJSON(n))) }

func mustJSON(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}

// scoreOf returns a run's score.
func scoreOf(t *testing.T, run *sim.Run) *score {
	t.Helper()
	if _, err := run.EndSeq(t.Context()); err != nil {
		t.Fatal(err)
	}
	s, err := newScore(t.Context(), run, Options{}, true)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// sparse is a run with so many ticks that the cursor can stop at few of them.
const sparse = `{"wheelscope":1,"start":5,"until":5000000,"lanes":[{"algorithm":"hierarchical","slots":64,"levels":4},{"algorithm":"list"},{"algorithm":"kafka","slots":20}],
	"workload":{"ops":[{"at":3,"op":"schedule","timer":"a","delay":70000},{"at":3,"op":"schedule","timer":"b","delay":9},{"at":900000,"op":"schedule","timer":"c","delay":4000000},
		{"at":2000000,"op":"stall","for":5000},{"at":2001000,"op":"cancel","timer":"c"}]}}`

// Costs at every stop equal the run's, if every tick is a stop and if few are.
func TestCostsAtStops(t *testing.T) {
	for name, scenario := range map[string]string{"every tick": "three-slots", "stalls": "stalled-driver", "few": sparse} {
		run := runOf(t, scenario)
		s := scoreOf(t, run)
		if few := len(s.Stops) > 0; few != (name == "few") {
			t.Fatalf("%s: there are %d stops", name, len(s.Stops))
		}
		ticks := stopsOf(s)
		totals := make([]int64, len(s.Lanes))
		for k, tick := range ticks {
			snap, err := run.Seek(t.Context(), sim.EndOf(tick), 0)
			if err != nil {
				t.Fatal(err)
			}
			for i := range s.Lanes {
				c := &s.Costs[i]
				if c.Total != nil {
					totals[i] += c.Total[k]
				} else {
					totals[i] += c.Tick[k]
				}
				worst, lag := lastOf(c.Worst, 3, int64(k)), lastOf(c.Lag, 2, int64(k))
				got := engine.LaneCost{Tick: c.Tick[k], Worst: worst[1], WorstAt: worst[2], Total: totals[i], Clock: tick - lag[1]}
				got.Work = snap.Lanes[i].Cost.Work // a recording has the sum only
				if got != snap.Lanes[i].Cost {
					t.Fatalf("%s, tick %d, lane %d: %+v, want %+v", name, tick, i, got, snap.Lanes[i].Cost)
				}
			}
		}
		if ticks[len(ticks)-1] != run.Program().Until {
			t.Errorf("%s: the last stop is %d, want %d", name, ticks[len(ticks)-1], run.Program().Until)
		}
	}
}

// stopsOf returns the ticks at which the cursor can stop.
func stopsOf(s *score) []int64 {
	var ticks []int64
	if s.Stops == nil {
		for k := range s.Costs[0].Tick {
			ticks = append(ticks, int64(k))
		}
		return ticks
	}
	at := int64(0)
	for _, step := range s.Stops {
		at += step
		ticks = append(ticks, at)
	}
	return ticks
}

// lastOf returns the last group of a flat list whose first number is at most k.
func lastOf(list []int64, width int, k int64) []int64 {
	at := 0
	for at+width < len(list) && list[at+width] <= k {
		at += width
	}
	return list[at : at+width]
}

// Ticks, steps and frames are those of the run.
func TestScoreOfARun(t *testing.T) {
	run := runOf(t, "heartbeats")
	s := scoreOf(t, run)
	var events, steps, spent int64
	for _, n := range s.Counts {
		events += n
	}
	for _, n := range s.Steps {
		steps += n
	}
	last, err := run.EndSeq(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if events != last || steps != last || s.Events != last || int64(len(s.Spent)) != last {
		t.Errorf("%d events by ticks, %d by steps, %d costs of %d, want %d", events, steps, len(s.Spent), s.Events, last)
	}
	for _, n := range s.Spent {
		if spent += n; n < 0 {
			t.Fatal("an event gives back what was spent")
		}
	}
	if spent == 0 || len(s.Frames) < 3 || s.Frames[0].Seq != 0 {
		t.Errorf("%d spent, %d frames", spent, len(s.Frames))
	}
	k := rand.New(rand.NewPCG(1, 2)).IntN(len(s.Frames)-1) + 1
	snap, err := run.Seek(t.Context(), sim.After(s.Frames[k].Seq), wheel.AllEntries)
	if err != nil {
		t.Fatal(err)
	}
	if want := frameOf(run.Program(), snap); string(mustJSON(s.Frames[k])) != string(mustJSON(want)) {
		t.Errorf("frame %d is not the state after event %d", k, s.Frames[k].Seq)
	}
}

// TestFileOfANamelessScenario checks that the file has a title.
func TestFileOfANamelessScenario(t *testing.T) {
	file := fileOf(t, runOf(t, `{"wheelscope":1,"until":3,"lanes":[{"algorithm":"heap"}],"workload":{"ops":[]}}`), Options{})
	if want := "<title>Scenario without a name · Wheelscope</title>"; !strings.Contains(file, want) {
		t.Errorf("the file has no %s", want)
	}
	if kit := string(unpack(t, file, "kit")); !strings.Contains(kit, "未命名的场景") {
		t.Error("the page in the file has no Chinese heading")
	}
}
