package simtest_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/simtest"
	"github.com/wheelscope/wheelscope/wheel/timer"
)

// A recording of a wheel has the timers of every kind, in order, with the ticks at which they fired.
func TestRecordWheel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, err := timer.New(timer.WithShards(1), timer.WithTick(10*time.Millisecond))
		if err != nil {
			t.Fatal(err)
		}
		defer w.Shutdown(t.Context())
		time.Sleep(time.Second)
		pending := w.AfterFunc(time.Minute, func() {})
		pending.Reset(50 * time.Millisecond) // before the recording begins
		rec := simtest.RecordWheel(t, w)
		sessions := timer.NewKeyed[string](w)
		sessions.AfterFunc("a", 100*time.Millisecond, func(string) {})
		_, cancel := w.WithTimeout(t.Context(), time.Second)
		beat := w.TickFunc(30*time.Millisecond, func() {})
		time.Sleep(70 * time.Millisecond)
		sessions.Reset("a", 100*time.Millisecond)
		beat.Stop()
		cancel()
		time.Sleep(time.Second)
		scenario := rec.Scenario(`{"algorithm":"simple","slots":1024}`)
		var got struct {
			Tick     string
			Workload struct {
				Ops []struct {
					At    int64
					Op    string
					Timer string
					Delay int64
				}
			}
		}
		if err := json.Unmarshal(scenario, &got); err != nil {
			t.Fatal(err)
		}
		var ops []string
		for _, o := range got.Workload.Ops {
			ops = append(ops, fmt.Sprintf("%d %s %s %d", o.At, o.Op, o.Timer, o.Delay))
		}
		want := []string{"0 schedule t1 5", "0 schedule t2 10", "0 schedule t3 100", "0 schedule t4 3", "3 schedule t5 3", "6 schedule t6 3",
			"7 cancel t2 0", "7 schedule t7 10", "7 cancel t6 0", "7 cancel t3 0"}
		if !slices.Equal(ops, want) || got.Tick != "10ms" {
			t.Errorf("tick %s, operations\n%q, want\n%q", got.Tick, ops, want)
		}
		if _, err := program.Load(scenario); err != nil {
			t.Errorf("the scenario does not open: %v", err)
		}
	})
}
