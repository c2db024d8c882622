package importer

import (
	"cmp"
	"errors"
	"maps"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// workloadTick is the default length of a workload's base tick.
const workloadTick = time.Millisecond

// fields lists the fields of a workload in the order used in messages.
var fields = columns{"at", "op", "id", "delay", "every", "times", "created", "for", "by"}

// IsField reports whether name is a field of a workload.
func IsField(name string) bool { return fields.has(name) }

// row is an operation of a workload as written in the file: the text of each field, or "" if the field is absent. The
// field "for" is in span.
type row struct{ at, op, id, delay, every, times, created, span, by string }

// field returns a pointer to the field with the given name, which must be in fields.
func (r *row) field(name string) *string {
	return [...]*string{&r.at, &r.op, &r.id, &r.delay, &r.every, &r.times, &r.created, &r.span, &r.by}[fields.index(name)]
}

// workload collects the operations of a file.
type workload struct {
	ops    []scenario.Op
	lines  []int64 // lines[i] is the line number of ops[i]
	faults Faults
	bad    int64 // number of lines with faults, which are ignored if there are at most WorkloadOptions.SkipBad

	spill   func(*scenario.Op) // takes the operations, if there are more than a scenario has
	spilled int64              // number of operations that it has taken
	first   int64              // what is subtracted from the time of an operation that is spilled
	width   int64              // what it is divided by
	last    int64              // tick of the last operation that was spilled

	o        WorkloadOptions
	times    timestamps
	comments int64    // number of comment lines
	end      int64    // last tick of the scenario; 0 means that it follows from the operations
	unused   []string // quoted names of the columns that are ignored
	// buckets holds, for each operation of a kernel trace, the bucket_expiry field of its event, or 0 if the event
	// does not have the field. It is nil for other workloads.
	buckets []int64
}

// opKinds maps the values of the "op" field to operations. A row without the field schedules a timer.
var opKinds = map[string]scenario.OpKind{"": scenario.OpSchedule, "schedule": scenario.OpSchedule, "set": scenario.OpSet, "cancel": scenario.OpCancel, "reset": scenario.OpReset, "stall": scenario.OpStall, "clock": scenario.OpClock}

// IsOp reports whether name is that of an operation of a workload.
func IsOp(name string) bool {
	return name != "" && slices.Contains(slices.Collect(maps.Keys(opKinds)), name)
}

// add parses row r and adds its operation to the workload. If r is invalid, add adds the faults of r instead. line is
// the line number of r.
func (w *workload) add(line int64, r *row) {
	before := w.faults.Count
	bad := func(path, format string, args ...any) { w.faults.add(line, path, texts.Newf(format, args...)) }
	name := strings.ToLower(r.op)
	if mapped, ok := w.o.MapOp[name]; ok {
		name = mapped
	}
	kind, ok := opKinds[name]
	if !ok {
		bad("op", "%s is not one of %s", quoted(r.op), "schedule, set, cancel, reset, stall, clock")
		w.bad++
		return
	}
	op := scenario.Op{Kind: kind, Timer: r.id, At: w.at(line, "at", r.at, 0)}
	switch {
	case kind == scenario.OpStall:
		op.Timer, op.Amount = "", w.ticks(line, "for", r.span, 1)
	case kind == scenario.OpClock:
		op.Timer, op.Amount = "", w.ticks(line, "by", r.by, math.MinInt64)
	case r.id == "":
		bad("id", "missing; expected %s", "the name of a timer")
	}
	if kind.Arms() {
		op.Delay = w.ticks(line, "delay", r.delay, math.MinInt64)
		op.Every, op.Times = w.repeat(line, r)
		if r.created != "" {
			op.SetCreated(w.at(line, "created", r.created, -wheel.TickMax))
		}
	}
	if w.faults.Count != before {
		w.bad++
		return
	}
	op.Timer = strings.Clone(op.Timer) // otherwise the whole line would be kept in memory
	w.ops = append(w.ops, op)
	w.lines = append(w.lines, line)
}

// makeRoom makes room for another operation: if there are as many as a scenario has, it passes them to spill. It returns a
// fault for the given line, that of the other operation, if spill is nil, and for the line of an operation that cannot
// be passed.
func (w *workload) makeRoom(line int64, spill func(*scenario.Op)) *Fault {
	switch {
	case w.spilled == 0 && len(w.ops) < scenario.OpsMax:
		return nil
	case spill == nil:
		return &Fault{Line: line, Message: texts.Newf("more than %d operations are not allowed", scenario.OpsMax)}
	}
	w.spill = spill
	return w.flush()
}

// flush passes the operations to w.spill, in order of time among themselves.
func (w *workload) flush() *Fault {
	order := make([]int, len(w.ops))
	for i := range order {
		order[i] = i
	}
	if w.spilled == 0 {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(w.ops[a].At, w.ops[b].At) })
		w.first, w.width = w.origin()
	}
	for _, i := range order {
		o := &w.ops[i]
		w.shift(o)
		due := max(o.Delay, 0)
		switch {
		case o.At < w.last:
			return &Fault{Line: w.lines[i], Path: "at", Message: texts.Newf("before the operation in an earlier line; expected a file of more than %d operations in order of time", scenario.OpsMax)}
		case o.At > wheel.TickMax || due > wheel.TickMax-o.At || o.Every > wheel.TickMax:
			return &Fault{Line: w.lines[i], Message: texts.Newf("the timer is due after tick %d", int64(wheel.TickMax))}
		}
		w.last = o.At
		w.spill(o)
	}
	w.spilled += int64(len(w.ops))
	w.ops, w.lines = w.ops[:0], w.lines[:0]
	if w.spilled == scenario.OpsMax { // no more than one is kept from now on
		w.ops, w.lines = nil, nil
	}
	return nil
}

// repeat parses the "every" and "times" fields of r and returns the interval in ticks and the number of runs.
// times is -1 for a timer that repeats endlessly. Both are 0 for a timer that does not repeat. line is the line
// number of r, for faults.
func (w *workload) repeat(line int64, r *row) (every int64, times int32) {
	if r.every == "" {
		if r.times != "" {
			w.faults.add(line, "times", texts.Newf("%s without every is not a repeat; expected both or neither", quoted(r.times)))
		}
		return 0, 0
	}
	every = w.ticks(line, "every", r.every, 1)
	if r.times == "" {
		return every, -1
	}
	n, err := strconv.ParseInt(r.times, 10, 32)
	if err != nil || n < -1 || n == 0 {
		w.faults.add(line, "times", texts.Newf("%s is not %s", quoted(r.times), "a whole number, 1 or more, or -1 for ever"))
	}
	return every, int32(n)
}

// ticks parses text, a number of base ticks or a duration, and returns a number of base ticks. It rounds durations
// up. If text is invalid or the result is less than least, ticks adds a fault for the field at path in the given
// line.
func (w *workload) ticks(line int64, path, text string, least int64) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		if n, err = scenario.ParseDuration(text); err == nil {
			n = ceilDiv(n, int64(w.tick()))
		}
	}
	switch {
	case text == "":
		w.faults.add(line, path, texts.Newf("missing; expected %s", "ticks, or a duration such as 5ms"))
	case err != nil:
		w.faults.add(line, path, texts.Newf("%s is not %s", quoted(text), "ticks, or a duration such as 5ms"))
	case n < least:
		w.faults.add(line, path, texts.Newf("%s is not %s", quoted(text), texts.Newf("a number of ticks, %d or more", least)))
	}
	return n
}

// ceilDiv returns ⌈a/b⌉ for b > 0. For example, ceilDiv(-1500, 1000) is -1.
func ceilDiv(a, b int64) int64 {
	q := a / b
	if a%b > 0 {
		q++
	}
	return q
}

// result plans a scenario with the collected operations and returns it. The Notes of the result are the given
// notes, followed by notes about what was shifted, skipped and read.
func (w *workload) result(o *Options, notes ...texts.Message) (*Result, error) {
	if err := w.badLines(); err != nil {
		return nil, err
	}
	if len(w.ops) == 0 {
		return nil, refuse("the file has no operation")
	}
	if w.spilled > 0 {
		if fault := w.flush(); fault != nil {
			return nil, fault
		}
		if w.end > w.last { // the workload goes on until then
			w.spill(&scenario.Op{Kind: scenario.OpStall, At: w.end})
		}
		notes = append(notes, w.skipped()...)
		return &Result{Name: nameOf(o.Name), Tick: w.tick(), Notes: notes}, nil
	}
	notes = append(notes, w.rebase()...)
	s := &scenario.Scenario{Name: nameOf(o.Name), Tick: w.tick().String(), Until: cmp.Or(w.end, w.until()), Lanes: o.Lanes, Ops: w.ops}
	s.Title = scenario.Text{Plain: s.Name}
	if len(s.Lanes) == 0 {
		s.Lanes = []scenario.LaneSpec{lane("rounds", catalog.Params{"slots": int64(256)}), lane("hierarchical", nil), lane("heap", nil)}
	}
	p, err := w.plan(s, o)
	if err != nil {
		return nil, err
	}
	notes = append(notes, w.skipped()...)
	if len(w.unused) > 0 {
		notes = append(notes, texts.Of("import.note.columns", "names", strings.Join(w.unused, ", ")))
	}
	if w.comments > 0 {
		notes = append(notes, texts.Of("import.note.comments", "n", w.comments))
	}
	notes = append(notes, texts.Of("import.note.workload", "operations", len(p.Scenario.Ops), "timers", p.Timers(), "until", p.Until))
	return &Result{Program: p, Notes: notes}, nil
}

// lane returns a lane for an imported scenario, with the given algorithm and parameters. The ID of the lane
// is the ID of the algorithm.
func lane(algorithm string, params catalog.Params) scenario.LaneSpec {
	if params == nil {
		params = catalog.Params{}
	}
	return scenario.LaneSpec{ID: algorithm, Algorithm: algorithm, Params: params}
}

// nameOf returns a name for a scenario, derived from the name of its file.
func nameOf(file string) string {
	name := path.Base(strings.ReplaceAll(file, `\`, "/"))
	for _, ending := range []string{".gz", path.Ext(strings.TrimSuffix(name, ".gz"))} {
		name = strings.TrimSuffix(name, ending)
	}
	if name == "" || name == "." || name == "/" || name == "-" {
		return "imported"
	}
	return strings.ToValidUTF8(name[:min(len(name), scenario.NameMax)], "")
}

// endlessRuns determines the end of an imported scenario with endlessly repeating timers: each of them has time
// for its first run and endlessRuns more.
const endlessRuns = 10

// until returns the last tick of the scenario. If no timer repeats endlessly, it returns -1, and the planner
// computes the tick. Otherwise, each endlessly repeating timer has time for its first run and endlessRuns more,
// or fewer if they would be due after wheel.TickMax.
func (w *workload) until() int64 {
	last, endless := int64(0), false
	for i := range w.ops {
		op := &w.ops[i]
		runs := int64(max(op.Times, 1)) - 1
		if op.Times < 0 {
			runs, endless = endlessRuns, true
		}
		first := op.At + max(op.Delay, 0)
		if first < 0 || first > wheel.TickMax {
			first = op.At // the planner refuses it
		}
		if op.Every > 0 { // only runs for which, and for the next of which, there are ticks
			runs = min(runs, max(0, (wheel.TickMax-first)/op.Every-1))
		}
		last = max(last, op.At, first+runs*op.Every)
	}
	if !endless {
		return -1
	}
	return last
}

// plan plans scenario s. If an operation is invalid and the options allow another invalid line, plan removes
// the operation and tries again. If they do not, it returns a *Faults with the line number of the operation.
func (w *workload) plan(s *scenario.Scenario, o *Options) (*program.Program, error) {
	for {
		p, err := program.PlanWith(s, o.Plan)
		input, ok := errors.AsType[*scenario.InputError](err)
		if !ok {
			return p, err
		}
		m := operation.FindStringSubmatch(input.Path)
		if m == nil {
			return nil, err
		}
		i, _ := strconv.Atoi(m[1]) // digits only, and an index of w.ops
		field := strings.TrimPrefix(strings.TrimPrefix(input.Path, m[0]), ".")
		if field == "timer" {
			field = "id"
		}
		fault := &Fault{Line: w.lines[i], Path: field, Message: input.Message, lines: slices.Clone(w.lines)}
		if w.bad++; w.bad > o.Workload.SkipBad {
			return nil, &Faults{List: []*Fault{fault}, Count: 1}
		}
		if w.faults.Count++; len(w.faults.List) == 0 {
			w.faults.List = append(w.faults.List, fault)
		}
		w.remove(i)
		s.Ops = w.ops
	}
}

// remove removes operation i from the workload, because the line of the operation is invalid and skipped.
func (w *workload) remove(i int) {
	w.ops, w.lines = slices.Delete(w.ops, i, i+1), slices.Delete(w.lines, i, i+1)
	if w.buckets != nil {
		w.buckets = slices.Delete(w.buckets, i, i+1)
	}
}

// badLines returns the faults of the invalid lines as an error, or nil if the options allow that many lines
// to be ignored.
func (w *workload) badLines() error {
	if w.bad <= w.o.SkipBad {
		return nil
	}
	return w.faults.orNil()
}

// skipped returns a note about the invalid lines that were ignored, or nil if there were none.
func (w *workload) skipped() []texts.Message {
	if w.bad == 0 {
		return nil
	}
	return []texts.Message{texts.Of("import.note.bad", "n", w.bad, "first", w.faults.List[0])}
}
