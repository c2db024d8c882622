package api

import (
	"context"
	"errors"
	"strings"

	"github.com/go-json-experiment/json/v1"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/compare"
	"github.com/wheelscope/wheelscope/sim/importer"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/tracefile"
	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// CompareSides compares the given sides with each other and with the oracle, which fires every timer at its due
// tick. A side is a run or a recorded trace. CompareSides returns the report in the language lang, as JSON, and
// caches it for later calls.
func (a *Answers) CompareSides(ctx context.Context, sides []compare.Side, lang string) (json.RawMessage, error) {
	var key []string
	for _, s := range sides {
		key = append(key, s.Program.Digest(), s.Name)
	}
	answer, err := a.comparisons.get(ctx, strings.Join(key, "\x00"), func(ctx context.Context) (reports, error) {
		met, err := a.newComparison(ctx, sides)
		if err != nil {
			return nil, err
		}
		return newReports(met)
	})
	if errors.Is(err, ErrTakesLong) {
		return nil, notCompared(MakingWait)
	}
	if err != nil {
		return nil, badSide(err, lang)
	}
	return answer[lang], nil
}

// CompareFile compares side, a run or a recorded trace, with the scenario or trace in file. name identifies the file
// in the report, which is in the language lang.
func (a *Answers) CompareFile(ctx context.Context, side compare.Side, name string, file []byte, lang string) (*compare.ComparisonReport, error) {
	met, err := a.compareFile(ctx, name, side, file)
	if err != nil {
		return nil, badSide(err, lang)
	}
	return met.Report(static.Messages(lang)), nil
}

// reports contains the reports on one comparison in all languages. It maps each language to a report as JSON. Reports
// are cached instead of comparisons, because a comparison keeps the programs of the compared runs in memory, possibly
// gigabytes, even after the store has dropped the runs.
type reports map[string]json.RawMessage

// newReports returns the reports on the comparison met, one in each of the static.Languages.
func newReports(met *compare.Comparison) (reports, error) {
	answer := reports{}
	for _, lang := range static.Languages {
		text, err := json.Marshal(met.Report(static.Messages(lang)))
		if err != nil {
			return nil, err
		}
		answer[lang] = text
	}
	return answer, nil
}

// bytes returns the number of bytes of memory that r uses.
func (r reports) bytes() (n int64) {
	for _, text := range r {
		n += int64(cap(text))
	}
	return n
}

// newComparison compares sides, each a run or a recorded trace, with each other and with the oracle. It first reserves
// memory and waits for a turn to use a processor.
func (a *Answers) newComparison(ctx context.Context, sides []compare.Side) (*compare.Comparison, error) {
	bytes := int64(0)
	for i := range sides {
		n := recordsMax(sides[i].Program)
		sides[i].RecordsMax = int(n)
		bytes += EngineBytes(sides[i].Program) + recordBytes*n
	}
	ctx, done, err := a.Work(ctx, bytes)
	if err != nil {
		return nil, err
	}
	defer done()
	return compare.NewComparison(ctx, sides, tracefile.Options{})
}

// compareFile compares side, a run or a recorded trace, with the scenario or trace in file. name is the name of the
// file. It first waits up to turnWait until fewer than ComparingMax comparisons and trace digests are being computed.
func (a *Answers) compareFile(ctx context.Context, name string, side compare.Side, file []byte) (*compare.Comparison, error) {
	wait, cancel := context.WithTimeout(ctx, turnWait)
	done, err := a.pool.turn(wait)
	cancel()
	if err != nil {
		return nil, err
	}
	defer done()
	ctx, leave, err := a.library.Store.Queue().Enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	plan, planned := a.library.Store.Planning(ctx)
	defer planned()
	other, err := importer.OpenSide(ctx, name, file, tracefile.Options{Plan: plan})
	if err != nil {
		return nil, err
	}
	return a.newComparison(ctx, []compare.Side{side, other})
}

// recordBytes is the memory in bytes of a record, with what a comparison notes about it.
const recordBytes = 100

// recordsMax returns the maximum number of events in one tick of p that a comparison here holds in memory. Every timer of
// every lane may be scheduled, cascade and fire in one tick; only a long stall or a storm of repeats causes more.
func recordsMax(p *program.Program) int64 {
	return min(sim.TickEventsMax, int64(len(p.Scenario.Lanes))*(1<<14+8*int64(p.Timers())))
}

// Opponent returns a run with which another run is to be compared, as a list of one element for CompareSides. If with
// is not "", it is the run whose digest begins with with. Otherwise, it is the run of the named scenario. If both
// arguments are "", Opponent returns nil; the lanes of the other run are then compared only with each other and with
// the oracle.
func (a *Answers) Opponent(with, scenario string) ([]compare.Side, error) {
	if with != "" {
		run, err := a.Run("with", with)
		if err != nil {
			return nil, err
		}
		return []compare.Side{{Name: run.Program().Scenario.Name, Program: run.Program()}}, nil
	}
	if scenario != "" {
		p, err := a.library.Program(scenario)
		if err != nil {
			return nil, err
		}
		return []compare.Side{{Name: scenario, Program: p}}, nil
	}
	return nil, nil
}

// badSide returns the error to send to the client if a comparison failed with err. If it failed because one of the
// compared scenarios or traces is invalid, the text of the error is a single line in the language lang.
func badSide(err error, lang string) error {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return notCompared(protocol.AnswerWait)
	case texts.Is(err, texts.Unavailable), errors.Is(err, context.Canceled):
		return err
	}
	lines, _ := importFaults(err, lang)
	return texts.Errorf(texts.Unprocessable, "", "%s", strings.Join(lines, "; "))
}
