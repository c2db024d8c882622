package cursor

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
)

// A runner works in turns: it waits while other runners have all of them, loses no request, and
// gives up its own turn while it waits for one of the store.
func TestRunnerWorksInTurns(t *testing.T) {
	withRig(t, rigConfig{busy: true}, func(g *rig) {
		leave := plantest.TakeTurns(t, g.turns)
		done := false
		if err := g.heard.runner.Do(func() { done = true }); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if done {
			t.Error("a request was carried out without a turn")
		}
		leave()
		synctest.Wait()
		if !done {
			t.Error("a request was lost")
		}
		carries := true
		if err := g.heard.runner.Do(func() {
			_, leave, err := g.turns.Enter(g.heard.runner.Context()) // nested: a second turn would never come
			carries = err == nil
			leave()
		}); err != nil {
			t.Fatal(err)
		}
		go g.heard.runner.Do(func() { g.run.Seek(g.heard.runner.Context(), sim.EndOf(g.run.Program().Until), 0) }) // not computed: waits
		synctest.Wait()
		if !carries {
			t.Error("the runner's context carries no turn")
		}
		turn := make(chan struct{})
		go func() {
			_, leave, err := g.turns.Enter(context.Background())
			if err == nil {
				leave()
				close(turn)
			}
		}()
		synctest.Wait()
		select {
		case <-turn:
		default:
			t.Error("a runner that waits for the store keeps its turn")
		}
		g.free()
	})
}
