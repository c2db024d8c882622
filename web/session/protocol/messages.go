package protocol

import (
	"github.com/wheelscope/wheelscope/internal/knowledge"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Version is the version of the WebSocket messages.
const Version = 1

// The tables of docs/MESSAGES.md, docs/messages.schema.json and static/types/messages.d.ts are generated from
// these structs and their comments. State and Delta only describe what a client reads: encode.go writes these
// messages, which are sent many times a second.

// Header contains the fields that all messages from the server have.
type Header struct {
	V    int    `json:"v"`    // version of the messages, 1
	Kind string `json:"kind"` // kind of the message
	Run  string `json:"run"`  // first 16 hexadecimal digits of the run's SHA-256
	Seq  int64  `json:"seq"`  // number of the last event applied at the cursor; 0 before the first event
}

// Hello is the first message from the server. It is sent again when the session opens another run, after a `load`,
// `op` or `lane` command.
type Hello struct {
	Header
	Session  string           `json:"session"`          // ID of the session
	Ack      int64            `json:"ack,omitzero"`     // ID of the `load`, `op` or `lane` command that opened the run, if this client sent it
	Driver   bool             `json:"driver"`           // whether the socket drives the session
	Secret   string           `json:"secret,omitempty"` // secret of the session, with which a client can become its driver; sent only to the driver
	Limits   map[string]int64 `json:"limits"`           // limits of the server by name
	Scenario HelloScenario    `json:"scenario"`
	Lanes    []HelloLane      `json:"lanes"`
}

// HelloScenario describes the scenario of a session's run.
type HelloScenario struct {
	Name     string `json:"name"`
	Title    string `json:"title"`
	Summary  string `json:"summary"`
	Question string `json:"question"`
	Tick     string `json:"tick"`   // length of a base tick, such as 1ms
	Start    int64  `json:"start"`  // absolute base tick at which the lanes are created
	Until    int64  `json:"until"`  // last tick of the run
	Custom   bool   `json:"custom"` // whether the scenario differs from every built-in one
}

// HelloLane holds the fixed properties of a lane.
type HelloLane struct {
	ID string `json:"id"`
	knowledge.Facts
	Params catalog.Params `json:"params"` // parameters of the algorithm, with their defaults
}

// State is the complete state at the cursor. It is sent after `hello`, after a seek or a step backward, on request,
// when the mode of a lane changes, after a client was too slow to receive every `delta`, and when the cursor stops,
// if the previous message omitted something.
type State struct {
	Header
	Tick  int64       `json:"tick"`  // tick of the cursor
	Step  int64       `json:"step"`  // number of the step that contains event `seq`, counting from 1; 0 before the first event; −1 if unknown
	Names Names       `json:"names"` // names of all timers in the message
	Lanes []StateLane `json:"lanes"`
	Last  Rows        `json:"last"`                      // events of the step that contains event `seq`, up to that event, at most the last 400; empty before the first event and during playback
	Did   []Activity  `json:"did" jsonschema:"nullable"` // activity of each lane in the last tick or step; null during playback, and if there are too many events to count
	Rest  bool        `json:"rest"`                      // true if no seek is in progress and the message has at least the first timers of every place; if false, another `state` follows when the cursor has come to rest
}

// StateLane is the state of a lane.
type StateLane struct {
	Mode   string  `json:"mode" jsonschema:"enum=full,enum=counts"` // "full": every timer is sent; "counts": for each place, the number of timers and at most the first 20 timers are sent
	Now    int64   `json:"now"`                                     // time that the lane's wheel has reached, in base ticks from the start of the scenario
	Levels []Level `json:"levels"`                                  // levels, finest first
	Places []Place `json:"places"`                                  // places that contain timers, ordered by level and slot
	Arming Entries `json:"arming"`                                  // timer whose schedule event is before the cursor and whose place event is after it; empty if there is none
	Queue  []Due   `json:"queue"`                                   // slots in the delay queue, ordered by due tick
	Counts Counts  `json:"counts"`
	Cost   Cost    `json:"cost"`
}

// Delta is sent when the cursor has moved forward. It contains the changes since the last `state` or `delta`.
type Delta struct {
	Header
	From   int64         `json:"from"`                      // value of `seq` before the cursor moved
	Tick   int64         `json:"tick"`                      // tick of the cursor
	Step   int64         `json:"step"`                      // number of the step that contains event `seq`, as in `state`
	Events Rows          `json:"events"`                    // events in order, without those of lanes in mode "counts"
	Names  Names         `json:"names"`                     // names of the timers in the message whose names have not been sent since the last `state`
	Steps  []int64       `json:"steps"`                     // numbers of the events in (`from`, `seq`] that are the last of a step; empty if the range has more than 4,000 events
	Did    []Activity    `json:"did" jsonschema:"nullable"` // activity of each lane in the last tick or step; null if there are too many events to count and, during playback, in all but at most 10 deltas a second
	Lanes  []ChangedLane `json:"lanes"`                     // changes to every lane
}

// ChangedLane contains the changes to a lane in a delta, apart from its events.
type ChangedLane struct {
	Lane   int           `json:"lane"` // index of the lane
	Now    int64         `json:"now"`  // time that the lane's wheel has reached, as in `state`
	Counts Counts        `json:"counts"`
	Cost   Cost          `json:"cost"`
	Slots  []SlotsChange `json:"slots,omitempty"`  // slots whose number of timers has changed; only in mode "counts"
	Levels []Level       `json:"levels,omitempty"` // levels of the lane if they have changed; only in mode "counts"
}

// Events is the answer to an `events` command: one or more messages, each with the next events of the run, before the
// `ack`. A part has at most 4,000 events and 256 KiB. If the run is still being computed, the answer has only the
// events computed so far, perhaps none.
type Events struct {
	Header
	From  int64     `json:"from"`  // number of the event before the first one in `rows`
	Rows  Rows      `json:"rows"`  // events `from`+1, `from`+2, …; the last column is the cost of the lane since its previous event
	Names Names     `json:"names"` // names of all timers in the message
	Costs TickCosts `json:"costs"` // costs of the ticks from that of event `from` to that of the last row, or to the end of the run if `end` is true
	End   bool      `json:"end"`   // whether the run has no later events
}

// Preview is the answer to a `preview` command. It contains, for each lane and each of the delays, what would happen to
// a timer that is scheduled with this delay at the end of `tick`.
type Preview struct {
	Header
	Tick   int64     `json:"tick"`
	Delays []int64   `json:"delays"` // delays in the order of the command
	Lanes  []Futures `json:"lanes"`  // for each lane, one element per delay
}

// Player is sent after the first `hello`, and whenever one of its fields changes.
type Player struct {
	Header
	Playing bool    `json:"playing"`
	Rate    float64 `json:"rate"` // playback rate in ticks per second; 0 means as fast as possible
	End     bool    `json:"end"`  // whether the cursor is at the end of the run
}

// Search reports the progress of a search, at most 4 times a second, or its result.
type Search struct {
	Header
	What    string `json:"what"`                                                           // what is searched for, as in `find`
	N       int64  `json:"n"`                                                              // direction, as in `find`
	Tick    int64  `json:"tick"`                                                           // tick that the search has reached
	Outcome string `json:"outcome" jsonschema:"enum=on,enum=found,enum=none,enum=stopped"` // "on": the search continues; "found": the cursor is at the match; "none": there is no match in this direction, and the cursor has not moved; "stopped": another movement ended the search
}

// Timeline summarizes the run. It divides the ticks into buckets of equal length and contains counts for each bucket.
// It is sent after the first `state` and, while the run is being computed, at most 4 times a second.
type Timeline struct {
	Header
	Computed int64          `json:"computed"` // last tick that has been computed
	Done     bool           `json:"done"`     // whether the whole run has been computed
	Events   int64          `json:"events"`   // number of events up to the tick `computed`
	Steps    int64          `json:"steps"`    // number of steps in the run; -1 while the run is being computed, and if it has more than about 65,000 events
	Bucket   int64          `json:"bucket"`   // length of a bucket in ticks
	Lanes    []TimelineLane `json:"lanes"`
}

// TimelineLane contains one number per bucket for a lane. Bucket k covers the ticks [k·`bucket`,
// (k+1)·`bucket`).
type TimelineLane struct {
	Live    []int64 `json:"live"`    // number of pending timers at the end of each bucket
	Expire  []int64 `json:"expire"`  // number of expiries in each bucket
	Cascade []int64 `json:"cascade"` // number of cascades in each bucket
	Reject  []int64 `json:"reject"`  // number of rejections in each bucket
	Cost    []int64 `json:"cost"`    // cost of the costliest tick in each bucket
	Finding []int64 `json:"finding"` // number of findings (effects of a fault in the algorithm) in each bucket
}

// Ack is the response to a command. It is sent when the command is done. A seek is done when the cursor has reached
// its target or a later command has replaced the seek. If the run is still being computed after 9 seconds, the seek is
// acknowledged then, and the state follows later.
type Ack struct {
	Header
	Ack   int64        `json:"ack"`             // ID of the command; 0 if the ID is unknown or if no command caused the error
	Error *Description `json:"error,omitempty"` // error of the command, if it failed
}
