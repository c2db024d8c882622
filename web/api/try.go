package api

import (
	"context"
	"time"

	"github.com/go-json-experiment/json/v1"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/own"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/wheel/recorded"
)

// Judge judges a wheel in JavaScript, in a process or worker with limits.
type Judge func(ctx context.Context, t *own.Trial) (*own.Result, error)

// Limits of Answers.Try.
const (
	TryRuns     = 20                     // random workloads; the command try has 200
	TriesMax    = 2                      // wheels that are judged at a time
	TryWait     = 30 * time.Second       // for a verdict
	TryBytesMax = 4 * recorded.SourceMax // length of the body of a request to judge a wheel
)

// Tried is a verdict: the result, and the run of the case with the first fault, in which the oracle is beside the wheel.
type Tried struct {
	*own.Result
	First int    `json:"first"`         // index in Groups of the first group with a fault; −1 if there is none
	Run   string `json:"run,omitempty"` // digest of the run; "" if there is no case, or the wheel does not get to its end
	Tick  int64  `json:"tick"`          // tick of the fault in it
}

// Try judges the wheel in body, which is {"source", "slots", "levels"}, in the given language. Everything that is tried is the same
// for each request.
func (a *Answers) Try(ctx context.Context, judge Judge, body []byte, lang string) (*Tried, error) {
	if judge == nil {
		return nil, engine.ErrOwnRefused
	}
	var given struct {
		Source        string `json:"source"`
		Slots, Levels int
	}
	if err := json.Unmarshal(body, &given); err != nil {
		return nil, texts.Errorf(texts.Invalid, "", "the body is not %s", `{"source": "…", "slots": 8, "levels": 3}`)
	}
	t := &own.Trial{Name: "wheel.js", Source: given.Source, Exam: own.Exam{Options: own.Options{Params: own.Params{Slots: given.Slots, Levels: given.Levels}, Runs: TryRuns}}}
	if err := t.Check(); err != nil {
		return nil, texts.Errorf(texts.Invalid, "", "%s", err.Error())
	}
	turn, done, err := a.Work(ctx, 0)
	if err != nil {
		return nil, err
	}
	defer done()
	r, err := judge(turn, t)
	if err != nil {
		return nil, err
	}
	done() // the run is opened without the turn
	r.Say(static.Messages(lang))
	answer := &Tried{Result: r, First: -1}
	for i := range r.Groups {
		if g := &r.Groups[i]; g.Fault != nil {
			answer.First, answer.Tick = i, g.Tick()
			if len(g.Shrunk.Ops) > 0 {
				answer.Run = a.openCase(ctx, g, t)
			}
			break
		}
	}
	return answer, nil
}

// openCase opens the run of the case of g and returns its digest, or "" if the wheel crashes in it.
func (a *Answers) openCase(ctx context.Context, g *own.GroupResult, t *own.Trial) string {
	p, err := program.Load(g.Scenario(t.Lane()))
	if err != nil {
		return ""
	}
	run, err := a.library.Store.Open(ctx, p)
	if err != nil {
		return ""
	}
	return run.Digest()
}
