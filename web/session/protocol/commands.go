package protocol

import (
	"reflect"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Commands contains a struct for each command, whose type is named after the command. The fields of the struct are
// those of the command, except for v, id and do. CommandFields and the generated documents are derived from these
// structs.
var Commands = []any{PlayCommand{}, PauseCommand{}, SpeedCommand{}, StepCommand{}, SeekCommand{}, FindCommand{}, OpCommand{},
	LoadCommand{}, LaneCommand{}, StateCommand{}, EventsCommand{}, PreviewCommand{}}

// CommandFields maps the name of each command to the names of its fields, except for v, id and do.
var CommandFields = func() map[string][]string {
	all := map[string][]string{}
	for _, c := range Commands {
		typ, fields := reflect.TypeOf(c), []string{}
		for i := range typ.NumField() {
			name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
			fields = append(fields, name)
		}
		all[strings.ToLower(strings.TrimSuffix(typ.Name(), "Command"))] = fields
	}
	return all
}()

// PlayCommand starts playback, which moves the cursor up to the last tick of the run. If the cursor is already
// there, playback begins at the start of the run.
type PlayCommand struct {
	Rate float64 `json:"rate,omitempty"` // playback rate, as in the `speed` command; if missing, the rate does not change
}

// PauseCommand stops playback and ends any search.
type PauseCommand struct{}

// SpeedCommand changes the playback rate.
type SpeedCommand struct {
	Rate float64 `json:"rate"` // playback rate in ticks per second, 0.1 … 1e9; 0 means as fast as possible
}

// StepCommand stops playback and moves the cursor by one tick, step or event. If the cursor is within a tick, moving
// forward by a tick takes it to the end of that tick. The cursor does not move backward from the start of the run, or
// forward from its end. The command is refused if computing the new position takes more than 1 s.
type StepCommand struct {
	By string `json:"by" jsonschema:"enum=tick,enum=step,enum=event"`
	N  int64  `json:"n"` // direction, 1 for forward or −1 for backward
}

// SeekCommand moves the cursor to the end of `tick`, to event `seq` or, without either, before the first event.
// Playback continues. If the position has not been computed yet, the cursor moves there as soon as the position is
// computed.
type SeekCommand struct {
	Tick int64 `json:"tick,omitempty"`
	Seq  int64 `json:"seq,omitempty"`
}

// FindCommand stops playback and searches all lanes, or one lane, for the next match after the cursor or the last
// match before the cursor. If there is a match, the cursor moves to it. A `search` message reports the result. Any
// other movement of the cursor ends the search, as does `pause`.
type FindCommand struct {
	What  string `json:"what" jsonschema:"enum=expire,enum=cascade,enum=reject,enum=finding,enum=timer,enum=slot,enum=cost,enum=differ"` // what to search for. "expire", "cascade", "reject", "finding": an event of that kind; "timer": an event of the timer `timer`; "slot": a slot with more than `over` timers; "cost": a tick in which the cost of a lane exceeds `over`; "differ": a tick in which the lanes do not all fire and reject the same timers
	N     int64  `json:"n"`                                                                                                              // direction, 1 for forward or −1 for backward
	Lane  string `json:"lane,omitempty"`                                                                                                 // ID of the lane to search; if missing, all lanes are searched
	Timer string `json:"timer,omitempty"`                                                                                                // name of the timer to search for, valid only if `what` is "timer"
	Over  int64  `json:"over,omitempty"`                                                                                                 // threshold, 0 or more, that the number of timers in a slot or the cost of a lane in a tick must exceed; valid only if `what` is "slot" or "cost"
}

// OpCommand performs an operation in all lanes at a tick. It adds the operation to the scenario, opens
// the run of the edited scenario, and leaves the cursor at the end of that tick.
type OpCommand struct {
	Op    string         `json:"op" jsonschema:"enum=schedule,enum=set,enum=cancel,enum=reset"`
	Timer string         `json:"timer"`
	Delay jsontext.Value `json:"delay,omitempty"` // delay of the timer, a number of ticks or a duration as a string
	Every jsontext.Value `json:"every,omitempty"` // interval of a repeating timer, in the same form as `delay`
	Run   string         `json:"run,omitempty"`   // digest of the run that the command is for, 16 digits or more; if the session shows another one, the command is refused
	Tick  int64          `json:"tick,omitempty"`  // tick of the operation; if missing, the tick of the cursor
	Times int64          `json:"times,omitempty"` // number of runs of a repeating timer, valid only with `every`; −1 or missing means no limit
}

// LoadCommand opens another run, paused. `scenario` or `text` selects it or, without either, `run`.
type LoadCommand struct {
	Scenario jsontext.Value `json:"scenario,omitempty"` // name of a built-in scenario, or a scenario object
	Text     string         `json:"text,omitempty"`     // text of a scenario file
	Run      string         `json:"run,omitempty"`      // digest of a run, of which the first 16 digits are enough. Without `scenario` and `text`: the run to open, which must be on the server, such as one returned by `/api/import`. With one of them: the run that the command is for; if the session shows another one, the command is refused
	Tick     int64          `json:"tick,omitempty"`     // tick at the end of which the cursor is placed; if missing, it is placed before the first event
}

// LaneCommand adds, removes, replaces or moves a lane, and opens the run of the edited scenario.
type LaneCommand struct {
	Add     jsontext.Value `json:"add,omitempty"`     // lane object to add
	Remove  string         `json:"remove,omitempty"`  // ID of the lane to remove
	Replace string         `json:"replace,omitempty"` // ID of the lane that `with` replaces
	With    jsontext.Value `json:"with,omitempty"`    // lane object that replaces the lane named by `replace`
	Move    string         `json:"move,omitempty"`    // ID of the lane to move to the position `to`
	Run     string         `json:"run,omitempty"`     // digest of the run that the command is for, as in `op`
	To      int64          `json:"to,omitempty"`      // position to which the lane is moved, counting from 0
}

// EventsCommand requests events of the run in `events` messages. Viewers that do not drive the session may send it too.
// While the answer to it is not complete, another one is refused.
type EventsCommand struct {
	From int64 `json:"from"` // number of the event before the first one that is requested
	N    int64 `json:"n"`    // number of events, 1 to 20,000
}

// PreviewCommand asks what would happen to timers that are scheduled at the end of a tick, without changing anything. A
// `preview` message answers it.
type PreviewCommand struct {
	Run    string  `json:"run"`    // digest of the run that the command is for, as in `op`
	Tick   int64   `json:"tick"`   // tick at the end of which the timers are scheduled
	Delays []int64 `json:"delays"` // delays of the timers, 1 to 256 whole numbers, 0 or more
}

// StateCommand requests a `state` message. Viewers that do not drive the session may send it too.
type StateCommand struct{}
