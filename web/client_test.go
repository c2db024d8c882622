package web

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/gorilla/websocket"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/wheelscope/wheelscope/internal/testkit"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/web/session/protocol"
	"github.com/wheelscope/wheelscope/wheel"
)

// client is a client without pictures: it folds the messages of a socket and reports any that are
// inconsistent.
type client struct {
	t    *testing.T
	conn *websocket.Conn
	last int64 // id of the last command

	hello    protocol.Hello
	player   protocol.Player
	timeline protocol.Timeline
	search   protocol.Search
	parts    []protocol.Events // events messages so far
	preview  protocol.Preview
	seq      int64
	tick     int64
	step     int64
	rest     bool
	lanes    []clientLane
	names    map[uint32]string
	states   int // state messages so far
	deltas   int
}

type clientLane struct {
	mode   string
	now    int64
	fold   *wheel.Fold
	slots  map[[2]int64]int64 // in mode counts only
	levels []protocol.Level
	counts []int64
	cost   []int64
	spent  int64 // the sum of the rows, which were added to the total before
}

// client opens a socket and reads its first messages.
func (h *harness) client(path string) *client {
	h.t.Helper()
	conn, refused := h.dial(path, nil)
	if conn == nil {
		h.t.Fatalf("%s: %d %s", path, refused.code, refused.body)
	}
	c := &client{t: h.t, conn: conn}
	for c.states == 0 || c.timeline.V == 0 {
		c.read()
	}
	return c
}

func (c *client) close() {
	c.conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseNormalClosure, ""), time.Now().Add(time.Second))
	for {
		if _, _, err := c.conn.ReadMessage(); err != nil {
			break
		}
	}
	c.conn.Close()
}

// read reads one message, checks it against the description, and folds it.
func (c *client) read() (kind string, raw []byte) {
	c.t.Helper()
	_, raw, err := c.conn.ReadMessage()
	if err != nil {
		c.t.Fatalf("read: %v", err)
	}
	h := headerOf(c.t, raw)
	if h.V != protocol.Version || len(h.Run) != sim.DigestShort {
		c.t.Fatalf("header %+v", h)
	}
	if len(raw) < schemaBytesMax {
		if err := testkit.Validate(c.t, messageSchema(c.t, h.Kind), raw); err != nil {
			c.t.Fatalf("%v in %.300s", err, raw)
		}
	}
	switch h.Kind {
	case "hello":
		c.hello = decode[protocol.Hello](c.t, raw)
		c.lanes, c.names = nil, map[uint32]string{}
	case "state":
		c.state(decode[protocol.State](c.t, raw))
	case "delta":
		c.delta(decode[protocol.Delta](c.t, raw))
	case "player":
		c.player = decode[protocol.Player](c.t, raw)
	case "timeline":
		c.timeline = decode[protocol.Timeline](c.t, raw)
	case "search":
		c.search = decode[protocol.Search](c.t, raw)
	case "events":
		c.parts = append(c.parts, decode[protocol.Events](c.t, raw))
	case "preview":
		c.preview = decode[protocol.Preview](c.t, raw)
	case "ack":
	default:
		c.t.Fatalf("kind %q", h.Kind)
	}
	return h.Kind, raw
}

// schemaBytesMax is the size from which messages are not validated, which would take too long.
const schemaBytesMax = 16 << 10

// messageSchemas has the schemas of messages by kind.
var messageSchemas sync.Map

// messageSchema returns the part of docs/messages.schema.json about messages of a kind.
func messageSchema(t *testing.T, kind string) *jsonschema.Schema {
	t.Helper()
	schema, ok := messageSchemas.Load(kind)
	if !ok {
		schema, _ = messageSchemas.LoadOrStore(kind, testkit.SchemaDefinition(t, testkit.MessagesSchema, "message-"+kind))
	}
	return schema.(*jsonschema.Schema)
}

// headerOf returns the header of a message.
func headerOf(t *testing.T, raw []byte) protocol.Header {
	t.Helper()
	var h struct {
		protocol.Header
		Rest jsontext.Value `json:",inline"`
	}
	if err := json.Unmarshal(raw, &h); err != nil {
		t.Fatalf("%v in %.300s", err, raw)
	}
	return h.Header
}

// decode decodes a message strictly: an undescribed field is an error.
func decode[T any](t *testing.T, raw []byte) (m T) {
	t.Helper()
	if err := json.Unmarshal(raw, &m, json.RejectUnknownMembers(true)); err != nil {
		t.Fatalf("%v in %.300s", err, raw)
	}
	return m
}

// until reads messages until cond holds.
func (c *client) until(what string, cond func() bool) {
	c.t.Helper()
	for range 100000 {
		if cond() {
			return
		}
		c.read()
	}
	c.t.Fatalf("%s: never", what)
}

// send sends a command verbatim.
func (c *client) send(text string) {
	c.t.Helper()
	if err := c.conn.WriteMessage(websocket.TextMessage, []byte(text)); err != nil {
		c.t.Fatal(err)
	}
}

// ask sends a command, reads up to its answer and returns the answer's error.
func (c *client) ask(fields string) *protocol.Description {
	c.t.Helper()
	time.Sleep(time.Second / 50) // typing takes time, here the bubble's
	c.last++
	c.send(fmt.Sprintf(`{"v":1,"id":%d,%s}`, c.last, fields))
	for {
		kind, raw := c.read()
		if kind != "ack" {
			continue
		}
		if a := decode[protocol.Ack](c.t, raw); a.Ack == c.last {
			return a.Error
		}
	}
}

// must is ask for a command that must succeed.
func (c *client) must(fields string) {
	c.t.Helper()
	if err := c.ask(fields); err != nil {
		c.t.Fatalf("%s: %v", fields, err)
	}
}

func (c *client) learn(names []any) {
	for i := 0; i < len(names); i += 3 {
		c.names[uint32(names[i].(float64))] = names[i+1].(string)
	}
}

// known checks that a timer's name was sent before or with the first mention of the timer.
func (c *client) known(id int64) {
	if _, ok := c.names[uint32(id)]; id != 0 && !ok {
		c.t.Fatalf("at seq %d: timer %d is mentioned and its name was never sent", c.seq, id)
	}
}

func (c *client) state(m protocol.State) {
	c.t.Helper()
	c.states++
	c.learn(m.Names)
	c.seq, c.tick, c.step, c.rest = m.Seq, m.Tick, m.Step, m.Rest
	c.lanes = make([]clientLane, len(m.Lanes))
	for i, l := range m.Lanes {
		to := &c.lanes[i]
		*to = clientLane{mode: l.Mode, now: l.Now, levels: l.Levels, counts: l.Counts, cost: l.Cost, slots: map[[2]int64]int64{}, spent: l.Cost[3]}
		s := wheel.State{Live: int(l.Counts[0]), Counts: countsOf(l.Counts)}
		for _, v := range l.Levels {
			s.Levels = append(s.Levels, wheel.Level{Level: int(v[0]), Slots: int(v[1]), Width: v[2]})
		}
		for _, p := range l.Places {
			level, slot, count := int64(p[0].(float64)), int64(p[1].(float64)), int64(p[2].(float64))
			to.slots[[2]int64{level, slot}] = count
			entries := c.entries(p[3].([]any))
			want := count
			if l.Mode == protocol.ModeCounts {
				want = 0
				if m.Rest {
					want = min(count, protocol.PlaceTimersMax)
				}
			}
			if int64(len(entries)) != want {
				c.t.Fatalf("lane %d level %d slot %d: %d timers listed of %d, want %d", i, level, slot, len(entries), count, want)
			}
			s.Places = append(s.Places, wheel.Place{Level: int8(level), Slot: uint32(slot), Count: int(count), Entries: entries})
		}
		if l.Mode == protocol.ModeFull {
			for _, e := range c.entries(l.Arming) {
				s.Arming = &e
			}
			to.fold = wheel.NewFold(&s)
		}
	}
}

func (c *client) entries(flat []any) (list []wheel.Entry) {
	for i := 0; i < len(flat); i += 5 {
		n := func(k int) int64 { return int64(flat[i+k].(float64)) }
		c.known(n(0))
		e := wheel.Entry{ID: uint32(n(0)), Due: n(1), Rounds: n(2), Run: uint32(n(3)), Marked: n(4) == 1}
		if e.Rounds < 0 {
			e.Rounds = wheel.NoRounds
		}
		list = append(list, e)
	}
	return list
}

func countsOf(n []int64) wheel.Counts {
	return wheel.Counts{Scheduled: n[1], Rejected: n[2], Cancelled: n[3], Expired: n[4], Missed: n[5], Early: n[6], Late: n[7], Findings: n[8]}
}

func (c *client) delta(m protocol.Delta) {
	c.t.Helper()
	c.deltas++
	if m.From != c.seq || m.Run != c.hello.Run {
		c.t.Fatalf("delta from %d of run %s, the client is at %d of %s", m.From, m.Run, c.seq, c.hello.Run)
	}
	c.learn(m.Names)
	for i := 0; i < len(m.Events); i += protocol.RowWidth {
		c.row(m.Events[i : i+protocol.RowWidth])
	}
	c.seq, c.tick, c.step, c.rest = m.Seq, m.Tick, m.Step, false
	for _, ch := range m.Lanes {
		l := &c.lanes[ch.Lane]
		l.now, l.counts, l.cost = ch.Now, ch.Counts, ch.Cost
		if ch.Levels != nil {
			l.levels = ch.Levels
		}
		for _, pair := range ch.Slots {
			list := pair[1].([]any)
			for k := 0; k < len(list); k += 2 {
				l.set(int64(pair[0].(float64)), int64(list[k].(float64)), int64(list[k+1].(float64)))
			}
		}
		if l.mode == protocol.ModeFull && l.fold != nil {
			c.checkCounts(ch.Lane, l)
		}
	}
	for i, end := range m.Steps {
		if end <= m.From || end > m.Seq || i > 0 && end <= m.Steps[i-1] {
			c.t.Fatalf("steps %v of a delta from %d to %d", m.Steps, m.From, m.Seq)
		}
	}
}

func (l *clientLane) set(level, slot, count int64) {
	if count == 0 {
		delete(l.slots, [2]int64{level, slot})
		return
	}
	l.slots[[2]int64{level, slot}] = count
}

// row folds one event.
func (c *client) row(r []int64) {
	c.t.Helper()
	if r[0] <= c.seq {
		c.t.Fatalf("row of event %d, the client is at %d", r[0], c.seq)
	}
	c.known(r[4])
	l := &c.lanes[r[2]]
	if l.mode != protocol.ModeFull {
		c.t.Fatalf("row of lane %d, which is in mode counts", r[2])
	}
	if r[14] < 0 {
		c.t.Fatalf("row %v: a lane gets work back", r)
	}
	l.spent += r[14]
	e := wheel.Event{Kind: wheel.Kind(r[3]), ID: uint32(r[4]), FromLevel: int8(r[5]), FromSlot: uint32(r[6]), ToLevel: int8(r[7]),
		ToSlot: uint32(r[8]), Before: uint32(r[9]), X: r[10], Due: r[11], Run: uint32(r[12]), Code: uint8(r[13])}
	if e.Kind == wheel.KindPlace && e.X < 0 {
		e.X = wheel.NoRounds
	}
	if err := l.fold.Apply(r[1], &e); err != nil {
		c.t.Fatalf("event %d does not fit: %v", r[0], err)
	}
}

// checkCounts compares a lane's counts in a delta with those that its rows add up to.
func (c *client) checkCounts(i int, l *clientLane) {
	c.t.Helper()
	s := l.fold.State(0)
	if got := countsOf(l.counts); got != s.Counts || l.counts[0] != int64(s.Live) {
		c.t.Fatalf("lane %d: counts %+v live %d sent, %+v live %d folded", i, got, l.counts[0], s.Counts, s.Live)
	}
	if l.spent > l.cost[3] {
		c.t.Fatalf("lane %d: rows have a cost of %d, the lane %d", i, l.spent, l.cost[3])
	}
}

// picture returns what a page would show, in a form that can be compared.
func (c *client) picture() []any {
	var all []any
	for i := range c.lanes {
		l := &c.lanes[i]
		entry := []any{l.now, l.levels, l.counts, l.cost}
		if l.mode == protocol.ModeFull {
			s := l.fold.State(math.MaxInt)
			entry[1] = s.Levels // as grow rows have them
			all = append(all, append(entry, s.Places))
			continue
		}
		keys := make([][2]int64, 0, len(l.slots))
		for k := range l.slots {
			keys = append(keys, k)
		}
		slices.SortFunc(keys, func(a, b [2]int64) int { return slices.Compare(a[:], b[:]) })
		for _, k := range keys {
			entry = append(entry, k, l.slots[k])
		}
		all = append(all, entry)
	}
	return all
}

// checkAgainstState asks for a state and compares it with the folded one.
func (c *client) checkAgainstState() {
	c.t.Helper()
	was, seq, tick := c.picture(), c.seq, c.tick
	modes := c.modes()
	c.must(`"do":"state"`)
	if c.seq != seq || c.tick != tick {
		c.t.Fatalf("state is at tick %d seq %d, the client was at %d, %d", c.tick, c.seq, tick, seq)
	}
	if slices.Equal(modes, c.modes()) && !reflect.DeepEqual(was, c.picture()) {
		c.t.Fatalf("at tick %d seq %d the folded picture\n%v\nis not the state\n%v", tick, seq, was, c.picture())
	}
}

func (c *client) modes() (list []string) {
	for i := range c.lanes {
		list = append(list, c.lanes[i].mode)
	}
	return list
}
