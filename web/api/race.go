//go:build !js

package api

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/wheelscope/wheelscope/internal/knowledge"
	"github.com/wheelscope/wheelscope/sim/race"
)

// Bounds of what is measured for a race of the lanes of a run.
const (
	raceSpan  = time.Second // time for which one request measures; the page asks again for the rest
	raceBytes = 64 << 20    // memory for one of them
)

// Raced is the answer to a request for /api/race: what is measured of each lane so far.
type Raced struct {
	Numbers []int     `json:"numbers"` // numbers of pending timers
	Rows    []RaceRow `json:"rows"`    // by lane
	Done    int       `json:"done"`    // points that are measured, or will not be
	All     int       `json:"all"`
}

// RaceRow is a lane in a race.
type RaceRow struct {
	race.Row
	Title     string `json:"title"` // of the algorithm
	Algorithm string `json:"algorithm"`
}

// contest is the state of the race of a run.
type contest struct {
	mu sync.Mutex
	c  *race.Contest
}

// raced measures the lanes of a.run for raceSpan, and returns what is measured so far.
func raced(ctx context.Context, a *request) (any, error) {
	ctx, cancel := inTime(ctx)
	defer cancel()
	turn, done, err := a.answers.Work(ctx, raceBytes)
	if err != nil {
		return nil, err
	}
	defer done()
	k := a.answers.contests.get(a.run.Digest())
	k.mu.Lock()
	defer k.mu.Unlock()
	lanes := a.run.Program().Scenario.Lanes
	if k.c == nil {
		k.c = race.NewContest(lanes)
	}
	if err := k.c.Measure(turn, raceSpan); err != nil {
		return nil, err
	}
	answer := &Raced{Numbers: race.Numbers()}
	answer.Done, answer.All = k.c.Done()
	for i, row := range k.c.Rows {
		answer.Rows = append(answer.Rows, RaceRow{row, knowledge.Title(lanes[i].Algorithm).In(a.Lang), lanes[i].Algorithm})
	}
	return answer, nil
}

// Served returns the routes of a server: Routes, and those that the engine of the static site, which is loaded before
// anything is shown, leaves out.
func Served() []Route {
	return append(slices.Clip(Routes), Route{"/api/race", []string{"lang", "run"}, CacheNever, true, onRun(raced)})
}
