package cursor_test

import (
	"context"
	"fmt"

	"github.com/benbjohnson/clock"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/cursor"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
)

// printer is a Listener that prints the movements of the cursor. The embedded interface is nil and only
// provides the methods that this example does not cause to be called.
type printer struct{ cursor.Listener }

func (printer) OnOpen(run *sim.Run)       { fmt.Println("opened, until", run.Program().Until) }
func (printer) OnSeek(s *engine.Snapshot) { fmt.Println("at tick", s.Tick, "pending", s.Lanes[0].Live) }
func (printer) OnMove(e *sim.EventRange)  { fmt.Println("events", len(e.Records)) }
func (printer) OnFrame() bool             { return false }
func (printer) OnPlayback(cursor.Playing) {}
func (printer) OnProgress()               {}
func (printer) OnIdle()                   {}
func (printer) Detail([]*engine.Lane) int { return 0 }

// A session opens a run, goes forward by a tick and seeks to another.
func ExampleNewRunner() {
	p, err := program.Load([]byte(`{"wheelscope": 1, "name": "two", "until": 6,
	"lanes": [{"algorithm": "simple", "slots": 8}],
	"workload": {"ops": [
		{"at": 1, "op": "schedule", "timer": "a", "delay": 3},
		{"at": 1, "op": "schedule", "timer": "b", "delay": 5}]}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	store := sim.NewStore(sim.StoreOptions{})
	defer store.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	run, err := store.Open(ctx, p)
	if err != nil {
		fmt.Println(err)
		return
	}
	store.Retain(ctx, run) // until cancel is called
	runner := cursor.NewRunner(clock.New(), printer{})
	err = runner.Do(func() { // queued until Run executes it
		defer cancel() // makes Run return
		fmt.Println(runner.Open(runner.Context(), run, sim.Start))
		fmt.Println(runner.MoveBy(cursor.UnitTick, 1))
		fmt.Println(runner.Seek(sim.EndOf(5)))
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	runner.Run(ctx)
	// Output:
	// opened, until 6
	// at tick 0 pending 0
	// <nil>
	// events 4
	// <nil>
	// at tick 5 pending 1
	// <nil>
}
