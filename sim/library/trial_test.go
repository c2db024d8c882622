package library

import (
	"testing"

	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
)

// trialEventsMax keeps a trial short enough to be stepped through.
const trialEventsMax = 200

// Every algorithm has a trial of one lane, in which timers are placed, cancelled, repeated and
// fire.
func TestTrials(t *testing.T) {
	for _, a := range algorithms.Catalogue() {
		trial, ok := Trial(a.ID)
		if !ok {
			t.Errorf("sim/library/scenarios/try/%s.json is not there", a.ID)
			continue
		}
		if data, ok := Builtin("try-" + a.ID); !ok || string(data) != string(trial.Data) {
			t.Errorf("try-%s is not found by its name", a.ID)
		}
		checkTrial(t, a.ID, trial)
	}
	if len(trials()) != len(algorithms.Catalogue()) {
		t.Errorf("%d trials of %d algorithms", len(trials()), len(algorithms.Catalogue()))
	}
}

func checkTrial(t *testing.T, algorithm string, trial *Scenario) {
	t.Helper()
	p, err := program.Load(trial.Data)
	if err != nil {
		t.Errorf("%s: %v", trial.Name, err)
		return
	}
	if s := p.Scenario; s.Name != "try-"+algorithm || len(s.Lanes) != 1 || s.Lanes[0].Algorithm != algorithm {
		t.Errorf("%s calls itself %q and has lanes %q", trial.Name, s.Name, trial.Lanes)
	}
	for what, text := range map[string]scenario.Text{"title": trial.Title, "summary": trial.Summary, "question": trial.Question} {
		checkBothLanguages(t, trial.Name+"."+what, text)
	}
	e := plantest.Engine(t, p)
	for at, ok := e.Next(); ok; at, ok = e.Next() {
		e.Tick(at, nil)
	}
	count := e.Lane(0).Log.Count
	for _, kind := range []wheel.Kind{wheel.KindPlace, wheel.KindExpire, wheel.KindMiss} {
		if count[kind] == 0 {
			t.Errorf("%s emits no %s", trial.Name, kind)
		}
	}
	if count[wheel.KindCancel]+count[wheel.KindMark] == 0 || count[wheel.KindSchedule] <= int64(p.Timers()) {
		t.Errorf("%s cancels nothing or repeats nothing", trial.Name)
	}
	if events := e.Emitted(); events > trialEventsMax {
		t.Errorf("%s has %d events, at most %d can be stepped through", trial.Name, events, trialEventsMax)
	}
}

func TestNoTrialOfThatName(t *testing.T) {
	for _, name := range []string{"try-", "try-nothing", "try-../three-slots", "simple"} {
		if _, ok := Builtin(name); ok {
			t.Errorf("%q is a scenario", name)
		}
	}
}
