package cursor

import (
	"testing"

	"github.com/wheelscope/wheelscope/sim"
)

// Several steps in one movement lead to the same position as single steps, from everywhere and
// past both ends. Forward they are one frame.
func TestRunnerStepsAddUp(t *testing.T) {
	for what, by := range map[string]Unit{"tick": UnitTick, "step": UnitStep, "event": UnitEvent} {
		for _, scenario := range []string{runnerScenario, silentStart} {
			withRig(t, rigConfig{scenario: scenario}, func(g *rig) {
				step := func(n int64) (calls []string) {
					return g.must("step", func(r *Runner) error { return r.MoveBy(by, n) })
				}
				var at sim.Position
				for from := range int64(9) {
					for _, n := range []int64{2, 3, 5, 60, -2, -3, -60} {
						seek := func() { g.must("seek", func(r *Runner) error { return r.Seek(sim.After(from)) }) }
						seek()
						for range max(n, -n) {
							step(n / max(n, -n))
						}
						want, _ := g.at()
						seek()
						calls := step(n)
						if at, _ = g.at(); at != want {
							t.Errorf("%d steps by %s from event %d: at %+v, want %+v", n, what, from, at, want)
						}
						if frames := count(calls, "framed"); frames > 1 {
							t.Errorf("%d steps by %s from event %d: %q", n, what, from, calls)
						}
					}
				}
			})
		}
	}
}

// A movement by several steps goes as far as the run is computed. It is refused only if the
// first step is not computed.
func TestRunnerStepsAsFarAsIsComputed(t *testing.T) {
	for what, by := range map[string]Unit{"tick": UnitTick, "step": UnitStep, "event": UnitEvent} {
		withRig(t, endless(), func(g *rig) {
			end, _ := g.run.Computed()
			g.must("seek", func(r *Runner) error { return r.Seek(sim.EndOf(end - 1)) })
			g.must("steps", func(r *Runner) error { return r.MoveBy(by, 1000000) })
			if at, _ := g.at(); at.Tick != end {
				t.Errorf("by %s: at %+v, computed to tick %d", what, at, end)
			}
			var err error
			g.do(func(r *Runner) { err = r.MoveBy(by, 1000000) })
			if err == nil {
				t.Errorf("by %s: steps past what is computed are no error", what)
			}
		})
	}
}
