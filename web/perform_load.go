package web

import (
	"context"
	"strings"

	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/web/usererr"
)

// load opens another scenario. An edited one takes over what it has in common with the current run.
func (s *session) load(c *command) func(context.Context) error {
	return func(ctx context.Context) error {
		wait := ctx
		ctx, leave, err := s.books.Store.Queue().Enter(wait)
		if err != nil {
			return err
		}
		defer leave()
		o, release := s.books.Store.Planning(ctx)
		defer release()
		p, err := s.loaded(c, o)
		if err != nil {
			return err
		}
		tick := int64(-1)
		if c.has("tick") {
			if tick, err = c.integer("tick", 0, p.Until); err != nil {
				return err
			}
		}
		run, err := s.books.Store.Fork(ctx, s.run, p)
		if err != nil {
			return err
		}
		leave() // the session waits for the run without holding a turn
		return s.open(wait, run, tick)
	}
}

// known returns the program of a run in the store.
func (s *session) known(c *command) (*program.Program, error) {
	digest, err := c.text("run")
	if err != nil {
		return nil, err
	}
	run, ok := s.books.Store.Lookup(strings.ToLower(digest))
	if !ok {
		return nil, usererr.New("run", "%q is not a run of this server", usererr.Clip(digest))
	}
	return run.Program(), nil
}

// loaded returns the program that a load names: by scenario name, scenario object, run, or the text
// of a file, whose errors have a line number.
func (s *session) loaded(c *command, o program.Options) (*program.Program, error) {
	const want = "a built-in scenario's name or a scenario object"
	v, given := c.fields["scenario"]
	switch {
	case given && (c.has("text") || c.has("run")), c.has("text") && c.has("run"):
		return nil, usererr.New("text", "given beside %s; expected one of them", "scenario")
	case c.has("run"):
		return s.known(c)
	case c.has("text"):
		text, err := c.text("text")
		if err != nil {
			return nil, err
		}
		return program.LoadWith([]byte(text), o)
	case !given:
		return nil, usererr.New("scenario", "missing; expected %s", want)
	}
	switch v.Kind() {
	case '"':
		name, err := c.text("scenario")
		if err != nil {
			return nil, err
		}
		return s.books.Program(name)
	case '{':
		p, err := program.LoadWith(v, o)
		return p, usererr.Below("scenario", err)
	}
	return nil, usererr.New("scenario", "%s is not %s", usererr.Clip(string(v)), want)
}
