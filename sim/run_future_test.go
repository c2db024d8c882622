package sim_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/wheel"
)

// futureOf returns what happens in a lane to the timer with the given ID, by the records of its tick.
func futureOf(records []engine.Record, lane int, id uint32) engine.Future {
	f := engine.Future{Kind: wheel.KindFinding, Level: wheel.NoLevel, Rounds: -1}
	for i := range records {
		r := &records[i]
		if int(r.Lane) != lane || r.ID != id {
			continue
		}
		switch r.Kind {
		case wheel.KindPlace:
			f = engine.Future{Kind: r.Kind, Level: r.ToLevel, Slot: r.ToSlot, Rounds: max(r.X, -1)}
		case wheel.KindMove, wheel.KindCascade:
			f.Level, f.Slot = r.ToLevel, r.ToSlot
		case wheel.KindPend, wheel.KindReject, wheel.KindExpire:
			f = engine.Future{Kind: r.Kind, Level: wheel.NoLevel, Rounds: -1, Code: r.Code}
		}
	}
	return f
}

// What Futures tells is what happens when the scenario has the operation, in every algorithm.
func TestFuturesAreTrue(t *testing.T) {
	for _, name := range []string{"every-algorithm", "reach", "kafka-ranges", "lateness", "ten-slots"} {
		data, ok := library.Builtin(name)
		if !ok {
			t.Fatal(name)
		}
		p, err := program.Load(data)
		if err != nil {
			t.Fatal(err)
		}
		store := sim.NewStore(sim.StoreOptions{})
		defer store.Close()
		open := func(p *program.Program) *sim.Run {
			run, err := store.Open(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			store.Retain(t.Context(), run)
			if err := run.Wait(t.Context(), p.Until); err != nil {
				t.Fatal(err)
			}
			return run
		}
		run := open(p)
		delays := []int64{0, 1, 2, 7, 15, 100, 3000}
		for _, tick := range []int64{0, 1, min(9, p.Until)} {
			futures, err := run.Futures(t.Context(), tick, delays)
			if err != nil {
				t.Fatal(err)
			}
			for k, delay := range delays {
				op, err := p.Scenario.DecodeOp(fmt.Appendf(nil, `{"op":"schedule","timer":"the probe","delay":%d}`, delay), tick)
				if err != nil {
					t.Fatal(err)
				}
				edited, err := program.Plan(p.Scenario.WithOp(op))
				if err != nil {
					t.Fatal(err)
				}
				id, last := probeIn(edited, tick)
				if !last {
					continue // generated timers follow it, and Futures takes it for the last operation
				}
				branch := open(edited)
				from, err := branch.SeqAt(t.Context(), tick-1)
				if err != nil {
					t.Fatal(err)
				}
				part, err := branch.EventRange(t.Context(), from, sim.EndOf(tick), 1<<16)
				if err != nil {
					t.Fatal(err)
				}
				for lane := range futures {
					if got, want := futures[lane][k], futureOf(part.Records, lane, id); got != want {
						t.Errorf("%s, lane %s, delay %d at tick %d: %+v, want %+v", name, p.Scenario.Lanes[lane].ID, delay, tick, got, want)
					}
				}
			}
		}
	}
}

// probeIn returns the ID of the timer that p schedules last in the given tick, and reports whether it is the probe.
func probeIn(p *program.Program, tick int64) (id uint32, probe bool) {
	for _, op := range p.Ops {
		if op.At == tick && op.ID != 0 {
			id = op.ID
		}
	}
	return id, id != 0 && p.Name(id) == "the probe"
}

// The copies of a large run are counted before they are made.
func TestFuturesAreBounded(t *testing.T) {
	data, _ := library.Builtin("hundred-thousand")
	p, err := program.Load(data)
	if err != nil {
		t.Fatal(err)
	}
	store := sim.NewStore(sim.StoreOptions{})
	defer store.Close()
	run, err := store.Open(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	store.Retain(t.Context(), run)
	_, err = run.Futures(t.Context(), 3, make([]int64, 5000))
	var large *sim.FutureError
	if !errors.As(err, &large) || large.Max < 1 || large.Max >= 5000 {
		t.Errorf("%v", err)
	}
}
