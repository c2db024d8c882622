package view

import (
	"context"
	"io"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/wheelscope/wheelscope/internal/player"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/lecture"
	"github.com/wheelscope/wheelscope/sim/quiz"
	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/web/api"
)

// fileStop is a stop of a lecture in a file: it names a run of the file, and has the answers about it by language.
type fileStop struct {
	lecture.Stop
	Answers map[string]*api.Stop `json:"answers"`
}

// WriteLecture writes l to w as one HTML file that plays it. It computes the runs in store. It returns an error with the path of
// the stop if one does not exist, or if the runs up to it have more than player.EventsMax events.
func WriteLecture(ctx context.Context, w io.Writer, store *sim.Store, l *lecture.Lecture) error {
	checker := &lecture.Checker{Store: store}
	runs, of, err := lectureRuns(ctx, checker, l)
	if err != nil {
		return err
	}
	if faults := checker.Check(ctx, l); len(faults) > 0 {
		return faults[0]
	}
	file := struct {
		Title lecture.Words `json:"title"`
		Stops []fileStop    `json:"stops"`
	}{l.Title, make([]fileStop, len(l.Stops))}
	for i := range l.Stops {
		stop := l.Stops[i]
		run := of[i]
		stop.Scenario, stop.Run, stop.Edit = "", run.Digest()[:sim.DigestShort], nil
		file.Stops[i] = fileStop{stop, map[string]*api.Stop{}}
		for _, lang := range static.Languages {
			if file.Stops[i].Answers[lang], err = api.StopOf(ctx, &quiz.Quiz{Run: run}, &stop.Queries, stop.At(), lang); err != nil {
				return texts.Below(lecture.StopPath(i), err)
			}
		}
	}
	data, err := json.Marshal(file)
	if err != nil {
		return err
	}
	return player.WriteLecture(ctx, w, player.Lecture{Title: l.Title.In("en"), Data: data, Runs: runs})
}

// lectureRuns opens the runs of the stops of l. It returns each run once, and the run of each stop. The number of events is checked
// twice: as far as the plans show it, before any run is awaited, and then as it is.
func lectureRuns(ctx context.Context, c *lecture.Checker, l *lecture.Lecture) (runs, of []*sim.Run, err error) {
	for i := range l.Stops {
		run, err := c.Open(ctx, l, &l.Stops[i])
		if err != nil {
			return nil, nil, texts.Below(lecture.StopPath(i), err)
		}
		c.Store.Retain(ctx, run)
		of = append(of, run)
	}
	planned := func(_ context.Context, run *sim.Run) (int64, error) { return run.Program().Estimate().Events, nil }
	for _, count := range []func(context.Context, *sim.Run) (int64, error){planned, player.Events} {
		events := int64(0)
		runs = nil
		for i, run := range of {
			if slices.Contains(runs, run) {
				continue
			}
			n, err := count(ctx, run)
			if err != nil {
				return nil, nil, texts.Below(lecture.StopPath(i), err)
			}
			if events += n; events > player.EventsMax {
				return nil, nil, texts.Errorf(texts.Invalid, lecture.StopPath(i), "the runs up to this stop have %d events or more, expected %d or fewer in one page", events, player.EventsMax)
			}
			runs = append(runs, run)
		}
	}
	return runs, of, nil
}
