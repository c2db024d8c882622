package tracefile

import (
	"math"
	"strconv"
	"strings"

	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/wheel"
)

// LineFields lists, for each kind of event, the names of the fields in a line, separated by spaces and in the
// order in which they are written, as in the table of docs/TRACE.md. Fields in brackets are optional; those
// in the same brackets are present or absent together.
var LineFields = [wheel.NumKinds]string{
	wheel.KindSchedule: "id timer due [run]",
	wheel.KindReject:   "id timer due reason",
	wheel.KindMiss:     "op timer",
	wheel.KindPend:     "id timer due",
	wheel.KindPlace:    "id timer [from] level slot [before] [rounds] due [key]",
	wheel.KindCascade:  "id timer from to [before] due",
	wheel.KindMove:     "id timer from to",
	wheel.KindHand:     "level slot count",
	wheel.KindCancel:   "id timer from",
	wheel.KindMark:     "id timer",
	wheel.KindSweep:    "id timer [from]",
	wheel.KindExpire:   "id timer [from] due late [run]",
	wheel.KindGrow:     "level width",
	wheel.KindEnqueue:  "level slot due",
	wheel.KindDequeue:  "level slot due",
	wheel.KindFinding:  "code [id timer] expect got",
	wheel.KindResize:   "level slots width",
	wheel.KindRekey:    "id timer from due",
}

// fieldWords lists the permitted values of the fields that contain words.
var fieldWords = map[string][]string{
	"reason": {"range", "capacity", "past", "fault"},
	"op":     {"cancel", "reset"},
	"code":   {"early", "late", "lost", "twice", "storm", "stuck", "panic", "revived"},
}

// fieldMin holds the minimum value of each numeric field, except those that may have any value.
var fieldMin = map[string]int64{"id": 1, "level": -1, "slot": 0, "before": 1, "rounds": 0, "count": 0, "slots": 1, "width": 1, "run": 2}

// fieldMax holds the maximum of each numeric field that engine.Record stores in fewer than 64 bits.
var fieldMax = map[string]int64{"id": math.MaxUint32, "before": math.MaxUint32, "run": math.MaxUint32, "count": math.MaxUint32,
	"slot": math.MaxUint32, "slots": math.MaxUint32, "level": math.MaxInt8}

var errAfterEnd = fault("more data follows the end line")

// Checker checks the format of the lines of a trace, in order: each line must have the right fields in the right order
// and a known kind and lane, sequence numbers must be consecutive, and ticks must not decrease. A Checker does not
// compare the lines with a run.
type Checker struct {
	kinds map[string]wheel.Kind
	lanes []string       // IDs of the lanes, quoted, in file order
	seq   int64          // sequence number of the last event line that was checked
	tick  int64          // tick of the last line that was checked
	Ended bool           // whether the end line has been checked
	Rec   *engine.Record // Line sets *Rec to the record of each event line; nil means that records are not needed
	Name  string         // name of the timer in the last event line that was checked
}

func NewChecker(p *program.Program) *Checker {
	c := &Checker{kinds: make(map[string]wheel.Kind)}
	for k := wheel.KindNone + 1; k < wheel.NumKinds; k++ {
		c.kinds[k.String()] = k
	}
	for i := range p.Scenario.Lanes {
		c.lanes = append(c.lanes, string(appendString(nil, p.Scenario.Lanes[i].ID)))
	}
	return c
}

// Line checks one line after the header. text does not include the newline. The error describes the first
// fault in the line.
func (c *Checker) Line(text []byte) error {
	if c.Ended {
		return errAfterEnd
	}
	s := &lineScanner{rest: text, rec: c.Rec}
	if hasEndPrefix(string(text)) {
		c.Ended = true
		c.end(s)
	} else {
		c.event(s)
	}
	s.literal("}")
	if s.err == nil && len(s.rest) > 0 {
		s.fail("the end of the line")
	}
	return s.err
}

const endPrefix = `{"kind":"end"`

func hasEndPrefix(line string) bool { return strings.HasPrefix(line, endPrefix) }

func (c *Checker) event(s *lineScanner) {
	s.literal(`{"seq":`)
	if seq := s.number(1); s.err == nil && seq != c.seq+1 {
		s.err = fault("seq is %d, expected %d", seq, c.seq+1)
	}
	c.seq++
	s.literal(`,"tick":`)
	c.nextTick(s)
	s.literal(`,"lane":`)
	lane := s.oneOf("the id of a lane in the header", c.lanes)
	s.literal(`,"kind":`)
	name := s.text()
	k, known := c.kinds[name]
	if s.err == nil && !known {
		s.err = fault("kind is %s, which version 1 does not have", strconv.Quote(name))
	}
	if s.rec != nil {
		*s.rec = blankRecord(k, c.tick, lane)
	}
	s.fields(LineFields[k])
	c.Name = s.name
}

// nextTick reads a tick from s. The tick must not be less than that of the previous line.
func (c *Checker) nextTick(s *lineScanner) {
	tick := s.number(0)
	if s.err == nil && tick < c.tick {
		s.err = fault("tick is %d, after %d", tick, c.tick)
	}
	c.tick = tick
}

func (c *Checker) end(s *lineScanner) {
	s.literal(endPrefix + `,"tick":`)
	c.nextTick(s)
	s.literal(`,"events":`)
	if n := s.number(0); s.err == nil && n != c.seq {
		s.err = fault("events is %d, but there are %d", n, c.seq)
	}
	s.literal(`,"pending":`)
	for i, lane := range c.lanes {
		s.literal([]string{"{", ","}[min(i, 1)] + lane + ":")
		s.number(0)
	}
	s.literal(`},"sha256":`)
	if sum := s.text(); s.err == nil && (len(sum) != 64 || strings.Trim(sum, "0123456789abcdef") != "") {
		s.err = fault("sha256 is %s, expected 64 hexadecimal digits", strconv.Quote(sum))
	}
}
