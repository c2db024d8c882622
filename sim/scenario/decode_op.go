package scenario

import (
	"math"
	"slices"
	"strings"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/wheel"
)

var opNames = [...]string{OpSchedule: "schedule", OpSet: "set", OpCancel: "cancel", OpReset: "reset", OpStall: "stall", OpClock: "clock"}

// String returns the name of k in scenario files, such as "schedule".
func (k OpKind) String() string { return opNames[k] }

// opFields lists the fields of each kind of operation in the order in which they are written.
var opFields = [...][]string{
	OpSchedule: {"at", "op", "timer", "delay", "every", "times", "created"},
	OpSet:      {"at", "op", "timer", "delay", "every", "times", "created"},
	OpReset:    {"at", "op", "timer", "delay", "every", "times", "created"},
	OpCancel:   {"at", "op", "timer"},
	OpStall:    {"at", "op", "for"},
	OpClock:    {"at", "op", "by"},
}

// Arms reports whether an operation of kind k schedules a timer.
func (k OpKind) Arms() bool { return k == OpSchedule || k == OpSet || k == OpReset }

// Named reports whether an operation of kind k has a "timer" field, which names a timer.
func (k OpKind) Named() bool { return k.Arms() || k == OpCancel }

// DecodeOp decodes an operation object, which has the same form as in a scenario file but no "at" field.
// Instead, the parameter at specifies the tick of the operation, relative to the start of the scenario.
// DecodeOp does not detect conflicts with other operations, such as a name that is already in use; planning
// detects them. The error is an *InputError whose path is relative to the object.
func (s *Scenario) DecodeOp(data []byte, at int64) (Op, error) {
	d, root := parse(data, DecodeOptions{})
	if d.err != nil {
		return Op{}, d.err
	}
	tick, err := ParseTick(s.Tick)
	if err != nil {
		return Op{}, Fault("tick", "%s is not %s", Quote(s.Tick), WantDuration)
	}
	o := d.object(root, "")
	if v, ok := o.find("at"); ok {
		d.fail(v, "at", "unknown field; the operation happens at tick %d", at)
	}
	op := d.opFields(&o, tick)
	op.At = at
	if d.err == nil {
		if err := CheckOp(&op, "op", s.Start); err != nil {
			d.err = err.Under("op")
		}
	}
	if d.err != nil {
		return Op{}, d.err
	}
	return op, nil
}

// op reads v, element i of workload.ops. tick is the length of a base tick in nanoseconds.
func (d *document) op(v value, i int, tick int64) Op {
	if v.raw[0] != '{' {
		d.fail(v, OpPath(i), "%s is not an operation object", v.found())
		return Op{}
	}
	d.fields = d.members(v, d.fields[:0])
	// Making the path allocates, so it is made only if there is a fault.
	o := object{doc: d, self: v, members: d.fields}
	op := d.opFields(&o, tick)
	op.At = o.needTicks("at", tick)
	if d.err != nil {
		d.err.Path = strings.TrimSuffix(OpPath(i)+"."+d.err.Path, ".")
	}
	return op
}

func OpPath(i int) string { return PathAt("workload.ops", i) }

func (d *document) opFields(o *object, tick int64) Op {
	want := texts.Newf("one of %s", "schedule, set, cancel, reset, stall, clock")
	name := o.text("op", want)
	if d.err != nil {
		return Op{}
	}
	op := Op{Kind: opKind(name)}
	if op.Kind == 0 {
		v, _ := o.find("op")
		d.fail(v, o.at("op"), "%s is not %s", v.found(), want)
		return op
	}
	o.allowOnly(texts.Newf("the operation %s", name), opFields[op.Kind]...)
	switch {
	case op.Kind == OpStall:
		op.Amount = o.needTicks("for", tick)
	case op.Kind == OpClock:
		op.Amount = o.needTicks("by", tick)
	default:
		op.Timer = o.text("timer", "the name of a timer")
	}
	if op.Kind.Arms() {
		d.arming(o, &op, tick)
	}
	return op
}

// LastDue returns the due tick of the last run of a timer: at + delay + (times−1) · every. The parameter
// at is the tick at which the timer is scheduled. If times is 1 or less, which includes −1 for an endless
// repeat, it returns the due tick of the first run.
func LastDue(at, delay, every int64, times int32) int64 {
	due := at + delay
	if times > 1 {
		due += int64(times-1) * every
	}
	return due
}

// DuesFit reports whether the absolute due ticks of all runs of a timer fit in 62 bits. start is the
// absolute start tick; the other arguments are those of [LastDue].
func DuesFit(start, at, delay, every int64, times int32) bool {
	due := start + at + delay
	if due > wheel.TickMax || due < -wheel.TickMax {
		return false
	}
	return times <= 1 || int64(times-1) <= (wheel.TickMax-due)/every
}

// opKind returns the kind of operation with the given name, or 0 if there is none.
func opKind(name string) OpKind { return OpKind(max(slices.Index(opNames[:], name), 0)) }

// arming reads the fields of o that determine when the timer fires, such as "delay" and "every", into op. tick is the
// length of a base tick in nanoseconds.
func (d *document) arming(o *object, op *Op, tick int64) {
	op.Delay = o.needTicks("delay", tick)
	op.Every, op.Times = d.repeat(o, tick)
	if o.has("created") {
		op.Created, op.hasCreated = o.ticks("created", tick), true
	}
}

// repeat returns the values of the "every" field, in base ticks, and the "times" field, which is −1 (unlimited) if it
// is missing. If "every" is missing, it returns zeros, and sets d.err if o has "times". tick is the length of a base
// tick in nanoseconds.
func (d *document) repeat(o *object, tick int64) (every int64, times int32) {
	v, ok := o.find("every")
	if !ok {
		if times, ok := o.find("times"); ok {
			d.fail(times, o.at("times"), "%s without every is not a repeat; expected both or neither", times.found())
		}
		return 0, 0
	}
	every = d.span(v, o.at("every"), tick).Ticks
	if every < 1 {
		d.fail(v, o.at("every"), "%s is not %s", v.found(), texts.Newf(wantTick, 1))
	}
	return every, int32(o.integer("times", -1, -1, math.MaxInt32))
}

// Descriptions of the minimum length of time in a field, for error messages.
const (
	wantTick  = "%d tick or more"
	wantTicks = "%d ticks or more"
)
