package api

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/advise"
	"github.com/wheelscope/wheelscope/sim/compare"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
)

// Bounds of what is counted for the page that chooses a structure.
const (
	chooseSpan    = 400 * time.Millisecond // time for which one request counts; the page asks again for the rest
	chooseEvents  = 30_000                 // events of the sample
	choosingsMax  = 4                      // workloads whose counts are kept
	contestsMax   = 2                      // runs whose measurements for a race are kept
	chosenBytes   = 64 << 20               // memory for one of them
	openedTimers  = 2_000                  // pending timers of a scenario made of answers
	openedLanes   = 3                      // the recommendation and two runners-up
	chooseLateMax = 100 * time.Millisecond // maximum of the accepted lateness
)

// Chosen is the answer to a request for /api/choose: the structures that are counted so far, best first by the model.
type Chosen struct {
	Name       string       `json:"name"`   // of the workload
	Events     int64        `json:"events"` // operations and expiries of the sample
	Pending    int          `json:"pending"`
	Rate       float64      `json:"rate"` // operations and expiries a second
	Counted    int          `json:"counted"`
	Candidates int          `json:"candidates"` // structures that can meet the constraints
	Space      int          `json:"space"`
	Best       *advise.Row  `json:"best,omitempty"` // the recommendation; absent if nothing meets the constraints
	Rows       []advise.Row `json:"rows"`
	Points     []chosen     `json:"points"`  // all structures in Rows and the others that meet the constraints
	Go         []string     `json:"go"`      // statements that build the recommendation
	Command    string       `json:"command"` // that times them
	Problem    string       `json:"problem,omitempty"`
}

// chosen is a structure in the diagram of time and memory.
type chosen struct {
	Name  string  `json:"name"`
	NS    float64 `json:"ns"`
	Bytes int64   `json:"bytes"`
	Front bool    `json:"front"`
}

// choosing is the state of the counts for a workload.
type choosing struct {
	mu       sync.Mutex
	workload *advise.Workload
	counting *advise.Counting
}

// recent keeps the values that were asked for last, by what was asked.
type recent[T any] struct {
	mu   sync.Mutex
	kept *simplelru.LRU[string, *T]
}

func newRecent[T any](most int) *recent[T] {
	kept, _ := simplelru.NewLRU[string, *T](most, nil) // the size is valid
	return &recent[T]{kept: kept}
}

// get returns the value for a key, a new one if there is none.
func (c *recent[T]) get(key string) *T {
	c.mu.Lock()
	defer c.mu.Unlock()
	k, ok := c.kept.Get(key)
	if !ok {
		k = new(T)
		c.kept.Add(key, k)
	}
	return k
}

// ChooseQuery is what a user of the page that chooses a structure asks: the questions of package advise, or a run whose workload
// it is, and the constraints.
type ChooseQuery struct {
	Questions advise.Questions
	Options   advise.Options
	Run       *program.Program // nil means that Questions count
}

// ChooseParameters are the parameters of the routes that choose a structure, in alphabetical order.
var ChooseParameters = []string{"accept", "cancel", "delay", "lang", "memory", "pending", "reset", "run"}

// ChooseQueryOf returns what the query of a URL describes.
func (a *Answers) ChooseQueryOf(ctx context.Context, q url.Values) (*ChooseQuery, error) {
	c := &ChooseQuery{Options: advise.Options{NoTime: true}}
	var err error
	number := func(name string, least, most float64) float64 {
		text := cmp.Or(q.Get(name), "0")
		x, e := strconv.ParseFloat(text, 64)
		if err == nil && (e != nil || !(x >= least && x <= most)) {
			err = texts.Errorf(texts.Invalid, name, "%q is not a number from %s to %s", texts.Clip(text), fmt.Sprint(least), fmt.Sprint(most))
		}
		return x
	}
	span := func(name, without string, least, most time.Duration) time.Duration {
		text := cmp.Or(q.Get(name), without)
		d, e := time.ParseDuration(text)
		if err == nil && (e != nil || d < least || d > most) {
			err = texts.Errorf(texts.Invalid, name, "%q is not a duration such as 60s, from %s to %s", texts.Clip(text), least.String(), most.String())
		}
		return d
	}
	c.Options.AcceptLate = span("accept", "1ms", 0, chooseLateMax)
	c.Options.MemoryMax = int64(number("memory", 0, 1<<20) * 1e6)
	if digest := q.Get("run"); digest != "" && err == nil {
		run, err := a.Look(ctx, digest)
		if err != nil {
			return nil, err
		}
		c.Run = run.Program()
		return c, nil
	}
	c.Questions = advise.Questions{Pending: int(number("pending", 1, advise.TimersMax)), Delay: span("delay", "0s", time.Microsecond, advise.DelayMax), ResetShare: number("reset", 0, 1), CancelShare: number("cancel", 0, 1)}
	if both := c.Questions.ResetShare + c.Questions.CancelShare; err == nil && both > 1 {
		err = texts.Errorf(texts.Invalid, "cancel", "%q is more than 1 together with the share that is reset", texts.Clip(q.Get("cancel")))
	}
	return c, err
}

// workload returns the sample that is counted.
func (c *ChooseQuery) workload() (*advise.Workload, error) {
	w, err := c.Questions.Workload()
	if c.Run != nil {
		w, err = advise.FromProgram(c.Run)
	}
	if err != nil {
		return nil, texts.Errorf(texts.Unprocessable, "", "%s", err.Error())
	}
	return w.First(chooseEvents), nil
}

// Flags returns the flags of wheelscope advise for the constraints and, if there is no run, the questions.
func (c *ChooseQuery) Flags() (flags []string) {
	if q := &c.Questions; c.Run == nil {
		flags = append(flags, "--pending", strconv.Itoa(q.Pending), "--delay", q.Delay.String(), "--reset-share", fmt.Sprint(q.ResetShare), "--cancel-share", fmt.Sprint(q.CancelShare))
	}
	flags = append(flags, "--accept-late", c.Options.AcceptLate.String())
	if c.Options.MemoryMax > 0 {
		flags = append(flags, "--memory-max", fmt.Sprint(c.Options.MemoryMax))
	}
	return flags
}

// command returns the command that times the structures.
func (c *ChooseQuery) command() string {
	words := []string{"wheelscope advise"}
	if c.Run != nil {
		words = append(words, cmp.Or(c.Run.Scenario.File, c.Run.Scenario.Name, "FILE"))
	}
	return strings.Join(append(words, c.Flags()...), " ")
}

// choose returns the structures counted for the choice of a request, after counting further ones for chooseSpan.
func choose(ctx context.Context, a *request) (any, error) {
	c, err := a.answers.ChooseQueryOf(ctx, a.Query)
	if err != nil {
		return nil, err
	}
	_, advice, answer, err := a.answers.count(ctx, c, a.Query)
	if err != nil || advice == nil {
		return answer, err
	}
	for _, r := range advice.Results {
		answer.Points = append(answer.Points, chosen{r.Name(advice.Workload.Tick), r.Time(), r.Bytes, r.Front})
	}
	report := advice.Report("")
	answer.Best, answer.Rows, answer.Go = &report.Best, report.Rows, report.Go
	return answer, nil
}

// count counts for at most chooseSpan. The advice is nil if nothing meets the constraints; the answer says so.
func (a *Answers) count(ctx context.Context, c *ChooseQuery, q url.Values) (*choosing, *advise.Advice, *Chosen, error) {
	ctx, cancel := inTime(ctx)
	defer cancel()
	turn, done, err := a.Work(ctx, chosenBytes)
	if err != nil {
		return nil, nil, nil, err
	}
	defer done()
	key := url.Values{}
	for _, name := range ChooseParameters {
		if name != "lang" {
			key.Set(name, q.Get(name))
		}
	}
	k := a.choosings.get(key.Encode())
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.workload == nil {
		w, err := c.workload()
		if err != nil {
			return nil, nil, nil, err
		}
		k.workload, k.counting = w, advise.NewCounting(w, c.Options)
	}
	if err := k.counting.Count(turn, chooseSpan); err != nil {
		return nil, nil, nil, err
	}
	w := k.workload
	answer := &Chosen{Name: w.Name, Events: w.Events, Pending: w.Pending(), Rate: w.Rate(), Space: len(advise.Space()), Command: c.command(), Rows: []advise.Row{}, Points: []chosen{}}
	answer.Counted, answer.Candidates = k.counting.Done()
	advice, err := k.counting.Advice()
	if err != nil {
		answer.Problem = err.Error()
		advice = nil
	}
	return k, advice, answer, nil
}

// ChosenScenario is the answer to a request for /api/choose/scenario: a scenario with the workload and the best structures
// as lanes, and the tick at which their costs differ most.
type ChosenScenario struct {
	Text string `json:"text"`
	Tick int64  `json:"tick"`
	Run  string `json:"run"` // digest
}

// chosenScenario returns the scenario of what was counted before for the same choice.
func chosenScenario(ctx context.Context, a *request) (any, error) {
	c, err := a.answers.ChooseQueryOf(ctx, a.Query)
	if err != nil {
		return nil, err
	}
	_, advice, answer, err := a.answers.count(ctx, c, a.Query)
	if err != nil {
		return nil, err
	}
	if advice == nil {
		return nil, texts.Errorf(texts.Unprocessable, "", "%s", answer.Problem)
	}
	s, err := c.scenario(advice)
	if err != nil {
		return nil, err
	}
	p, err := program.Plan(s)
	if err != nil {
		return nil, texts.Errorf(texts.Unprocessable, "", "%s", err.Error())
	}
	ctx, done, err := a.answers.Work(ctx, EngineBytes(p))
	if err != nil {
		return nil, err
	}
	defer done()
	tick, err := compare.MostDifferent(ctx, p)
	if errors.Is(err, context.DeadlineExceeded) {
		tick, err = 0, nil
	}
	return &ChosenScenario{string(p.Scenario.AppendFile(nil)), tick, p.Digest()}, err
}

// scenario returns the workload with the best structures that the laboratory has as lanes, one of an algorithm.
func (c *ChooseQuery) scenario(a *advise.Advice) (s *scenario.Scenario, err error) {
	if c.Run != nil {
		s = c.Run.Scenario.Clone()
	} else if s, err = c.steady(); err != nil {
		return nil, err
	}
	s.Lanes = nil
	seen := map[string]bool{}
	for _, r := range append([]*advise.Result{a.Best}, a.Results...) {
		spec, ok := r.Lane()
		if !ok || seen[spec.Algorithm] || len(s.Lanes) == openedLanes {
			continue
		}
		if _, err := scenario.CheckLane(spec, "", s.Start, int64(a.Workload.Tick)); err == nil {
			seen[spec.Algorithm] = true
			s.Lanes = append(s.Lanes, spec)
		}
	}
	return s, nil
}

// steady returns the scenario of the questions, with at most openedTimers timers, or an error if a scenario does not take their
// values.
func (c *ChooseQuery) steady() (*scenario.Scenario, error) {
	q := &c.Questions
	tick := q.Tick()
	delay := max(2, int64(q.Delay/tick))
	text := fmt.Sprintf(`{"wheelscope":1,"name":"chosen","tick":%q,"until":%d,"lanes":[{"algorithm":"heap"}],"workload":{"generate":[{"prefix":"timer","seed":1,"count":%d,
		"arrivals":{"dist":"uniform","min":0,"max":%d},"delay":{"dist":"constant","value":%d},
		"cancel":{"fraction":%g,"after":{"dist":"uniform","min":1,"max":%d}},
		"reset":{"fraction":%g,"every":{"dist":"uniform","min":1,"max":%d},"until":{"dist":"constant","value":%d}}}]}}`,
		tick.String(), 2*delay, min(q.Pending, openedTimers), delay-1, delay, q.CancelShare, delay-1, q.ResetShare, delay-1, delay)
	return scenario.Decode([]byte(text), scenario.DecodeOptions{})
}
