package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/internal/say"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/importer"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/web/usererr"
)

// importPath is the route that reads files: scenarios, traces and workloads.
const importPath = "/api/import"

// importHead is the number of bytes from which the kind of a file is detected.
const importHead = 4 << 10

// imported is the answer to an uploaded file: the run of its scenario, or the faults of the file.
type imported struct {
	Kind   importer.Kind        `json:"kind,omitempty"`
	Run    string               `json:"run,omitempty"` // its digest, for a `load`
	Name   string               `json:"name,omitempty"`
	Events int64                `json:"events,omitempty"` // of a trace: events compared with the run
	Notes  []string             `json:"notes"`
	Faults []string             `json:"faults,omitempty"` // the first faults, one line each
	Count  int64                `json:"count,omitempty"`  // number of all faults
	Fault  *usererr.Description `json:"fault,omitempty"`  // of a scenario: the error of a `load` of its text
	Diff   *importDiff          `json:"diff,omitempty"`   // of a trace that differs from the run of its scenario
}

// importDiff is the first line in which a trace and the run of its scenario differ.
type importDiff struct {
	Line  int64  `json:"line"`
	Event int64  `json:"event,omitempty"` // event number, if the line is an event
	Got   string `json:"got"`
	Want  string `json:"want"`
}

// importFile reads the file in a request's body: a scenario, a workload, or a trace, which is
// compared with the run of its scenario. `lanes` names the run whose lanes a workload gets, `from`
// the run that a scenario was edited from, with which it shares what is equal. importFile changes
// no session; a `load` of the run in the answer does.
func (s *Server) importFile(c echo.Context) error {
	o := importer.Options{Name: c.QueryParam("name")}
	if lanes := c.QueryParam("lanes"); lanes != "" {
		run, err := s.runNamed("lanes", lanes)
		if err != nil {
			return err
		}
		o.Lanes = run.Program().Scenario.Lanes
	}
	body, err := s.bodies.receive(c)
	if err != nil {
		return err
	}
	defer body.close()
	slots := s.imports
	if importer.IsScenario(body.head(importHead)) {
		slots = s.plans // reading a trace may take minutes and must not delay scenarios
	}
	release, ok := body.slot(c.Request().Context(), slots, slotWait)
	if !ok {
		return retryLater(c, say.Of("%d files are being read; try again in a while", ImportsMax))
	}
	defer release()
	ctx, cancel := context.WithTimeout(c.Request().Context(), importWait)
	defer cancel()
	ctx, leave, err := s.library.Store.Queue().Enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	mem, err := s.library.Store.ReserveWhenFree(ctx, importBytes(body.size()))
	if err != nil {
		return err
	}
	defer mem.Release()
	plan, ended := s.library.Store.Planning(ctx)
	defer ended()
	o.Plan = plan
	res, err := importer.Read(ctx, body.reader(), o)
	leave() // the answer is sent without the turn
	if usererr.IsShortage(err) {
		return err
	}
	return s.answerImport(c, res, err)
}

// importBytes returns the memory in bytes that reading a file takes besides planning: a scenario is
// read as a whole, other files line by line.
func importBytes(size int64) int64 { return 3 * min(size, sim.ServerScenarioMax) }

// answerImport sends the result of an import and opens the run of its scenario.
func (s *Server) answerImport(c echo.Context, res *importer.Result, err error) error {
	told := tellImport(res, err, s.language(c))
	if res != nil && res.Program != nil && (err == nil || told.Diff != nil) {
		run, err := s.edited(c.Request().Context(), c.QueryParam("from"), res.Program)
		if err != nil {
			return err
		}
		told.Run, told.Name = run.Digest(), res.Program.Scenario.Name
	}
	data, bad := json.Marshal(told)
	if bad != nil {
		return bad
	}
	code := http.StatusOK
	if err != nil {
		code = http.StatusUnprocessableEntity
	}
	http.NewResponseController(c.Response()).SetWriteDeadline(time.Now().Add(requestWait))
	return c.JSONBlob(code, data)
}

// edited returns the run of program p, which was edited from another run. If that run is unknown,
// the new one shares nothing with it.
func (s *Server) edited(ctx context.Context, from string, p *program.Program) (*sim.Run, error) {
	if parent, ok := s.library.Store.Lookup(from); ok {
		return s.library.Store.Fork(ctx, parent, p)
	}
	return s.library.Store.Open(ctx, p)
}

// tellImport returns the answer for the result of an import, or for its error.
func tellImport(res *importer.Result, err error, lang string) *imported {
	told := &imported{Notes: []string{}}
	if res != nil {
		told.Kind, told.Events = res.Kind, res.Events
		for _, note := range res.Notes {
			told.Notes = append(told.Notes, note.In(lang))
		}
	}
	if diff, ok := errors.AsType[*sim.Diff](err); ok {
		told.Diff = &importDiff{Line: diff.Line, Event: eventOf(diff), Got: clipLine(diff.Got), Want: clipLine(diff.Want)}
		return told
	}
	told.Faults, told.Count = importFaults(err, lang)
	if errors.As(err, new(*scenario.InputError)) {
		told.Fault = usererr.Describe(err, lang)
	}
	return told
}

// importFaults returns what is wrong with a file, one line per fault, and the number of faults.
func importFaults(err error, lang string) ([]string, int64) {
	if err == nil {
		return nil, 0
	}
	if many, ok := errors.AsType[*importer.Faults](err); ok {
		var list []string
		for _, f := range many.List {
			list = append(list, f.In(lang))
		}
		return list, many.Count
	}
	if one, ok := errors.AsType[*importer.Fault](err); ok {
		return []string{one.In(lang)}, 1
	}
	if broken, ok := errors.AsType[*sim.TraceError](err); ok {
		return []string{say.Of("line %d: %s", broken.Line, broken.Reason).In(lang)}, 1
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return []string{say.Of("reading took longer than %s", importWait.String()).In(lang)}, 1
	}
	input := usererr.Describe(err, lang)
	line := input.Message
	switch {
	case input.Path != "":
		line = input.Path + ": " + line
	case input.Line > 0:
		line = say.Of("line %d: %s", int64(input.Line), line).In(lang)
	}
	return []string{line}, 1
}

// eventOf returns the number of the event in a differing line, or 0 if the line is not an event.
func eventOf(d *sim.Diff) int64 {
	for _, line := range []string{d.Want, d.Got} {
		var event struct{ Seq int64 }
		if json.Unmarshal([]byte(line), &event) == nil && event.Seq > 0 {
			return event.Seq
		}
	}
	return 0
}

// clipLine shortens a line for display.
func clipLine(line string) string {
	const most = 400
	if len(line) <= most {
		return line
	}
	return strings.ToValidUTF8(line[:most], "") + "…"
}
