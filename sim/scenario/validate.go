package scenario

import (
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// CheckTexts returns an error if the name, the title, the summary or the question of s is too long or
// malformed, and nil otherwise.
func CheckTexts(s *Scenario) *InputError {
	if err := checkName("name", s.Name); err != nil {
		return err
	}
	for _, t := range []struct {
		path string
		text Text
	}{{"title", s.Title}, {"summary", s.Summary}, {"question", s.Question}} {
		if err := checkText(t.path, t.text); err != nil {
			return err
		}
	}
	return nil
}

func checkText(path string, t Text) *InputError {
	if len(t.Langs) > LangsMax {
		return Fault(path, "%d languages; expected at most %d", len(t.Langs), LangsMax)
	}
	if len(t.Plain) > TextMax {
		return Fault(path, "%d bytes; expected a text of at most %d", len(t.Plain), TextMax)
	}
	for _, l := range t.Langs {
		if l.Lang == "" || len(l.Lang) > LangMax {
			return Fault(path, `%s is not a language such as "en" or "zh"`, Quote(l.Lang))
		}
		if len(l.Text) > TextMax {
			return Fault(path+"."+pathName(l.Lang), "%d bytes; expected a text of at most %d", len(l.Text), TextMax)
		}
	}
	return nil
}

func checkName(path, name string) *InputError {
	if len(name) > NameMax {
		return Fault(path, "%d bytes; expected a name of at most %d", len(name), NameMax)
	}
	if !utf8.ValidString(name) {
		return Fault(path, "%s is not UTF-8", Quote(name))
	}
	return nil
}

// CheckLane checks a lane without regard to the other lanes, and returns it with defaults for missing parameters. It
// constructs the wheel to detect incompatible parameters. path is the path of the lane in error messages,
// start is the absolute start tick of the scenario, and tick is the length of a base tick in nanoseconds.
func CheckLane(lane LaneSpec, path string, start, tick int64) (LaneSpec, *InputError) {
	if lane.ID == "" {
		return lane, Fault(path+".id", `"" is not a name`)
	}
	if err := checkName(path+".id", lane.ID); err != nil {
		return lane, err
	}
	a, ok := algorithms.Lookup(lane.Algorithm)
	if !ok {
		return lane, Fault(path+".algorithm", "%s is not one of %s", Quote(lane.Algorithm), algorithmIDs())
	}
	params, err := a.Fill(lane.Params)
	if err != nil {
		return lane, paramFault(path, err)
	}
	w, err := algorithms.NewIn(catalog.Env{Start: start, TickNanos: tick}, lane.Algorithm, params)
	if err != nil {
		return lane, paramFault(path, err)
	}
	lane.Params, lane.slots = params, 0
	for _, level := range w.Layout().Levels {
		lane.slots += level.Slots
	}
	return lane, nil
}

// Slots returns the number of slots in all levels of the lane. l must be a result of CheckLane.
func (l *LaneSpec) Slots() int { return l.slots }

// Width returns the number of base ticks that a slot of the lane's finest level covers.
func (l *LaneSpec) Width() int64 {
	if w, ok := l.Params["width"].(int64); ok {
		return w
	}
	return 1
}

// Rest returns the number of ticks that planning adds to the tick of the last operation or last due timer,
// whichever is later, if Until is not given. It is twice the greatest Width of any lane, so that the last
// timers of a lane that rounds due ticks up fire before the end.
func (s *Scenario) Rest() int64 {
	most := int64(1)
	for i := range s.Lanes {
		most = max(most, s.Lanes[i].Width())
	}
	return 2 * most
}

// CheckOp returns an error if a field of op is out of range, and otherwise nil. It does not consider other
// operations. path is the path of the operation in error messages. start is the absolute start tick of the
// scenario.
func CheckOp(op *Op, path string, start int64) *InputError {
	if op.Kind < OpSchedule || op.Kind > OpClock {
		return Fault(path+".op", "%d is not an operation", op.Kind)
	}
	if op.At < 0 || op.At > wheel.TickMax-start {
		return Fault(path+".at", "%d is not %s", op.At, Between(0, wheel.TickMax-start))
	}
	switch {
	case op.Kind == OpStall && (op.Amount < 1 || op.Amount > wheel.TickMax):
		return Fault(path+".for", "%d is not %s", op.Amount, Between(1, wheel.TickMax))
	case op.Kind == OpClock && (op.Amount < -wheel.TickMax || op.Amount > wheel.TickMax):
		return Fault(path+".by", "%d is not %s", op.Amount, Between(-wheel.TickMax, wheel.TickMax))
	case op.Kind.Named() && op.Timer == "":
		return Fault(path+".timer", `"" is not the name of a timer`)
	}
	if err := checkName(path+".timer", op.Timer); err != nil {
		return err
	}
	if !op.Kind.Arms() {
		return nil
	}
	return checkArming(op, path, start)
}

// checkArming returns an error if the delay, interval or number of runs in op is invalid, or if an absolute due tick
// does not fit in 62 bits. path is the path of op in error messages. start is the absolute start tick of the scenario.
func checkArming(op *Op, path string, start int64) *InputError {
	if err := checkRepeat(op.Every, int64(op.Times), path); err != nil {
		return err
	}
	if op.Delay < -wheel.TickMax || op.Delay > wheel.TickMax {
		return Fault(path+".delay", "%d is not %s", op.Delay, Between(-wheel.TickMax, wheel.TickMax))
	}
	if !DuesFit(start, op.At, op.Delay, 0, 0) {
		return Fault(path+".delay", "%d makes it due past tick %d: start + at + delay must fit 62 bits", op.Delay, wheel.TickMax)
	}
	if !DuesFit(start, op.At, op.Delay, op.Every, op.Times) {
		return Fault(path+".times", "%d runs end past tick %d: start + at + delay + times·every must fit 62 bits", op.Times, wheel.TickMax)
	}
	return nil
}

// checkRepeat returns an error if the interval between two runs of a timer (every, in ticks) or the number of
// runs (times) is out of range. For a timer that fires once, both must be 0; otherwise neither may be 0. path is the
// path of the object with these two values in error messages.
func checkRepeat(every, times int64, path string) *InputError {
	switch {
	case every == 0 && times == 0:
		return nil
	case every < 1 || every > wheel.TickMax:
		return Fault(path+".every", "%d is not %s", every, Between(1, wheel.TickMax))
	case times == 0 || times < -1 || times > math.MaxInt32:
		return Fault(path+".times", "%d is not −1 (for ever) or a whole number between 1 and %d", times, math.MaxInt32)
	}
	return nil
}

// CheckGroup returns an error if the prefix, the count or the repeat of group g is invalid, and otherwise
// nil. path is the path of the group in error messages.
func CheckGroup(g *Group, path string) *InputError {
	if g.Prefix == "" {
		return Fault(path+".prefix", `"" is not the beginning of a name`)
	}
	if g.Count < 0 || g.Count > TimersMax {
		return Fault(path+".count", "%d is not %s", g.Count, Between(0, TimersMax))
	}
	if longest := g.Prefix + strconv.Itoa(max(g.Count-1, 0)); len(longest) > NameMax {
		return Fault(path+".prefix", "%d bytes with the index; expected a name of at most %d", len(longest), NameMax)
	}
	return checkRepeat(g.Repeat.Every.Ticks, int64(g.Repeat.Times), path)
}
