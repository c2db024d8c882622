package export

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/v1"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel"
)

// IDs of the threads in the process that represents a lane: one thread for events without a level, such as schedule,
// and one for each level.
const (
	tidCalls  = 1
	tidLevels = 10 // the thread of level n has the ID tidLevels + n; a list beside the wheel is level -1
)

// tickMicros is the minimum length of a tick in the file, in microseconds. Each event of a tick gets its own
// microsecond, so the length is multiplied by ten until the tick with the most events fits.
const tickMicros = 1000

// MicrosMax is the maximum timestamp, in microseconds, in a file in Chrome's Trace Event JSON. Programs that read
// such files represent integers exactly only up to this value.
const MicrosMax = 1 << 53

// ScenarioKey is the key of the scenario in the metadata of a file in Chrome's Trace Event JSON. The value is a
// string that contains the scenario as canonical JSON, because programs that read such files keep only scalar values.
// Package importer restores the scenario from it.
const ScenarioKey = "wheelscope"

// perfetto writes Chrome's Trace Event JSON (the "Trace Event Format" document of the Chromium project), in the form
// that Perfetto's importer reads:
//   - Each lane is a process, each level a thread, and each event a slice of one microsecond.
//   - An asynchronous slice (a pair of "b" and "e" events) extends from when a timer is scheduled until it fires or is
//     cancelled or rejected.
//   - The path of each run of a timer through the levels is a flow, which Perfetto draws as arrows. It consists of an
//     "s" event when the run is scheduled, a "t" event for each place or cascade event, and an "f" event when it
//     expires.
//   - Counters show the number of pending timers and the cost.
type perfetto struct {
	p      *program.Program
	e      *engine.Engine
	out    *bufio.Writer
	micros int64              // length of a tick in microseconds
	inTick int64              // number of records of the current tick so far
	first  bool               // whether no event has been written yet
	line   []byte             // buffer in which an event is encoded
	seen   []map[int8]bool    // whether the name of a level's thread has been written, indexed by lane and level
	runs   []map[uint32]int64 // number of a timer's current run, indexed by lane and timer ID; no entry means 1
}

func newPerfetto(p *program.Program, e *engine.Engine, w *bufio.Writer, peak int) (formatWriter, error) {
	f := &perfetto{p: p, e: e, out: w, micros: tickMicros, first: true}
	for f.micros < int64(peak)+2 {
		f.micros *= 10
	}
	if p.Until >= MicrosMax/f.micros-1 {
		return nil, fmt.Errorf("until: %d ticks of %d µs each do not fit the format, which holds %d µs", p.Until, f.micros, int64(MicrosMax))
	}
	for range p.Scenario.Lanes {
		f.seen = append(f.seen, map[int8]bool{})
		f.runs = append(f.runs, map[uint32]int64{})
	}
	return f, nil
}

// begin writes the metadata of the file and, for each lane, the names of its process and of the thread for events
// without a level. The other threads are named later, before their first event.
func (f *perfetto) begin() error {
	s := f.p.Scenario
	meta := map[string]any{"scenario": s.Name, ScenarioKey: string(s.AppendJSON(nil)), "digest": f.p.Digest(), "tick_us": f.micros, "start": f.p.Start, "until": f.p.Until}
	if len(s.Generate) > 0 {
		meta["seed"] = seeds(s.Generate)
	}
	text, err := json.Marshal(meta)
	if err != nil {
		return err
	}
	fmt.Fprintf(f.out, "{\"displayTimeUnit\":\"ms\",\"metadata\":%s,\"traceEvents\":[", text)
	for i := range s.Lanes {
		f.meta(i, 0, "process_name", "name", s.Lanes[i].ID+" ("+s.Lanes[i].Algorithm+")")
		f.meta(i, 0, "process_sort_index", "sort_index", i)
		f.thread(i, tidCalls, "calls", 0)
	}
	return nil
}

// seeds returns the seeds of the groups of generated timers, in the order of the scenario. It joins them into one
// string, because programs that read the exported file keep only scalar values, and only 53 bits of a number.
func seeds(groups []scenario.Group) string {
	list := make([]string, len(groups))
	for i := range groups {
		list[i] = strconv.FormatUint(groups[i].Seed, 10)
	}
	return strings.Join(list, ", ")
}

// meta writes a metadata event, which sets a property of a process (a lane) or a thread (a level): its name
// or its order. name is the property, and value is its value, stored in the given field of the event's arguments.
// tid is 0 for a process.
func (f *perfetto) meta(lane, tid int, name, field string, value any) {
	text, err := json.Marshal(value)
	if err != nil { // cannot happen for a string or number
		text = []byte("null")
	}
	f.raw(fmt.Sprintf(`{"name":"%s","cat":"__metadata","ph":"M","ts":0,"pid":%d,"tid":%d,"args":{"%s":%s}}`, name, lane+1, tid, field, text))
}

func (f *perfetto) thread(lane, tid int, name string, order int) {
	f.meta(lane, tid, "thread_name", "name", name)
	f.meta(lane, tid, "thread_sort_index", "sort_index", order)
}

// raw writes text, which is one event of the file. It adds a comma before all events but the first.
func (f *perfetto) raw(text string) {
	if !f.first {
		f.out.WriteByte(',')
	}
	f.first = false
	f.out.WriteByte('\n')
	f.out.WriteString(text)
}

func (f *perfetto) records(recs []engine.Record) error {
	for k := range recs {
		f.record(recs[k].Tick*f.micros+f.inTick, &recs[k])
		f.inTick++
	}
	_, err := f.out.Write(nil) // bufio keeps the first error of all writes above
	return err
}

func (f *perfetto) tick(t int64) error {
	f.inTick = 0
	at := t*f.micros + f.micros - 1
	for i := range f.p.Scenario.Lanes {
		lane := f.e.Lane(i)
		f.counter(i, at, "waiting", "timers", int64(lane.Waiting()))
		f.counter(i, at, "cost", "total", lane.Cost().Total)
	}
	_, err := f.out.Write(nil)
	return err
}

func (f *perfetto) counter(lane int, ts int64, name, series string, v int64) {
	f.raw(fmt.Sprintf(`{"name":"%s","cat":"lane","ph":"C","ts":%d,"pid":%d,"tid":0,"args":{"%s":%d}}`, name, ts, lane+1, series, v))
}

// record writes the trace events that represent r: a slice, which Perfetto draws as a bar on the time axis,
// and, depending on the kind of r, the beginning or end of the timer's life and a point of a flow. ts is the
// time in microseconds.
func (f *perfetto) record(ts int64, r *engine.Record) {
	f.slice(ts, r)
	runs := f.runs[r.Lane]
	if r.Kind == wheel.KindSchedule && r.Run > 1 {
		runs[r.ID] = int64(r.Run)
	}
	switch r.Kind {
	case wheel.KindSchedule:
		f.life(ts, r, "b")
		f.flow(ts, r, "s")
	case wheel.KindPlace, wheel.KindCascade:
		f.flow(ts, r, "t")
	case wheel.KindExpire:
		f.flow(ts, r, "f")
		f.life(ts, r, "e")
	case wheel.KindCancel, wheel.KindMark, wheel.KindReject:
		f.life(ts, r, "e")
	}
	switch r.Kind { // a marked timer may still cascade until it is swept
	case wheel.KindExpire, wheel.KindCancel, wheel.KindSweep, wheel.KindReject:
		delete(runs, r.ID)
	}
}

// slice writes r as a slice, a bar on the time axis, in the thread for its level. The slice begins at time ts, in
// microseconds.
func (f *perfetto) slice(ts int64, r *engine.Record) {
	b := append(f.line[:0], `{"name":"`...)
	b = append(b, r.Kind.String()...)
	if r.ID != 0 {
		b = append(b, ' ')
		b = appendInside(b, f.p.Name(r.ID))
	}
	b = append(b, `","cat":"wheel","ph":"X","dur":1`...)
	b = f.where(b, ts, r, f.track(r))
	b = append(b, `,"args":{"tick":`...)
	b = strconv.AppendInt(b, r.Tick, 10)
	b = f.args(b, r)
	f.line = append(b, "}}"...)
	f.raw(string(f.line))
}

// where appends to b the fields that give the time and the thread of an event in the file: "ts", "pid" (the
// process, which represents the lane of r) and "tid".
func (f *perfetto) where(b []byte, ts int64, r *engine.Record, tid int) []byte {
	b = append(b, `,"ts":`...)
	b = strconv.AppendInt(b, ts, 10)
	b = append(b, `,"pid":`...)
	b = strconv.AppendInt(b, int64(r.Lane)+1, 10)
	b = append(b, `,"tid":`...)
	return strconv.AppendInt(b, int64(tid), 10)
}

// track returns the ID of the thread that represents the level of r or, if r has no level, tidCalls. When a
// level is first used, track writes the name of its thread.
func (f *perfetto) track(r *engine.Record) int {
	level := r.ToLevel
	if level == wheel.NoLevel {
		level = r.FromLevel
	}
	if level == wheel.NoLevel {
		return tidCalls
	}
	tid := tidLevels + int(level)
	if seen := f.seen[r.Lane]; !seen[level] {
		seen[level] = true
		name := "level " + strconv.Itoa(int(level))
		if level < 0 {
			name = "waiting apart"
		}
		f.thread(int(r.Lane), tid, name, 1+wheel.LevelsMax-int(level)) // the coarsest level first
	}
	return tid
}

// args appends to b the fields that describe r, such as its due tick. Perfetto shows them for a selected slice.
func (f *perfetto) args(b []byte, r *engine.Record) []byte {
	field := func(name string, v int64) {
		b = append(b, `,"`+name+`":`...)
		b = strconv.AppendInt(b, v, 10)
	}
	if r.ID != 0 {
		field("id", int64(r.ID))
	}
	if r.FromLevel != wheel.NoLevel {
		field("from_level", int64(r.FromLevel))
		field("from_slot", int64(r.FromSlot))
	}
	if r.ToLevel != wheel.NoLevel {
		field("to_level", int64(r.ToLevel))
		field("to_slot", int64(r.ToSlot))
	}
	switch r.Kind {
	case wheel.KindSchedule, wheel.KindPlace, wheel.KindCascade:
		field("due", r.Due-f.p.Start)
	case wheel.KindExpire:
		field("due", r.Due-f.p.Start)
		field("late", r.Late(f.p.Start))
	case wheel.KindHand:
		field("count", int64(r.Before))
	}
	if r.Kind == wheel.KindPlace && r.X != wheel.NoRounds {
		field("rounds", r.X)
	}
	if name := wheel.CodeName(r.Code); name != "" {
		b = append(b, `,"code":"`+name+`"`...)
	}
	return b
}

// life writes an event that begins (ph is "b") or ends (ph is "e") an asynchronous slice at time ts, in microseconds.
// The slice represents the life of a timer, from when it is scheduled until it fires or is cancelled or rejected.
func (f *perfetto) life(ts int64, r *engine.Record, ph string) {
	b := append(f.line[:0], `{"name":"`...)
	b = appendInside(b, f.p.Name(r.ID))
	b = append(b, `","cat":"life","ph":"`+ph+`","id":"0x`...)
	b = strconv.AppendUint(b, uint64(r.Lane)<<32|uint64(r.ID), 16)
	b = append(b, '"')
	b = f.where(b, ts, r, tidCalls)
	f.line = append(b, `,"args":{}}`...)
	f.raw(string(f.line))
}

// Numbers of bits in the ID of a flow: the lowest flowRunBits bits are the number of the run, the next
// flowIDBits bits are the ID of the timer, and the bits above are the lane.
const (
	flowRunBits = 36
	flowIDBits  = 22 // number of bits in a timer ID; enough for scenario.TimersMax timers
)

// flow writes one point of a flow, which Perfetto draws as arrows along the path of a run of a timer. ph is "s"
// for the first point, "t" for an intermediate one and "f" for the last. Perfetto connects a point to the last slice
// in the same thread. It does not close a flow at its last point, so each run has its own flow ID.
func (f *perfetto) flow(ts int64, r *engine.Record, ph string) {
	number := uint64(max(f.runs[r.Lane][r.ID], 1))
	b := append(f.line[:0], `{"name":"run","cat":"flow","ph":"`+ph+`","id":"0x`...)
	b = strconv.AppendUint(b, (uint64(r.Lane)<<flowIDBits|uint64(r.ID))<<flowRunBits|number, 16)
	b = append(b, '"')
	if ph == "f" {
		b = append(b, `,"bp":"e"`...)
	}
	b = f.where(b, ts, r, f.track(r))
	f.line = append(b, `,"args":{}}`...)
	f.raw(string(f.line))
}

// appendInside appends name, escaped for use within a JSON string.
func appendInside(b []byte, name string) []byte {
	text, err := json.Marshal(name)
	if err != nil { // cannot happen for a string
		return b
	}
	return append(b, text[1:len(text)-1]...)
}

func (f *perfetto) end() error {
	_, err := f.out.WriteString("\n]}\n")
	return err
}
