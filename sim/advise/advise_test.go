package advise

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/scheme/hierarchical"
)

func workload(t testing.TB, q Questions) *Workload {
	t.Helper()
	w, err := q.Workload()
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func load(t testing.TB, text string) *program.Program {
	t.Helper()
	p, err := program.Load([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The FIFO fires what a hierarchical wheel fires, at the same ticks, under random operations with few delays.
func TestFIFOAgreesWithAWheel(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	f := newFIFO()
	h, err := hierarchical.New(hierarchical.Config{Slots: []int{8}, Grow: true, Width: 1})
	if err != nil {
		t.Fatal(err)
	}
	type pair struct{ f, h wheel.Timer }
	var all []pair
	fired := 0
	for now := wheel.Tick(1); now < 5000; now++ {
		a, _ := f.Advance(now, nil, 0)
		b, _ := h.Advance(now, nil, 0)
		by := func(x, y wheel.Expiry) int { return int(x.Key) - int(y.Key) }
		slices.SortFunc(a, by)
		slices.SortFunc(b, by)
		if !slices.Equal(a, b) || f.Len() != h.Len() {
			t.Fatalf("tick %d: %v and %v, %d and %d are pending", now, a, b, f.Len(), h.Len())
		}
		fired += len(a)
		for range rng.IntN(4) {
			s := wheel.Spec{Due: now + []wheel.Tick{1, 7, 60, 900}[rng.IntN(4)], Key: uint32(len(all) + 1)}
			if rng.IntN(4) == 0 {
				s.Every, s.Times = 40, int32(rng.IntN(3)+1)
			}
			x, _, err1 := f.Schedule(s)
			y, _, err2 := h.Schedule(s)
			if err1 != nil || err2 != nil {
				t.Fatal(err1, err2)
			}
			all = append(all, pair{x, y})
		}
		if k := rng.IntN(len(all) + 1); k < len(all) {
			if f.Armed(all[k].f) != h.Armed(all[k].h) || f.Cancel(all[k].f) != h.Cancel(all[k].h) {
				t.Fatalf("tick %d: timer %d is armed in one of them", now, k+1)
			}
		}
	}
	if fired < 1000 {
		t.Errorf("%d fired", fired)
	}
	for delay := range wheel.Tick(fifoDelaysMax + 1) {
		_, _, err = f.Schedule(wheel.Spec{Due: f.now + 2000 + delay, Key: 1})
	}
	if !errors.Is(err, wheel.ErrCapacity) {
		t.Errorf("more than %d delays: %v", fifoDelaysMax, err)
	}
}

// A steady workload keeps its number of pending timers, and ends them by the shares that were asked for.
func TestQuestions(t *testing.T) {
	q := Questions{Pending: 500, Delay: 2 * time.Second, ResetShare: 0.5, CancelShare: 0.3}
	w := workload(t, q)
	ref := newReference()
	ref.timers = make([]armed, w.timers+1)
	for _, p := range w.setup {
		ref.timers[p.id].handle, _, _ = ref.wheel.Schedule(wheel.Spec{Due: p.due, Key: p.id})
	}
	for i := range w.ops {
		ref.add(&w.ops[i])
	}
	ref.advance(w.until)
	if n := ref.wheel.Len(); n < 490 || n > 500 {
		t.Errorf("%d are pending at the end", n)
	}
	if ref.fired != w.Fired || ref.total != w.Events || w.Events < SampleEvents*9/10 {
		t.Errorf("%d fired of %d events, stated %d of %d", ref.fired, ref.total, w.Fired, w.Events)
	}
	resets, cancels := 0, 0
	for _, o := range w.ops {
		switch o.Kind.String() {
		case "reset":
			resets++
		case "cancel":
			cancels++
		}
	}
	ends := float64(resets) + float64(cancels) + float64(w.Fired)
	if r, c := float64(resets)/ends, float64(cancels)/ends; r < 0.48 || r > 0.52 || c < 0.28 || c > 0.32 {
		t.Errorf("shares %.3f and %.3f", r, c)
	}
	for want, bad := range map[string]Questions{
		"--pending: 0 is not between 1 and":              {Delay: time.Second},
		"--delay: 0s is not between":                     {Pending: 1},
		"--reset-share: 2 is not between 0":              {Pending: 1, Delay: time.Second, ResetShare: 2},
		"--cancel-share: 0.6 is not between 0 and 1, or": {Pending: 1, Delay: time.Second, ResetShare: 0.6, CancelShare: 0.6},
	} {
		if _, err := bad.Workload(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// A long program is sampled in whole periods, with all timers that are pending then; a short one is taken whole.
func TestSample(t *testing.T) {
	p := load(t, `{"wheelscope":1,"until":2000000,"lanes":[{"algorithm":"heap"}],"workload":{"generate":[
		{"prefix":"beat","seed":1,"count":500,"arrivals":{"dist":"uniform","min":0,"max":20},"delay":{"dist":"constant","value":1000},"every":1000,"times":-1}]}}`)
	w, err := FromProgram(p)
	if err != nil {
		t.Fatal(err)
	}
	if length := w.until - w.from; w.Whole || w.Events < SampleEvents || w.Events > 2*SampleEvents || w.Pending() != 500 || length < 1000 {
		t.Errorf("%d events of %d ticks, %d pending", w.Events, length, w.Pending())
	}
	if w.Fired != w.Events {
		t.Errorf("%d of %d events are runs", w.Fired, w.Events)
	}
	short, err := FromProgram(load(t, `{"wheelscope":1,"lanes":[{"algorithm":"heap"}],"workload":{"ops":[{"at":0,"op":"schedule","timer":"a","delay":5},{"at":1,"op":"reset","timer":"a","delay":7}]}}`))
	if err != nil || !short.Whole || short.Events != 3 || short.Pending() != 0 {
		t.Errorf("%+v, %v", short, err)
	}
	if _, err := FromProgram(load(t, `{"wheelscope":1,"lanes":[{"algorithm":"heap"}],"workload":{"ops":[]}}`)); !errors.Is(err, ErrNoOperations) {
		t.Error(err)
	}
	stream := NewStream()
	for i := range p.Ops {
		o := &p.Ops[i]
		stream.Add(&scenario.Op{Kind: o.Kind, At: o.At, Timer: p.Name(o.ID), Delay: o.Delay, Every: o.Every, Times: o.Times})
	}
	stream.Add(&scenario.Op{Kind: scenario.OpStall, At: p.Until})
	if streamed, err := stream.Workload(w.Name, w.Tick); err != nil || streamed.Events != w.Events || streamed.from != w.from || streamed.Pending() != w.Pending() || streamed.Operations != 500 {
		t.Errorf("streamed: %d events from %d, %d pending, %v", streamed.Events, streamed.from, streamed.Pending(), err)
	}
	big, err := w.Scaled(3)
	if err != nil || big.Pending() != 1500 || big.Events != 3*w.Events {
		t.Errorf("three times: %d pending, %v", big.Pending(), err)
	}
	if _, err := w.Scaled(ScaleMax + 1); err == nil {
		t.Error("no bound of the scale")
	}
}

// Every structure that a workload allows agrees on what fires; those that do not are not recommended.
// Copies of a workload with one delay leave a queue for each delay in order.
func TestScaledKeepsQueuesInOrder(t *testing.T) {
	w, err := Questions{Pending: 5000, Delay: time.Minute, ResetShare: 0.99}.Workload()
	if err != nil {
		t.Fatal(err)
	}
	if w, err = w.Scaled(10); err != nil {
		t.Fatal(err)
	}
	n, err := counted(t.Context(), w, &Candidate{Algorithm: FIFO, Width: 1})
	if err != nil {
		t.Fatal(err)
	}
	if n.PassedOver > 0 {
		t.Errorf("a queue passes over %d timers in %d events", n.PassedOver, w.Events)
	}
}

func TestSpace(t *testing.T) {
	if n := len(Space()); n < 300 {
		t.Errorf("%d structures", n)
	}
	w := workload(t, Questions{Pending: 50, Delay: 300 * time.Millisecond, CancelShare: 0.5})
	w = w.First(20000)
	c := NewCounting(w, Options{AcceptLate: 5 * time.Millisecond})
	if err := c.Count(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	if n, all := c.Done(); n != 0 || all == 0 {
		t.Errorf("%d of %d are counted in no time", n, all)
	}
	if err := c.Count(t.Context(), time.Hour); err != nil {
		t.Fatal(err)
	}
	a, err := c.Advice()
	if err != nil {
		t.Fatal(err)
	}
	of := map[string]bool{}
	for _, r := range a.Results {
		of[r.Algorithm] = true
		if r.Late > a.Options.AcceptLate || r.Ticks == 0 || r.Bytes == 0 {
			t.Errorf("%s: %+v", r.Name(w.Tick), r.Count)
		}
	}
	for _, want := range []string{PackageTime, FIFO, "hierarchical", "rounds", "simple", "hashed-sorted", "heap", "sorted", "calendar", "tokio", "linux-classic", "callout", "netty", "kafka"} {
		if !of[want] {
			t.Errorf("no %s meets the constraints", want)
		}
	}
}

// Without timing, the advice is the same each time, has all its parts, and meets the constraints.
func TestAdviseWithoutTiming(t *testing.T) {
	w := workload(t, Questions{Pending: 300, Delay: time.Second, ResetShare: 0.9}).First(5000)
	o := Options{AcceptLate: 20 * time.Millisecond, MemoryMax: 200_000, NoTime: true}
	var texts []string
	for range 2 {
		a, err := Advise(t.Context(), w, o)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(a.Report("a machine"))
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
		if a.Timed || a.Partial || a.Best.Late > o.AcceptLate || a.Best.Bytes > o.MemoryMax || a.Best.Tenfold <= 0 || !strings.HasPrefix(a.Words()[0], "Use "+a.Best.Name(w.Tick)) {
			t.Errorf("%+v", a.Best)
		}
		for _, r := range append(a.Equal, a.Best) {
			if r.Time() > alike*a.Results[0].Time() || r.Late < a.Best.Late {
				t.Errorf("%s is equal to %s", r.Name(w.Tick), a.Best.Name(w.Tick))
			}
		}
	}
	if texts[0] != texts[1] || strings.Contains(texts[0], "a machine") {
		t.Errorf("%s\n%s", texts[0], texts[1])
	}
}

// A timed advice has package time among the timed, and is partial if it is interrupted.
func TestAdviseTimes(t *testing.T) {
	w := workload(t, Questions{Pending: 100, Delay: 100 * time.Millisecond, CancelShare: 0.9}).First(3000)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	o := Options{AcceptLate: time.Millisecond, Progress: func(done, total int) {
		if done > total*9/10 {
			cancel()
		}
	}}
	a, err := Advise(ctx, w, o)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(a.Results, func(r *Result) bool { return r.Algorithm == PackageTime })
	if !a.Timed || !a.Partial || i < 0 || a.Results[i].NS <= 0 || a.Best.NS <= 0 || len(a.shortlist()) != shortlistMax+1 {
		t.Errorf("timed %v, partial %v, %+v", a.Timed, a.Partial, a.Best)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := Advise(ended, w, Options{NoTime: true}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestUnmetConstraints(t *testing.T) {
	w := workload(t, Questions{Pending: 300, Delay: time.Second}).First(2000)
	for want, o := range map[string]Options{
		`^--memory-max 1\.0 kB: no structure meets it; the nearest is .* with [0-9.]+ kB, [0-9.]+ times as much$`:             {MemoryMax: 1000},
		`^--worst-tick-max 1: no structure meets it; the nearest is .* with [0-9]+ units in one tick, [0-9.]+ times as much$`: {WorstTickMax: 1},
	} {
		o.NoTime = true
		if _, err := Advise(t.Context(), w, o); err == nil || !regexp.MustCompile(want).MatchString(err.Error()) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// The advice names a herd, the rate at which the choice does not matter, and at most a few equals.
func TestWordsOfAHerd(t *testing.T) {
	w, err := FromProgram(load(t, `{"wheelscope":1,"name":"herd","title":"herd","tick":"10ms","until":5000,"lanes":[{"algorithm":"heap"}],"workload":{"generate":[
		{"prefix":"h","seed":1,"count":2500,"arrivals":{"dist":"constant","value":0},"delay":{"dist":"constant","value":1000},"every":1000,"times":-1}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	a, err := Advise(t.Context(), w, Options{NoTime: true})
	if err != nil {
		t.Fatal(err)
	}
	a.Equal = a.Results[1 : equalNamed+4]
	words := strings.Join(a.Words(), "\n")
	for _, want := range []string{"2500 timers with a period of 10s fire in one tick. Spread over the period, as timer.WithJitter(1) does, 3 fire in a tick.", "so the choice hardly matters", "; 3 more.\n"} {
		if !strings.Contains(words, want) {
			t.Errorf("%q is not in\n%s", want, words)
		}
	}
}

// The Go lines of every structure compile.
func TestGoLinesCompile(t *testing.T) {
	imports, body := map[string]bool{}, ""
	for _, c := range Space() {
		if c.Width > 2 {
			continue // they differ in a number
		}
		lines, needed := c.GoLines(time.Millisecond)
		for _, i := range needed {
			imports[i] = true
		}
		body += "func() {\n" + strings.Join(lines, "\n") + "\n"
		if strings.Contains(lines[0], "err :=") {
			body += "if err != nil { panic(err) }\nw.Close()\n"
		}
		body += "}()\n"
	}
	text := "package main\nimport (\n"
	for i := range imports {
		text += "\"" + i + "\"\n"
	}
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(text+")\nfunc main() {\n"+body+"}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "go", "run", file).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
