package sim

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"
	"unsafe"

	"github.com/wheelscope/wheelscope/internal/budget"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/wheel"
)

// The reservation for a fold matches the memory that the fold takes.
func TestFoldBytes(t *testing.T) {
	p := plantest.Load(t, `{"wheelscope":1,"until":2000,"lanes":[{"algorithm":"hierarchical","levels":4,"slots":64}],"workload":{"generate":[
		{"prefix":"t","seed":5,"count":200000,"arrivals":{"dist":"constant","value":0},"delay":{"dist":"uniform","min":100,"max":1000}}]}}`)
	e := plantest.Engine(t, p)
	e.RunTo(10)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	s := e.Snapshot(wheel.AllEntries)
	f := wheel.NewFold(&s.Lanes[0].State)
	runtime.GC()
	runtime.ReadMemStats(&after)
	if took, want := int64(after.HeapAlloc)-int64(before.HeapAlloc), foldBytes(nil, e.Lanes...); took > want || took < want/2 {
		t.Errorf("a fold takes %d bytes, %d are reserved", took, want)
	}
	runtime.KeepAlive(f)
	runtime.KeepAlive(s)
}

// fullOfTimers has a large engine, and enough work for several checkpoints.
const fullOfTimers = `{"wheelscope":1,"until":2000,"lanes":[{"algorithm":"heap"}],"workload":{"generate":[
	{"prefix":"t","seed":5,"count":20000,"arrivals":{"dist":"constant","value":0},"delay":{"dist":"uniform","min":100,"max":100000}},
	{"prefix":"u","seed":6,"count":20000,"arrivals":{"dist":"uniform","min":0,"max":1},"delay":{"dist":"uniform","min":1,"max":50}}]}}`

// openFull opens a run with a viewer and waits for its first pass. Afterwards the memory of
// its store is taken, except for less than an engine.
func openFull(t *testing.T) (s *Store, r *Run, rest *budget.Reservation) {
	t.Helper()
	p := plantest.Load(t, fullOfTimers)
	e := p.Estimate()
	s = NewStore(StoreOptions{Memory: budget.New(e.Bytes + 2*e.EngineBytes)})
	t.Cleanup(s.Close)
	s.sizes.CheckpointCost = 1 << 12
	r, err := s.Open(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	s.Retain(t.Context(), r)
	if _, err := r.EndSeq(t.Context()); err != nil {
		t.Fatal(err)
	}
	<-r.over
	for r.thin(checkpointsSeen) {
	}
	if r.checkpointBytes() <= s.memory.Limit()/StoreShare {
		t.Fatalf("checkpoints take %d bytes of %d", r.checkpointBytes(), s.memory.Limit())
	}
	if rest, err = s.memory.Try(s.memory.Free() - r.checkpoints[len(r.checkpoints)-1].copied*3/4); err != nil {
		t.Fatal(err)
	}
	return s, r, rest
}

// The checkpoints of a run are dropped for a seek in it, however few they are.
func TestSeekTakesMemoryOfCheckpoints(t *testing.T) {
	_, r, _ := openFull(t)
	if _, err := r.Seek(t.Context(), EndOf(1000), 0); err != nil {
		t.Error(err)
	}
}

// A request without memory waits at most ShortWait for others to release some.
func TestRequestWaitsForMemory(t *testing.T) {
	s, _, rest := openFull(t)
	need := s.memory.Free() + rest.Bytes()/2
	began := time.Now()
	if _, err := s.ReserveWhenFree(t.Context(), need); !errors.As(err, new(*NoMemoryError)) || time.Since(began) < ShortWait {
		t.Errorf("without memory: %v after %v", err, time.Since(began))
	}
	time.AfterFunc(MemoryRetry, rest.Release)
	mem, err := s.ReserveWhenFree(t.Context(), need)
	if err != nil {
		t.Fatal("memory is released, but:", err)
	}
	mem.Release()
	if _, err := s.ReserveWhenFree(t.Context(), s.memory.Limit()); !errors.As(err, new(*NoMemoryError)) {
		t.Errorf("more than there can be: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), MemoryRetry)
	defer cancel()
	began = time.Now()
	rest.Set(s.memory.Limit())
	if _, err := s.ReserveWhenFree(ctx, need); err == nil || time.Since(began) >= ShortWait {
		t.Errorf("cancelled: %v after %v", err, time.Since(began))
	}
}

// A state that lists all timers, and events that are folded onto one, are refused if there is
// no memory for them.
func TestListingIsRefused(t *testing.T) {
	s, r, rest := openFull(t)
	rest.Set(0)
	seq, err := r.SeqAt(t.Context(), 20)
	if err != nil {
		t.Fatal(err)
	}
	seq-- // within a tick
	tick, err := r.TickOf(t.Context(), seq)
	if err != nil {
		t.Fatal(err)
	}
	timers := func(tick int64) int64 {
		e, err := r.EngineAt(t.Context(), tick)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Leave(e)
		return int64(e.Lanes[0].Wheel.Len())
	}
	for what, c := range map[string]struct {
		need int64
		seek func() (*engine.Snapshot, error)
	}{
		"list": {timers(1000) * int64(unsafe.Sizeof(wheel.Entry{})), func() (*engine.Snapshot, error) { return r.Seek(t.Context(), EndOf(1000), wheel.AllEntries) }},
		"fold": {timers(tick-1) * foldTimerBytes, func() (*engine.Snapshot, error) { return r.Seek(t.Context(), After(seq), 0) }},
	} {
		rest.Set(0)
		if _, err := c.seek(); err != nil {
			t.Errorf("%s, with memory: %v", what, err)
		}
		for r.thin(1) || r.dropWarm() {
		}
		s.chunks.forget(r)
		rest.Set(s.memory.Free() - r.Start().Bytes() - c.need/2) // room for an engine and half of what is needed
		_, err := c.seek()
		if full, ok := errors.AsType[*NoMemoryError](err); !ok || full.Need != c.need {
			t.Errorf("%s: %v, want a refusal of %d bytes", what, err, c.need)
		}
	}
}
