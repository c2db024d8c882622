package advise

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
	"github.com/wheelscope/wheelscope/wheel/catalog"
	"github.com/wheelscope/wheelscope/wheel/scheme/hierarchical"
)

// Values of Candidate.Algorithm that are not in the catalogue.
const (
	PackageTime = "time" // package time; counted as algorithm "go"
	FIFO        = "fifo" // a queue for each delay
)

// Candidate is a structure with its parameters.
type Candidate struct {
	Algorithm string
	Params    catalog.Params // of the algorithm; nil for PackageTime and FIFO
	Slots     []int          // slots of each level of a hierarchical wheel, as for timer.WithSlots; nil means levels of 64 as needed
	Width     int64          // base ticks in a tick of the structure
}

// widths are the widths of candidates, in base ticks.
var widths = []int64{1, 2, 5, 10, 20, 50, 100}

// shapes returns the candidates of width 1.
func shapes() []Candidate {
	list := []Candidate{{Algorithm: FIFO}, {Algorithm: "hierarchical"}}
	for _, slots := range [][]int{{32, 32, 32, 32, 32}, {128, 128, 128, 128}, {256, 64, 64, 64}, {256, 256, 256}, {512, 512, 512}, {1024, 256, 64}, {1024, 1024},
		{2048, 2048}, {4096, 64, 64}, {4096, 1024}, {16384, 256}, {16384, 64, 64}, {65536, 64}, {65536, 1024}} {
		list = append(list, Candidate{Algorithm: "hierarchical", Slots: slots})
	}
	add := func(algorithm string, p ...catalog.Params) {
		for _, params := range p {
			list = append(list, Candidate{Algorithm: algorithm, Params: params})
		}
	}
	sizes := func(more catalog.Params, slots ...int) (all []catalog.Params) {
		for _, n := range slots {
			p := catalog.Params{"slots": n}
			for k, v := range more {
				p[k] = v
			}
			all = append(all, p)
		}
		return all
	}
	add("simple", sizes(catalog.Params{"overflow": "list"}, 256, 1024, 4096, 16384, 65536)...)
	add("rounds", sizes(nil, 64, 256, 1024, 4096, 16384, 65536)...)
	add("hashed-sorted", sizes(nil, 256, 1024, 4096, 16384, 65536)...)
	add("heap", catalog.Params{"arity": 2}, catalog.Params{"arity": 4})
	for _, plain := range []string{"sorted", "list", "calendar", "tokio", "linux", "linux-classic"} {
		add(plain, nil)
	}
	add("callout", sizes(nil, 256, 2048, 16384)...)
	add("netty", sizes(nil, 512, 4096, 32768)...)
	add("kafka", sizes(nil, 20, 64, 256)...)
	add("nats", sizes(nil, 4096)...)
	add("agrona", sizes(nil, 512, 4096, 32768)...)
	return list
}

// Space returns all candidates.
func Space() []Candidate {
	list := []Candidate{{Algorithm: PackageTime, Width: 1}}
	for _, w := range widths {
		for _, c := range shapes() {
			c.Width = w
			list = append(list, c)
		}
	}
	return list
}

// structure is a wheel that counts its work.
type structure interface {
	wheel.Wheel
	Cost() wheel.Cost
	Bytes() int64
}

// build returns a new structure with its clock at tick start. Its ticks are Width base ticks long.
func (c *Candidate) build(start wheel.Tick) (structure, error) {
	switch c.Algorithm {
	case FIFO:
		f := newFIFO()
		f.now = start
		return f, nil
	case "hierarchical": // as package timer creates it
		config := hierarchical.Config{Slots: c.Slots, Width: 1, Start: start, Program: true}
		if c.Slots == nil {
			config.Slots, config.Grow, config.Endless = []int{64}, true, true
		}
		return hierarchical.New(config)
	case PackageTime:
		return algorithms.New("go", nil, start)
	}
	return algorithms.New(c.Algorithm, c.Params, start)
}

// Name returns a short name, such as "rounds slots=4096, tick 5ms". tick is the length of a base tick.
func (c *Candidate) Name(tick time.Duration) string {
	switch c.Algorithm {
	case PackageTime:
		return "package time"
	case FIFO:
		return fmt.Sprintf("FIFO per delay, tick %v", tick*time.Duration(c.Width))
	}
	name := c.Algorithm
	if c.Slots != nil {
		name += " slots=" + strings.Trim(strings.Join(strings.Fields(fmt.Sprint(c.Slots)), ","), "[]")
	} else if c.Algorithm == "hierarchical" {
		name += " slots=64, levels as needed"
	}
	for _, k := range c.keys() {
		name += fmt.Sprintf(" %s=%v", k, c.Params[k])
	}
	return fmt.Sprintf("%s, tick %v", name, tick*time.Duration(c.Width))
}

// Lane returns the structure as a lane of a scenario. ok is false if there is no such algorithm.
func (c *Candidate) Lane() (spec scenario.LaneSpec, ok bool) {
	spec = scenario.LaneSpec{Algorithm: c.Algorithm, Params: catalog.Params{}}
	maps.Copy(spec.Params, c.Params)
	switch {
	case c.Algorithm == FIFO:
		return spec, false
	case c.Algorithm == PackageTime:
		spec.Algorithm = "go"
	case c.Slots != nil:
		spec.Params["slots"] = c.Slots
	case c.Algorithm == "hierarchical":
		spec.Params["slots"], spec.Params["levels"] = 64, levelsShown
	}
	spec.ID = spec.Algorithm
	if c.Width > 1 {
		spec.Params["width"] = int(c.Width)
	}
	return spec, true
}

// levelsShown is the number of levels of 64 slots in a lane, for a wheel that has as many as it needs.
const levelsShown = 5

// keys returns the names of the parameters in order.
func (c *Candidate) keys() (keys []string) {
	for k := range c.Params {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// GoLines returns statements of Go that build the structure as the variable w, and the import paths that they need.
// tick is the length of a base tick. A FIFO has no package; its lines are a sketch in comments.
func (c *Candidate) GoLines(tick time.Duration) (lines, imports []string) {
	const module = "github.com/wheelscope/wheelscope/wheel/"
	at := durationLine(tick * time.Duration(c.Width))
	switch c.Algorithm {
	case PackageTime:
		return []string{"w := time.AfterFunc", "_ = w // w(d, f) schedules f; Stop and Reset are methods of its result"}, []string{"time"}
	case FIFO:
		return []string{"w := map[time.Duration]*list.List{} // delay → timers in order of due time",
			"_ = w // schedule: PushBack; cancel: Remove; reset: MoveToBack; a loop fires from the front of each list every " + (tick * time.Duration(c.Width)).String()}, []string{"container/list", "time"}
	case "hierarchical":
		line := "w, err := timer.New(timer.WithTick(" + at + ")"
		if c.Slots != nil {
			line += ", timer.WithSlots(" + strings.Trim(strings.Join(strings.Fields(fmt.Sprint(c.Slots)), ", "), "[]") + ")"
		}
		return []string{line + ")"}, []string{"time", module + "timer"}
	}
	params := "nil"
	if len(c.Params) > 0 {
		var pairs []string
		for _, k := range c.keys() {
			pairs = append(pairs, fmt.Sprintf("%q: %#v", k, c.Params[k]))
		}
		params = "catalog.Params{" + strings.Join(pairs, ", ") + "}"
		imports = []string{module + "catalog"}
	}
	lines = []string{"w, err := timer.New(timer.WithTick(" + at + "), timer.WithWheel(func() wheel.Wheel {",
		fmt.Sprintf("    made, _ := algorithms.New(%q, %s, 0) // these parameters are valid", c.Algorithm, params), "    return made"}
	end := "}))"
	if made, err := c.build(0); err == nil {
		if e, ok := made.(wheel.NeverEarly); !ok || !e.NeverEarly() {
			end = "}), timer.WithAllowEarly())"
		}
	}
	return append(lines, end), append(imports, "time", strings.TrimSuffix(module, "/"), module+"algorithms", module+"timer")
}

// durationLine returns a Go expression for d.
func durationLine(d time.Duration) string {
	for _, u := range []struct {
		unit time.Duration
		name string
	}{{time.Second, "Second"}, {time.Millisecond, "Millisecond"}, {time.Microsecond, "Microsecond"}} {
		switch {
		case d == u.unit:
			return "time." + u.name
		case d > 0 && d%u.unit == 0:
			return fmt.Sprintf("%d*time.%s", d/u.unit, u.name)
		}
	}
	return fmt.Sprintf("%d*time.Nanosecond", d)
}
