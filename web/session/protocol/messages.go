package protocol

import (
	"github.com/wheelscope/wheelscope/internal/knowledge"
	"github.com/wheelscope/wheelscope/web/usererr"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// Version is the version of the messages of the WebSocket.
const Version = 1

// The messages are described in docs/MESSAGES.md; a test compares that text with these structs.
// State and delta, which are sent many times a second, are written by encode.go; their structs here
// are what a client reads.

// Header is in every message from the server.
type Header struct {
	V    int    `json:"v"`
	Kind string `json:"kind"`
	Run  string `json:"run"`
	Seq  int64  `json:"seq"`
}

type Hello struct {
	Header
	Session  string           `json:"session"`
	Driver   bool             `json:"driver"`
	Secret   string           `json:"secret,omitempty"` // for the driver only
	Limits   map[string]int64 `json:"limits"`
	Scenario HelloScenario    `json:"scenario"`
	Lanes    []HelloLane      `json:"lanes"`
}

type HelloScenario struct {
	Name     string `json:"name"`
	Title    string `json:"title"`
	Summary  string `json:"summary"`
	Question string `json:"question"`
	Tick     string `json:"tick"`
	Start    int64  `json:"start"`
	Until    int64  `json:"until"`
	Custom   bool   `json:"custom"`
}

type HelloLane struct {
	ID string `json:"id"`
	knowledge.Facts
	Params catalog.Params `json:"params"`
}

type State struct {
	Header
	Tick  int64       `json:"tick"`
	Step  int64       `json:"step"`
	Names []any       `json:"names"`
	Lanes []StateLane `json:"lanes"`
	Last  []int64     `json:"last"`
	Did   []any       `json:"did"`
	Rest  bool        `json:"rest"`
}

type StateLane struct {
	Mode   string    `json:"mode"`
	Now    int64     `json:"now"`
	Levels [][]int64 `json:"levels"`
	Places [][]any   `json:"places"`
	Arming []any     `json:"arming"`
	Queue  [][]int64 `json:"queue"`
	Counts []int64   `json:"counts"`
	Cost   []int64   `json:"cost"`
}

type Delta struct {
	Header
	From   int64         `json:"from"`
	Tick   int64         `json:"tick"`
	Step   int64         `json:"step"`
	Events []int64       `json:"events"`
	Names  []any         `json:"names"`
	Steps  []int64       `json:"steps"`
	Did    []any         `json:"did"`
	Lanes  []ChangedLane `json:"lanes"`
}

type ChangedLane struct {
	Lane   int       `json:"lane"`
	Now    int64     `json:"now"`
	Counts []int64   `json:"counts"`
	Cost   []int64   `json:"cost"`
	Slots  []any     `json:"slots,omitempty"`
	Levels [][]int64 `json:"levels,omitempty"`
}

type Player struct {
	Header
	Playing bool    `json:"playing"`
	Rate    float64 `json:"rate"`
	End     bool    `json:"end"`
}

type Search struct {
	Header
	What    string `json:"what"`
	N       int64  `json:"n"`
	Tick    int64  `json:"tick"`
	Outcome string `json:"outcome"`
}

type Timeline struct {
	Header
	Computed int64          `json:"computed"`
	Done     bool           `json:"done"`
	Events   int64          `json:"events"`
	Steps    int64          `json:"steps"`
	Bucket   int64          `json:"bucket"`
	Lanes    []TimelineLane `json:"lanes"`
}

type TimelineLane struct {
	Live    []int64 `json:"live"`
	Expire  []int64 `json:"expire"`
	Cascade []int64 `json:"cascade"`
	Reject  []int64 `json:"reject"`
	Cost    []int64 `json:"cost"`
	Finding []int64 `json:"finding"`
}

type Ack struct {
	Header
	Ack   int64                `json:"ack"`
	Error *usererr.Description `json:"error,omitempty"`
}
