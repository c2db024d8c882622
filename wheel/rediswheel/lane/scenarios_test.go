package lane

import (
	"context"
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

// vectorScenario is a recorded sequence of steps of the published wheel and their results.
type vectorScenario struct {
	Name  string `json:"name"`
	Steps []struct {
		Op     string `json:"op"`
		Result any    `json:"result"`
	} `json:"steps"`
}

// scenarioRunner runs the steps of a scenario, which are English text, on the embedded server.
type scenarioRunner struct {
	t       *testing.T
	epoch   int64
	server  *server
	wheel   publishedScripts
	body    int64
	added   time.Time // executeAt of the last task added
	deleted string    // the delete set written last
}

// Every step of every recorded scenario has the same result on the embedded server.
func TestPublishedScenarios(t *testing.T) {
	v := readVectors(t)
	for _, s := range v.Scenarios {
		t.Run(s.Name, func(t *testing.T) {
			p := &scenarioRunner{t: t, epoch: v.Params.Epoch, server: &server{}, body: 1}
			p.server.set(at(p.epoch, 0).UnixNano())
			p.wheel.Redis = p.server
			for _, step := range s.Steps {
				got, err := json.Marshal(p.play(step.Op))
				if err != nil {
					t.Fatal(err)
				}
				var plain any
				if err := json.Unmarshal(got, &plain); err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(plain, step.Result) {
					t.Errorf("%s: %s, want %v", step.Op, got, step.Result)
				}
			}
		})
	}
}

// verbs lists the patterns of steps; the first one that matches is used.
var verbs = []struct {
	pattern *regexp.Regexp
	play    func(p *scenarioRunner, m []string) any
}{
	{regexp.MustCompile(`raw reply shape`), (*scenarioRunner).raw},
	{regexp.MustCompile(`(?:^| )scan @ ?(.*)$`), (*scenarioRunner).scan},
	{regexp.MustCompile(`^add (\w+)(?: body(\d))?(?: again)? ?@ ?([+\w]+)(.*)$`), (*scenarioRunner).add},
	{regexp.MustCompile(`^add (\w+) in the past: now=(\d+), executeAt (\d+)$`), (*scenarioRunner).addPast},
	{regexp.MustCompile(`ttl lowered to (\d+)\) remove (\w+)$`), (*scenarioRunner).removeLater},
	{regexp.MustCompile(`^remove (\w+)(?: @| with executeAt )?(\d*).*$`), (*scenarioRunner).remove},
	{regexp.MustCompile(`^(\d+) s pass`), (*scenarioRunner).wait},
	{regexp.MustCompile(`^ttl delset`), (*scenarioRunner).ttl},
	{regexp.MustCompile(`^zset ttl`), (*scenarioRunner).sliceTTL},
	{regexp.MustCompile(`^zcard`), (*scenarioRunner).card},
	{regexp.MustCompile(`^zsets left`), (*scenarioRunner).left},
}

func (p *scenarioRunner) play(op string) any {
	for _, v := range verbs {
		if m := v.pattern.FindStringSubmatch(op); m != nil {
			return v.play(p, m)
		}
	}
	p.t.Fatalf("a step in other words: %s", op)
	return nil
}

// time parses a time: seconds after the epoch, or minutes as in "+10min".
func (p *scenarioRunner) time(text string) time.Time {
	if m, ok := strings.CutSuffix(text, "min"); ok {
		return at(p.epoch, 60*p.int(m))
	}
	return at(p.epoch, p.int(text))
}

func (p *scenarioRunner) int(text string) int64 {
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil {
		p.t.Fatal(err)
	}
	return n
}

// do runs a command that must succeed.
func (p *scenarioRunner) do(args ...string) any {
	v, err := p.server.do(args...)
	if err != nil {
		p.t.Fatal(err)
	}
	return v
}

func (p *scenarioRunner) put(key string, executeAt time.Time) any {
	fresh, err := p.wheel.AddTask(context.Background(), key, bodyOf(p.body), executeAt)
	if err != nil {
		p.t.Fatal(err)
	}
	p.added = executeAt
	if fresh {
		return 1
	}
	return 0
}

func (p *scenarioRunner) add(m []string) any {
	if m[2] != "" {
		p.body = p.int(m[2])
	}
	executeAt := p.time(m[3])
	if strings.Contains(m[4], "8 h ahead") {
		executeAt = executeAt.In(time.FixedZone("", 8*3600))
	}
	return p.put(m[1], executeAt)
}

func (p *scenarioRunner) addPast(m []string) any {
	p.server.set(p.time(m[2]).UnixNano())
	p.body++ // a different task
	return p.put(m[1], p.time(m[3]))
}

func (p *scenarioRunner) remove(m []string) any {
	executeAt := p.added
	if executeAt.IsZero() {
		executeAt = at(p.epoch, 0)
	}
	if m[2] != "" {
		executeAt = p.time(m[2])
	}
	n, err := p.wheel.RemoveTask(context.Background(), m[1], executeAt)
	if err != nil {
		p.t.Fatal(err)
	}
	p.deleted = publishedDeleteSetKey(executeAt)
	return n
}

// removeLater advances the clock until the delete set has that many seconds left, and
// removes a task.
func (p *scenarioRunner) removeLater(m []string) any {
	p.server.set(p.server.now + (120-p.int(m[1]))*nsSecond)
	return p.remove([]string{"", m[2], ""})
}

// wait advances the clock, and returns 1 if the delete set has expired and 0 if not.
func (p *scenarioRunner) wait(m []string) any {
	p.server.set(p.server.now + p.int(m[1])*nsSecond)
	if p.do("EXISTS", p.deleted) == int64(0) {
		return 1
	}
	return 0
}

func (p *scenarioRunner) ttl([]string) any      { return p.do("TTL", p.deleted) }
func (p *scenarioRunner) sliceTTL([]string) any { return p.do("TTL", publishedSliceKey(p.added)) }
func (p *scenarioRunner) card([]string) any     { return p.do("ZCARD", publishedSliceKey(p.added)) }

func (p *scenarioRunner) left([]string) any {
	keys := []string{}
	for _, d := range p.server.dump() {
		if d.kind == "zset" {
			keys = append(keys, d.key)
		}
	}
	return keys
}

func (p *scenarioRunner) scan(m []string) any {
	scan, err := p.wheel.Scan(context.Background(), p.time(m[1]))
	if err != nil {
		p.t.Fatal(err)
	}
	fetched, fired, bodies := []string{}, []string{}, []any{}
	for _, text := range scan.Bodies {
		var task publishedTask
		if err := json.Unmarshal([]byte(text), &task); err != nil {
			p.t.Fatal(err)
		}
		fetched = append(fetched, task.Key)
		bodies = append(bodies, task.Req)
	}
	for _, task := range scan.Fired {
		fired = append(fired, task.Key)
	}
	return map[string]any{"fetched": fetched, "deleted_set": append([]string{}, scan.Deleted...), "fired": fired, "bodies": bodies}
}

// raw adds a member that is not a task to a slice's sorted set, adds a task to the wheel, and
// returns the reply of the scan script.
func (p *scenarioRunner) raw([]string) any {
	slice := publishedSliceKey(at(p.epoch, 60))
	p.do("ZADD", slice, strconv.FormatInt(p.epoch+60, 10), "not json")
	task := bodyOf(0)
	task.Req = nil
	if _, err := p.wheel.AddTask(context.Background(), "k1", task, at(p.epoch, 61)); err != nil {
		p.t.Fatal(err)
	}
	scan, err := p.wheel.Scan(context.Background(), at(p.epoch, 60))
	if err != nil {
		p.t.Fatal(err)
	}
	if len(scan.Fired) != 1 || scan.Fired[0].Key != "k1" {
		p.t.Errorf("fired %+v", scan.Fired)
	}
	reply := []any{append([]string{}, scan.Deleted...)}
	for _, body := range scan.Bodies {
		reply = append(reply, body)
	}
	return reply
}

// A mark lasts until the end of its 120,000th ms, as in Redis: a task deleted 120 s before
// its scan is not called, one deleted a ms earlier is called.
func TestMarkLivesToItsLastMillisecond(t *testing.T) {
	for _, c := range []struct {
		nanos, phase, ahead int64 // ns of a base tick; phase of the scans; base ticks from the removal to the scan
		called              bool
	}{
		{1e9, 0, 120, false}, {1e9, 0, 121, true},
		{1e6, 0, 120_000, false}, {1e6, 0, 120_001, true},
		{250_000, 3, 480_003, false}, {250_000, 3, 480_004, true},
	} {
		second := nsSecond / c.nanos
		w, err := algorithms.NewIn(catalog.Env{Start: 60*second + c.phase, TickNanos: c.nanos}, id, nil)
		if err != nil {
			t.Fatal(err)
		}
		d := newDriver(w.(*Lane))
		d.do(action{kind: "add", name: "k1", spec: wheel.Spec{Key: 1, Due: 240 * second}}) // second :00 is scanned once
		d.do(action{kind: "advance", until: 240*second + c.phase - c.ahead})
		d.do(action{kind: "cancel"})
		d.do(action{kind: "advance", until: 300 * second})
		if err := d.compareFold(); err != nil {
			t.Fatal(err)
		}
		called := slices.ContainsFunc(d.events, func(e wheel.Event) bool { return e.Kind == wheel.KindFinding && e.Code == wheel.CodeRevived })
		if called != c.called {
			t.Errorf("deleted %d ticks of %d ns ahead: called is %v", c.ahead, c.nanos, called)
		}
	}
}
