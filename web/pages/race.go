package pages

import (
	"cmp"
	"context"
	"strconv"

	"github.com/a-h/templ"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/race"
	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/templates"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// raceDefault is the number of timers that the page about costs shows at first.
const raceDefault = 1000

// race returns the page that shows what structures cost as the number of timers grows, at the measured number that is
// nearest below the query's n. Its scripts ask for the costs of the lanes of the query's run.
func (p *Pages) race(_ context.Context, r *Request, d *Document) (templ.Component, error) {
	v := templates.Race{Page: p.plain(r), Numbers: race.Numbers()}
	v.Sheet = static.EntrySheet
	text := cmp.Or(r.Query.Get("n"), strconv.Itoa(raceDefault))
	n, err := strconv.Atoi(text)
	if least, most := v.Numbers[0], v.Numbers[len(v.Numbers)-1]; err != nil || n < least || n > most {
		d.Problem = texts.Errorf(texts.Invalid, "n", "%q is not a number from %s to %s", texts.Clip(text), strconv.Itoa(least), strconv.Itoa(most))
		v.Problem = protocol.Describe(d.Problem, r.Lang).Error()
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
