package lane

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// vectors are the recorded results of the published wheel's scripts on a real Redis 7.0.15.
type vectors struct {
	Params struct {
		Epoch int64 `json:"epoch"`
	} `json:"params"`
	Scenarios []vectorScenario `json:"scenarios"`
	Cases     []vectorCase     `json:"cases"`
}

// vectorCase is one task under a scanner that ticks at a phase and misses some seconds.
// Times are seconds after the epoch.
type vectorCase struct {
	ExecuteAt float64 `json:"execute_at"`
	TickPhase float64 `json:"tick_phase"`
	Missed    []int64 `json:"missed_tick_seconds"`
	Expect    struct {
		Slice   string   `json:"slice"`
		Score   float64  `json:"score"`
		FiresAt *float64 `json:"fires_at"`
		Error   *float64 `json:"error"`
		Lost    bool     `json:"lost"`
		Stale   int      `json:"stale_zsets_left"`
	} `json:"expect"`
}

func readVectors(t *testing.T) (v vectors) {
	t.Helper()
	data, err := os.ReadFile("testdata/xiaoxu_redis.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	if len(v.Cases) < 100 || len(v.Scenarios) < 13 {
		t.Fatalf("%d cases, %d scenarios", len(v.Cases), len(v.Scenarios))
	}
	return v
}

// ms converts a time of the vectors to base ticks.
func ms(epoch int64, seconds float64) wheel.Tick {
	return epoch*1000 + int64(math.Round(seconds*1000))
}

// The lane reproduces every case of the published wheel: slice, score, the time of firing
// and its error, whether the task is lost and what stays in Redis.
func TestPublishedCases(t *testing.T) {
	v := readVectors(t)
	for n, c := range v.Cases {
		t.Run(fmt.Sprintf("%d at %v phase %v", n, c.ExecuteAt, c.TickPhase), func(t *testing.T) {
			checkCase(t, v.Params.Epoch, c)
		})
	}
}

func checkCase(t *testing.T, epoch int64, c vectorCase) {
	start := ms(epoch, 50+c.TickPhase)
	w, err := algorithms.NewIn(catalog.Env{Start: start, TickNanos: 1e6}, id, nil)
	if err != nil {
		t.Fatal(err)
	}
	l := w.(*Lane)
	d := newDriver(l)
	d.do(action{kind: "add", name: "k1", spec: wheel.Spec{Key: 1, Due: ms(epoch, c.ExecuteAt)}})
	checkPlaced(t, d, c)
	fired := runMissing(d, epoch, c)
	lost := 0
	for _, e := range d.events {
		if e.Kind == wheel.KindFinding && e.Code == wheel.CodeLost {
			lost++
		}
	}
	stale := 0
	for _, k := range l.server.dump() {
		if k.kind == "zset" {
			stale++
		}
	}
	want := c.Expect
	if (lost == 1) != want.Lost || stale != want.Stale || (fired == 0) != (want.FiresAt == nil) {
		t.Fatalf("fired %d, lost %d, %d sorted sets left; want %+v", fired, lost, stale, want)
	}
	if want.FiresAt == nil {
		return
	}
	if at := ms(epoch, *want.FiresAt); fired != at {
		t.Errorf("fires at %d, want %d", fired, at)
	}
	if off := fired - ms(epoch, c.ExecuteAt); off != int64(math.Round(*want.Error*1000)) {
		t.Errorf("%d ms off, want %v s", off, *want.Error)
	}
}

// checkPlaced compares the only sorted set with the expected one.
func checkPlaced(t *testing.T, d *driver, c vectorCase) {
	t.Helper()
	keys := d.lane.server.dump()
	if len(keys) != 1 || keys[0].key != c.Expect.Slice || keys[0].scores[0] != c.Expect.Score {
		t.Fatalf("keys %+v, want %s with score %v", keys, c.Expect.Slice, c.Expect.Score)
	}
}

// runMissing advances to the last second of the vectors, and is stalled where ticks were
// missed. It returns the first tick at which something fired, or 0.
func runMissing(d *driver, epoch int64, c vectorCase) (fired wheel.Tick) {
	missed := map[int64]bool{}
	for _, s := range c.Missed {
		missed[s] = true
	}
	stalled := false
	for s := int64(51); s <= 260; s++ {
		if missed[s] {
			stalled = true
			continue
		}
		kind := "advance"
		if stalled {
			kind = "stall"
		}
		stalled = false
		d.do(action{kind: kind, until: ms(epoch, float64(s)+c.TickPhase)})
		if len(d.fired) > 0 && fired == 0 {
			fired = d.lane.Now()
		}
		if err := d.compareFold(); err != nil {
			panic(err)
		}
	}
	return fired
}

// bodyOf returns a task as the recorded scenarios add it.
func bodyOf(body int64) publishedTask {
	return publishedTask{CallbackURL: "http://x/cb", Method: "POST", Req: body}
}

// at returns the time of a second after the epoch.
func at(epoch int64, second int64) time.Time { return time.Unix(epoch+second, 0).UTC() }
