package importer

import (
	"errors"
	"regexp"
	"strconv"
	"time"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel"
)

// Units of the times in a workload, in addition to the units of Unix time in unixUnits.
const (
	unitTicks = "ticks"
	unitDate  = "date"
)

// Units lists the valid values of WorkloadOptions.At, except "".
var Units = []string{unitTicks, "s", "ms", "us", "ns"}

// unixUnits lists the units of Unix time. least is the smallest number that is recognized as a Unix time in that
// unit; it corresponds to 9 September 2001. A number n is recognized if least ≤ n < unixRange · least.
var unixUnits = []struct {
	unit  string
	least float64
}{{"s", 1e9}, {"ms", 1e12}, {"us", 1e15}, {"ns", 1e18}}

// unixRange is the ratio between the end and the beginning of the period in which a number is recognized
// as a Unix time. The end is in 2103.
const unixRange = 4.2

// timestamps describes how the times of a workload are written. unit is unitDate or one of Units, or "" until
// the first time in the file is read. If that time is a date, unit becomes unitDate. Otherwise, it becomes
// WorkloadOptions.At or, if At is "", the unit detected in that time.
type timestamps struct {
	unit   string
	layout string // layout of the last date
}

// dateLayouts are the layouts of dates that SQL, pandas and logs write, for package time; seconds may have a fraction.
// Without a zone, a date is in UTC.
var dateLayouts = func() (list []string) {
	for _, date := range []string{"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006/01/02 15:04:05"} {
		for _, zone := range []string{"Z07:00", "", "Z07", "Z0700", " Z07:00", " -0700", " -0700 MST", " UTC"} {
			list = append(list, date+zone)
		}
	}
	return append(list, "2006-01-02 15:04", "2006-01-02")
}()

// date parses a date.
func (t *timestamps) date(text string) (time.Time, error) {
	if at, err := time.Parse(t.layout, text); err == nil && t.layout != "" {
		return at, nil
	}
	for _, layout := range dateLayouts {
		if at, err := time.Parse(layout, text); err == nil {
			t.layout = layout
			return at, nil
		}
	}
	return time.Time{}, errors.New("not a date")
}

// decimal matches a number such as 12 or 0.5.
var decimal = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?$`)

// unitOf returns the unit in which text, a time, is written: unitDate, a unit of Unix time, or unitTicks.
func unitOf(text string) string {
	if _, err := new(timestamps).date(text); err == nil {
		return unitDate
	}
	if !decimal.MatchString(text) {
		return unitTicks
	}
	n, _ := strconv.ParseFloat(text, 64) // out of range is no time
	for _, u := range unixUnits {
		if u.least <= n && n < unixRange*u.least {
			return u.unit
		}
	}
	return unitTicks
}

// absolute reports whether the times are dates or Unix times. Such times are kept as Unix times in nanoseconds
// until rebase converts them to ticks.
func (t *timestamps) absolute() bool { return t.unit != "" && t.unit != unitTicks }

// nanoseconds parses text, a date or a Unix time in the unit t.unit, and returns it as a Unix time in
// nanoseconds.
func (t *timestamps) nanoseconds(text string) (int64, error) {
	if t.unit == unitDate {
		at, err := t.date(text)
		if err != nil {
			return 0, err
		}
		if year := at.Year(); year < 1970 || year > 2200 { // UnixNano ends in 2262
			return 0, errors.New("out of range")
		}
		return at.UnixNano(), nil
	}
	if !decimal.MatchString(text) {
		return 0, errors.New("not a number")
	}
	return scenario.ParseDuration(text + t.unit)
}

// tick returns the length of a base tick: WorkloadOptions.Tick or, if that is 0, workloadTick.
func (w *workload) tick() time.Duration {
	if w.o.Tick > 0 {
		return w.o.Tick
	}
	return workloadTick
}

// at parses text, the time of an operation. It returns dates and Unix times as Unix times in nanoseconds, and
// other times in base ticks. least is the smallest valid number of base ticks. If text is invalid, at adds a
// fault for the field at path in the given line.
func (w *workload) at(line int64, path, text string, least int64) int64 {
	if w.times.unit == "" {
		if w.times.unit = w.o.At; w.times.unit == "" || unitOf(text) == unitDate {
			w.times.unit = unitOf(text)
		}
	}
	if !w.times.absolute() {
		return w.ticks(line, path, text, least)
	}
	n, err := w.times.nanoseconds(text)
	if err != nil {
		w.faults.add(line, path, texts.Newf("%s is not %s", quoted(text), w.times.name()))
	}
	return n
}

// name describes t.unit, which must not be unitTicks, for use in a message: "a date" or, for example,
// "Unix time in ms".
func (t *timestamps) name() texts.Message {
	if t.unit == unitDate {
		return texts.Newf("a date such as 2006-01-02T15:04:05Z")
	}
	return texts.Newf("Unix time in %s", t.unit)
}

// origin returns what shift subtracts from the times of operations, and what it divides them by: the first of the times
// and the length of a tick if they are dates or Unix times, or if the options require it.
func (w *workload) origin() (first, width int64) {
	if !w.o.Rebase && !w.times.absolute() {
		return 0, 1
	}
	first = w.ops[0].At
	for i := range w.ops {
		first = min(first, w.ops[i].At)
	}
	switch {
	case w.times.absolute():
		return first, int64(w.tick())
	case first > wheel.TickMax:
		return 0, 1 // the planner refuses it
	}
	return first, 1
}

// shift shifts the time of op by w.first, and rounds dates and Unix times down to ticks.
func (w *workload) shift(op *scenario.Op) {
	op.At = (op.At - w.first) / w.width
	if op.HasCreated() && (w.first != 0 || w.width != 1) {
		op.SetCreated(-ceilDiv(w.first-op.Created, w.width))
	}
}

// rebase shifts the operations so that the first is at tick 0, and returns a note about it. It does so only
// if the times are dates or Unix times, or the options require it.
func (w *workload) rebase() []texts.Message {
	if w.first, w.width = w.origin(); w.first == 0 && w.width == 1 && !w.o.Rebase {
		return nil
	}
	for i := range w.ops {
		w.shift(&w.ops[i])
	}
	if w.times.absolute() {
		at := time.Unix(0, w.first).UTC().Format(time.RFC3339Nano)
		if w.times.unit == unitDate {
			return []texts.Message{texts.Of("import.note.dates", "at", at)}
		}
		return []texts.Message{texts.Of("import.note.unix", "unit", w.times.unit, "at", at)}
	}
	return []texts.Message{texts.Of("import.note.rebased", "tick", w.first)}
}
