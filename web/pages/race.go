package pages

import (
	"context"
	"strconv"

	"github.com/a-h/templ"
	"github.com/wheelscope/wheelscope/sim/race"
	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/templates"
)

// raceDefault is the number of timers that the page about costs shows at first.
const raceDefault = 1000

// race returns the page that shows what structures cost as the number of timers grows, at the measured number that is
// nearest below the query's n.
func (p *Pages) race(_ context.Context, r *Request, _ *Document) (templ.Component, error) {
	v := templates.Race{Page: p.plain(r), Numbers: race.Numbers()}
	v.Sheet = static.EntrySheet
	n, err := strconv.Atoi(r.Query.Get("n"))
	if err != nil {
		n = raceDefault
	}
	for i, number := range v.Numbers {
		if number <= n {
			v.At = i
		}
	}
	for _, row := range race.Rows() {
		shown := templates.RaceRow{Name: row.Name, Cut: row.Cut}
		for _, q := range row.Points {
			shown.Points = append(shown.Points, templates.RacePoint{Slots: q.Slots, Bytes: q.Bytes, Schedule: q.Schedule, Cancel: q.Cancel, Tick: q.Tick, Worst: q.Worst})
		}
		v.Rows = append(v.Rows, shown)
	}
	return templates.RaceView(v), nil
}
