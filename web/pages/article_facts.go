package pages

import (
	"context"
	"strconv"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/cursor"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/templates"
	"github.com/wheelscope/wheelscope/wheel"
)

// Values of facts.fate, which is what happened to the timer that the text of a chapter describes.
const (
	fatePlaced   = "placed"
	fateRejected = "rejected"
)

// lifeMax is the maximum number of events in the history of the timer that the text of a chapter describes. It
// exceeds the number of events of any such timer.
const lifeMax = 100

// facts holds what the text of a chapter can mention about one lane: numbers, and what happened to the timer
// that the text describes. static/js/article/figure.js computes the same from the messages of a session.
type facts struct {
	value map[string]int64 // numbers by name, such as "pending" or "due"
	fate  string           // what happened to the timer: fateRejected, or fatePlaced otherwise
}

// text returns the number with the given name as text, or "–" if f does not have that number: for example, a timer that
// has not fired has no lateness.
func (f *facts) text(name string) string {
	n, ok := f.value[name]
	if !ok {
		return "–"
	}
	return texts.Count(n).String()
}

// factsOf returns the facts about each lane of run, indexed by lane, at the position of page. If timer is not 0, the
// facts include those about the timer with that ID.
func factsOf(ctx context.Context, run *sim.Run, page *templates.Page, timer uint32) ([]facts, error) {
	list := make([]facts, len(page.Lanes))
	for i := range page.Lanes {
		l := &page.Lanes[i]
		list[i] = facts{fate: fatePlaced, value: map[string]int64{
			"now": page.Now, "pending": l.Totals.Live, "expired": l.Totals.Fired, "tick": l.Cost.Tick, "total": l.Cost.Total,
		}}
		for _, v := range l.Levels {
			list[i].value["width"+strconv.Itoa(v.Level)] = v.Width
		}
	}
	if timer == 0 {
		return list, nil
	}
	life, err := cursor.TimerHistoryOf(ctx, run, timer, lifeMax)
	if err != nil {
		return nil, err
	}
	for i := range life.Records {
		r := &life.Records[i]
		list[r.Lane].follow(r, run.Program().Start)
	}
	return list, nil
}

// follow updates f with r, the next event of the timer that the text describes. start is the start tick of the
// scenario.
func (f *facts) follow(r *engine.Record, start int64) {
	due, x := r.Relative(start)
	switch r.Kind {
	case wheel.KindSchedule:
		f.value["due"], f.value["cascades"] = due, 0
	case wheel.KindPlace:
		f.value["level"], f.value["slot"], f.value["rounds"] = int64(r.ToLevel), int64(r.ToSlot), max(x, 0)
	case wheel.KindCascade:
		f.value["cascades"]++
	case wheel.KindExpire:
		f.value["fired"], f.value["late"] = r.Tick, r.Tick-due
	case wheel.KindReject:
		f.fate = fateRejected
	}
}
