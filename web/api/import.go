package api

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/importer"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/sim/tracefile"
	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// Imported is the answer to a request for /api/import: the run of the scenario in the file, or the faults of the file.
// Kind is what the file contains, and Name is the name of the scenario. Notes are remarks on how the file was read.
type Imported struct {
	Kind   importer.Kind         `json:"kind,omitempty"`
	Run    string                `json:"run,omitempty"` // digest of the run, for use in the "load" command
	Name   string                `json:"name,omitempty"`
	Events int64                 `json:"events,omitempty"` // number of events in the trace that were compared with the run; 0 if the file is not a trace
	Notes  []string              `json:"notes"`
	Faults []string              `json:"faults,omitempty"` // first importer.FaultsMax faults of the file, one line each
	Count  int64                 `json:"count,omitempty"`  // total number of faults; equal faults of several lines are one
	Fault  *protocol.Description `json:"fault,omitempty"`  // error that the "load" command would return for the scenario; nil if there is none
	Own    bool                  `json:"own,omitempty"`    // whether nothing was computed, because the scenario has an own wheel and ImportOptions.Own is not set
	Diff   *importDiff           `json:"diff,omitempty"`   // first line in which the trace differs from the run of its scenario; nil if there is none
}

// importDiff describes the first line in which a trace differs from the run of its scenario. Line is the number of the
// line, Got is its text in the trace, and Want is its text in the run; longer texts are cut after 400 bytes.
type importDiff struct {
	Line  int64  `json:"line"`
	Event int64  `json:"event,omitempty"` // event number, or 0 if the line is not an event
	Got   string `json:"got"`
	Want  string `json:"want"`
}

// Refused reports whether the file was rejected because it has faults, or because it is a trace that differs from
// the run.
func (i *Imported) Refused() bool { return i.Diff != nil || len(i.Faults) > 0 }

// ImportOptions describes a file to import.
type ImportOptions struct {
	Name     string              // name of the file, from which the name of a workload's scenario is derived
	Lanes    []scenario.LaneSpec // lanes for a workload; nil means the default lanes
	From     string              // digest of a run whose scenario is an earlier version of the scenario in the file, so that its computed parts can be reused; "" means none
	Language string              // language of the notes and faults
	Own      bool                // whether the user agrees that own wheels in the file run
}

// Import reads a scenario, a workload or a trace from file, which has size bytes, and opens the run of its scenario. A
// trace is compared with that run. If the file has faults, the answer contains them and the error is nil.
func (a *Answers) Import(ctx context.Context, file io.Reader, size int64, o ImportOptions) (*Imported, error) {
	if !o.Own {
		ctx = engine.AskOwn(ctx)
	}
	wait, cancel := context.WithTimeout(ctx, ImportWait)
	defer cancel()
	turn, done, err := a.Work(wait, importBytes(size))
	if err != nil {
		return nil, err
	}
	defer done()
	plan, ended := a.library.Store.Planning(turn)
	defer ended()
	res, err := importer.Read(turn, file, importer.Options{Name: o.Name, Lanes: o.Lanes, Plan: plan})
	done() // the run is opened without the turn
	if errors.Is(err, engine.ErrOwnAsk) {
		return &Imported{Own: true, Notes: []string{}}, nil
	}
	if isShortage(err) {
		return nil, err
	}
	answer := newImported(res, err, o.Language)
	if res != nil && res.Program != nil && (err == nil || answer.Diff != nil) {
		run, err := a.edited(ctx, o.From, res.Program)
		if errors.Is(err, engine.ErrOwnAsk) {
			return &Imported{Own: true, Notes: []string{}}, nil
		}
		if err != nil {
			return nil, err
		}
		answer.Run, answer.Name = run.Digest(), res.Program.Scenario.Name
	}
	return answer, nil
}

// importBytes returns the number of bytes of memory needed to read a file of the given size. A scenario is read into
// memory as a whole; any other file is read line by line. The memory for planning a scenario is reserved separately.
func importBytes(size int64) int64 { return 3 * min(size, sim.ServerScenarioMax) }

// edited opens the run of p, which is an edited version of the program of another run. from is the digest of the other
// run. The new run reuses the other run up to the first difference. If the other run is not in the store, the new run
// is computed from the start.
func (a *Answers) edited(ctx context.Context, from string, p *program.Program) (*sim.Run, error) {
	if parent, ok := a.library.Store.Lookup(from); ok {
		return a.library.Store.Fork(ctx, parent, p)
	}
	return a.library.Store.Open(ctx, p)
}

// newImported returns the answer, in the language lang, to an import for which importer.Read returned res and err. If
// the run of the scenario is opened, the caller must set Run and Name.
func newImported(res *importer.Result, err error, lang string) *Imported {
	answer := &Imported{Notes: []string{}}
	if res != nil {
		answer.Kind, answer.Events = res.Kind, res.Events
		answer.Notes = append(answer.Notes, static.Messages(lang).Lines(res.Notes)...)
	}
	if diff, ok := errors.AsType[*tracefile.Diff](err); ok {
		answer.Diff = &importDiff{Line: diff.Line, Event: eventOf(diff), Got: clipLine(diff.Got), Want: clipLine(diff.Want)}
		return answer
	}
	answer.Faults, answer.Count = importFaults(err, lang)
	if texts.Is(err, texts.Invalid) {
		answer.Fault = protocol.Describe(err, lang)
	}
	return answer
}

// importFaults returns the first importer.FaultsMax faults that err, the error of an import or a comparison, describes.
// Each fault is one line in the language lang. importFaults also returns the total number of faults.
func importFaults(err error, lang string) ([]string, int64) {
	if err == nil {
		return nil, 0
	}
	in := static.Messages(lang)
	if many, ok := errors.AsType[*importer.Faults](err); ok {
		var list []string
		count := many.Count
		for _, f := range many.List {
			list = append(list, f.In(in))
			count -= f.Same // which its line names
		}
		return list, count
	}
	if one, ok := errors.AsType[*importer.Fault](err); ok {
		return []string{one.In(in)}, 1
	}
	if broken, ok := errors.AsType[*tracefile.LineError](err); ok {
		return []string{broken.In(in)}, 1
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return []string{texts.Newf("reading took longer than %s", ImportWait.String()).In(in)}, 1
	}
	input := protocol.Describe(err, lang)
	line := input.Message
	switch {
	case input.Path != "":
		line = input.Path + ": " + line
	case input.Line > 0:
		line = texts.Newf("line %d: %s", int64(input.Line), line).In(in)
	}
	return []string{line}, 1
}

// eventOf returns the event number in the differing line of d, or 0 if the line is not an event.
func eventOf(d *tracefile.Diff) int64 {
	for _, line := range []string{d.Want, d.Got} {
		var event struct {
			Seq int64 `json:"seq"`
		}
		if json.Unmarshal([]byte(line), &event) == nil && event.Seq > 0 {
			return event.Seq
		}
	}
	return 0
}

// clipLine returns line or, if it has more than 400 bytes, its first 400 bytes followed by an ellipsis.
func clipLine(line string) string {
	const most = 400
	if len(line) <= most {
		return line
	}
	return strings.ToValidUTF8(line[:most], "") + "…"
}
