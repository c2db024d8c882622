package sim

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/wheel"
)

func TestSameProgramSameRun(t *testing.T) {
	s, r := openRun(t, plantest.Load(t, plantest.Small))
	again, err := s.Open(t.Context(), plantest.Load(t, plantest.Small))
	if err != nil || again != r {
		t.Fatalf("the same scenario opens another run (%v)", err)
	}
	found, ok := s.Lookup(r.Digest()[:DigestShort])
	if !ok || found != r {
		t.Fatal("the run is not found by its short digest")
	}
	if _, ok := s.Lookup(r.Digest()[:DigestShort-1]); ok {
		t.Fatal("too short a digest finds a run")
	}
}

func TestLeastRecentlyUsedGoes(t *testing.T) {
	s := NewStore(StoreOptions{})
	t.Cleanup(s.Close)
	var first *Run
	for n := range StoreRunsMax + 1 {
		r, err := s.Open(t.Context(), plantest.Load(t, strings.Replace(plantest.Small, `"until":60`, `"until":`+strconv.Itoa(60+n), 1)))
		if err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			first = r
			if err := r.Wait(t.Context(), 60); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, ok := s.Lookup(first.Digest()); ok {
		t.Fatalf("%d runs are kept", StoreRunsMax+1)
	}
	if _, err := first.Seek(t.Context(), EndOf(30), 0); err != nil {
		t.Fatal("a run that somebody holds is of no use after it left the store:", err)
	}
}

// TestForkSharesWhatLiesBefore edits a run at tick 30: the fork has the parent's checkpoints
// before that, and its ticks and timeline equal those of a separate run.
func TestForkSharesWhatLiesBefore(t *testing.T) {
	parent := plantest.Load(t, plantest.Small)
	s, r := openRun(t, parent)
	if err := r.Wait(t.Context(), parent.Until); err != nil {
		t.Fatal(err)
	}
	edited := strings.Replace(plantest.Small, `],
 "generate"`, `,{"at":30,"op":"schedule","timer":"late","delay":7}],
 "generate"`, 1)
	p := plantest.Load(t, edited)
	fork, err := s.Fork(t.Context(), r, p)
	if err != nil {
		t.Fatal(err)
	}
	shared := 0
	for _, m := range marksOf(fork)[1:] {
		for _, o := range marksOf(r)[1:] {
			if m.engine == o.engine {
				shared++
				if m.Tick >= 30 {
					t.Fatalf("shares a checkpoint at tick %d", m.Tick)
				}
			}
		}
	}
	if shared == 0 {
		t.Fatal("shares no checkpoint")
	}
	want := plantest.RunStraight(t, p)
	for tick := p.Until; tick >= 0; tick-- {
		got, err := fork.Seek(t.Context(), EndOf(tick), wheel.AllEntries)
		if err != nil {
			t.Fatal(err)
		}
		plantest.SameSnapshot(t, "tick "+strconv.FormatInt(tick, 10), got, want.States[tick])
	}
	own, err := newRun(p, s)
	if err != nil {
		t.Fatal(err)
	}
	own.compute(t.Context())
	sameTimeline(t, fork.Timeline(), own.Timeline())
}

// marksOf returns the checkpoints of a run that may still be computing.
func marksOf(r *Run) []checkpoint {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.checkpoints)
}

func sameTimeline(t *testing.T, got, want *Timeline) {
	t.Helper()
	if got.Events != want.Events || got.Computed != want.Computed || got.Bucket != want.Bucket {
		t.Fatalf("timeline has %d events up to %d, want %d up to %d", got.Events, got.Computed, want.Events, want.Computed)
	}
	for i := range want.Lanes {
		g, w := got.Lanes[i], want.Lanes[i]
		for k := range w.Live {
			if g.Live[k] != w.Live[k] || g.Expire[k] != w.Expire[k] || g.Cascade[k] != w.Cascade[k] || g.Reject[k] != w.Reject[k] || g.Cost[k] != w.Cost[k] || g.Finding[k] != w.Finding[k] {
				t.Fatalf("lane %d bucket %d differs", i, k)
			}
		}
	}
}

// TestTimelineCounts compares the timeline with the records.
func TestTimelineCounts(t *testing.T) {
	p := plantest.Load(t, plantest.Small)
	want := plantest.RunStraight(t, p)
	_, r := openRun(t, p)
	if err := r.Wait(t.Context(), p.Until); err != nil {
		t.Fatal(err)
	}
	line := r.Timeline()
	if line.Bucket != 1 || !line.Done || line.Events != int64(len(want.Records)) {
		t.Fatalf("bucket %d, done %v, %d events, want %d", line.Bucket, line.Done, line.Events, len(want.Records))
	}
	for i, l := range line.Lanes {
		for tick := range l.Live {
			var expire, cascade, reject int64
			for _, rec := range want.Records {
				if int(rec.Lane) == i && rec.Tick == int64(tick) {
					switch rec.Kind {
					case wheel.KindExpire:
						expire++
					case wheel.KindCascade:
						cascade++
					case wheel.KindReject:
						reject++
					}
				}
			}
			at := want.States[tick].Lanes[i]
			if l.Expire[tick] != expire || l.Cascade[tick] != cascade || l.Reject[tick] != reject || l.Live[tick] != int64(at.Live) {
				t.Fatalf("lane %d tick %d: %d expire %d cascade %d reject %d live, want %d %d %d %d", i, tick,
					l.Expire[tick], l.Cascade[tick], l.Reject[tick], l.Live[tick], expire, cascade, reject, at.Live)
			}
		}
	}
}

// TestCheckpointsKeepToTheirBudget makes every second checkpoint be dropped.
func TestCheckpointsKeepToTheirBudget(t *testing.T) {
	p := plantest.Load(t, plantest.Small)
	_, r := openRun(t, p)
	if err := r.Wait(t.Context(), p.Until); err != nil {
		t.Fatal(err)
	}
	var sum int64
	for _, m := range marksOf(r) {
		sum += m.bytes
	}
	if r.spacing == tiny.CheckpointCost || sum > tiny.CheckpointBytes {
		t.Fatalf("%d bytes in checkpoints %d apart", sum, r.spacing)
	}
	if kept := len(marksOf(r)); kept < 3 {
		t.Fatalf("only %d checkpoints are left", kept)
	}
}

func TestClosedStore(t *testing.T) {
	s := NewStore(StoreOptions{})
	s.Close()
	if _, err := s.Open(t.Context(), plantest.Load(t, plantest.Small)); !errors.Is(err, ErrClosed) {
		t.Fatalf("error is %v, want ErrClosed", err)
	}
}

// TestTooLongARun checks that a run whose computation ends at a limit can be viewed up to that
// limit.
func TestTooLongARun(t *testing.T) {
	p := plantest.Load(t, `{"wheelscope":1,"until":4611686018427387000,"lanes":[{"algorithm":"rounds","slots":1}],
		"workload":{"ops":[{"at":0,"op":"schedule","timer":"far","delay":4611686018427386000}]}}`)
	sizes := tiny
	sizes.WorkMax = 10000
	_, r := openRunSized(t, p, sizes)
	err := r.Wait(t.Context(), p.Until)
	var long *TooLongError
	if !errors.As(err, &long) {
		t.Fatalf("error is %v", err)
	}
	s, err := r.Seek(t.Context(), EndOf(long.Tick), 1)
	if err != nil || s.Lanes[0].Places[0].Entries[0].Rounds != 4611686018427386000-1-long.Tick {
		t.Fatalf("at tick %d: %v %+v", long.Tick, err, s)
	}
}

// The engines of a run reduce the memory for its checkpoints, but two of them, packed, always fit.
func TestCheckpointLimit(t *testing.T) {
	page := Sizes{CheckpointBytes: 100, BesideEngines: 3}
	for bytes, want := range map[int64]int64{1: 97, 10: 70, 16: 52, 17: 17, 40: 40, 120: 100} {
		if got := page.checkpointLimit(bytes); got != want {
			t.Errorf("with engines of %d bytes: %d, want %d", bytes, got, want)
		}
	}
	if got := tiny.checkpointLimit(1 << 20); got != tiny.CheckpointBytes {
		t.Errorf("without engines beside them: %d", got)
	}
}
