package own

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/v1"
)

// Exam is what a wheel is tried with: the options and the cases, with weights.
type Exam struct {
	Options
	Parts []Part // the hand-made groups and random workloads, with weight 1 each, if there are none
}

// Trial is a source in JavaScript and what its wheel is tried with.
type Trial struct {
	Name   string // of the file of the source
	Source string
	Exam
}

// Part is a part of an exam: a hand-made group, random workloads, or one case.
type Part struct {
	Name   string `json:"name"`           // of a group: "boundaries", "equal due ticks", "cancel", "reset", "keys used again", "jumps", "random"; of another part any name
	Weight int    `json:"weight"`         // 1 to WeightMax; 1 if it is 0
	Seed   uint64 `json:"seed,omitempty"` // of random workloads
	Runs   int    `json:"runs,omitempty"` // number of random workloads
	Case          // one case, if it has operations; Budget applies to each case of the part
}

// Limits of an exam.
const (
	PartsMax  = 100
	WeightMax = 1000
	OpsMax    = 100_000 // operations of a case
	ExamMax   = 8 << 20 // bytes of the file of an exam
	tickMax   = 1 << 53 // the largest tick, so that JavaScript can hold it
)

// randomPart is the name of the parts with random workloads.
const randomPart = "random"

// ReadExam reads an exam from JSON. Options that the file does not have are those of o.
//
//	{"slots": 8, "levels": 3, "range": 0, "allowLate": 0, "allowEarly": 0,
//	 "cases": [{"name": "cancel", "weight": 20},
//	           {"name": "random", "seed": 7, "runs": 500, "weight": 70, "cost": 100000},
//	           {"name": "mine", "weight": 10, "ops": [{"do": "schedule", "key": 1, "due": 7}, {"do": "advance", "to": 7}]}]}
func ReadExam(r io.Reader, o Options) (*Exam, error) {
	data, err := io.ReadAll(io.LimitReader(r, ExamMax+1))
	if err != nil {
		return nil, err
	}
	if len(data) > ExamMax {
		return nil, fmt.Errorf("more than %d bytes", ExamMax)
	}
	file := struct {
		Slots      *int   `json:"slots"`
		Levels     *int   `json:"levels"`
		Range      *int64 `json:"range"`
		AllowLate  *int64 `json:"allowLate"`
		AllowEarly *int64 `json:"allowEarly"`
		Cases      []Part `json:"cases"`
	}{&o.Slots, &o.Levels, &o.Range, &o.Late, &o.Early, nil}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&file); err != nil {
		return nil, fmt.Errorf("not an exam: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	if d.More() {
		return nil, fmt.Errorf("not an exam: something follows the object")
	}
	if len(file.Cases) == 0 {
		return nil, fmt.Errorf("cases: missing; expected at least one")
	}
	e := &Exam{Options: o, Parts: file.Cases}
	return e, e.Check()
}

// Check returns an error that names the first value of e that is out of range.
func (e *Exam) Check() error {
	o := e.withDefaults()
	for _, v := range []struct {
		name        string
		n, min, max int64
	}{
		{"slots", int64(o.Slots), 2, SlotsMax}, {"levels", int64(o.Levels), 1, LevelsMax}, {"range", o.Range, 0, tickMax},
		{"allow-late", o.Late, 0, AllowanceMax}, {"allow-early", o.Early, 0, AllowanceMax}, {"runs", int64(o.Runs), 1, RunsMax},
		{"cases", int64(len(e.Parts)), 0, PartsMax},
	} {
		if v.n < v.min || v.n > v.max {
			return fmt.Errorf("%s: %d is not %d to %d", v.name, v.n, v.min, v.max)
		}
	}
	for i := range e.Parts {
		if err := e.Parts[i].check(); err != nil {
			return fmt.Errorf("cases[%d].%w", i, err)
		}
	}
	return nil
}

func (p *Part) check() error {
	switch {
	case p.Weight < 0 || p.Weight > WeightMax:
		return fmt.Errorf("weight: %d is not 1 to %d", p.Weight, WeightMax)
	case p.Runs < 0 || p.Runs > RunsMax:
		return fmt.Errorf("runs: %d is not 1 to %d", p.Runs, RunsMax)
	case len(p.Ops) > OpsMax:
		return fmt.Errorf("ops: %d operations; at most %d", len(p.Ops), OpsMax)
	case p.Budget < 0:
		return fmt.Errorf("cost: %d is negative", p.Budget)
	case p.Start < 0 || p.Start > tickMax:
		return fmt.Errorf("start: %d is not 0 to %d", p.Start, int64(tickMax))
	case len(p.Ops) == 0 && p.Name != randomPart && groupNamed(p.Name) == nil:
		return fmt.Errorf("name: %q is not a group and has no ops; the groups are %s", p.Name, strings.Join(groupNames(), ", "))
	}
	for i := range p.Ops {
		op := &p.Ops[i]
		if !slices.Contains([]string{"schedule", "cancel", "advance"}, op.Do) {
			return fmt.Errorf(`ops[%d].do: %q is not "schedule", "cancel" or "advance"`, i, op.Do)
		}
		if t := op.when(); t < 0 || t > tickMax {
			return fmt.Errorf("ops[%d]: tick %d is not 0 to %d", i, t, int64(tickMax))
		}
	}
	return nil
}

func groupNamed(name string) func(Options) []Case {
	for _, g := range groups {
		if g.name == name {
			return g.cases
		}
	}
	return nil
}

func groupNames() []string {
	var names []string
	for _, g := range groups {
		names = append(names, g.name)
	}
	return append(names, randomPart)
}

// cases returns the cases of p, one at a time: RunsMax random workloads would take a gigabyte.
func (p *Part) cases(o Options) iter.Seq[Case] {
	return func(yield func(Case) bool) {
		if len(p.Ops) > 0 {
			yield(p.Case)
			return
		}
		if group := groupNamed(p.Name); group != nil {
			for _, c := range group(o) {
				c.Budget = p.Budget
				if !yield(c) {
					return
				}
			}
			return
		}
		for i := range cmp.Or(p.Runs, o.Runs) {
			c := random(o, p.Seed+uint64(i))
			c.Budget = p.Budget
			if !yield(c) {
				return
			}
		}
	}
}

// Try judges the wheels that create makes. abandon, if it is not nil, is called when a call has not returned in time, to end
// the program whose wheel it is.
func (e *Exam) Try(ctx context.Context, create New, abandon func()) (*Result, error) {
	if err := e.Check(); err != nil {
		return nil, err
	}
	o := e.withDefaults()
	parts := e.Parts
	if len(parts) == 0 {
		for _, name := range groupNames() {
			parts = append(parts, Part{Name: name, Seed: o.Seed})
		}
	}
	r := &Result{}
	whole, right := 0, 0
	dead := false // the wheel does not answer, or cannot be made
	for i := range parts {
		p := &parts[i]
		if dead {
			r.Groups = append(r.Groups, GroupResult{Name: p.Name, Weight: max(p.Weight, 1)})
			whole += max(p.Weight, 1)
			continue
		}
		g, err := try(ctx, p.Name, max(p.Weight, 1), p.cases(o), func(c *Case) *Fault { return run(create, o, c, abandon) })
		if err != nil {
			return nil, err
		}
		r.Groups = append(r.Groups, g)
		whole += g.Weight
		if g.Fault == nil {
			right += g.Weight
		} else {
			dead = g.Fault.Kind == Slow || g.Fault.Kind == Crashed && len(g.Shrunk.Ops) == 0
		}
	}
	r.Score = 100 * right / whole
	return r, nil
}
