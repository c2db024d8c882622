package session

import (
	"context"
	"strings"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// load returns the function that executes the load command c. If the scenario that c selects is an edited version of
// the current one, its run reuses the current run up to the first difference.
func (s *Session) load(c *protocol.Command) func(context.Context) error {
	return func(ctx context.Context) error {
		if c.Has("scenario") || c.Has("text") {
			if err := s.sameRun(c); err != nil {
				return err
			}
		}
		return s.openForked(ctx, func(o program.Options) (p *program.Program, tick int64, err error) {
			if p, err = s.loaded(c, o); err == nil && c.Has("tick") {
				tick, err = c.Integer("tick", 0, p.Until)
				return p, tick, err
			}
			return p, -1, err
		})
	}
}

// known returns the program of the run whose digest is in the "run" field of c. The run must be in the store.
func (s *Session) known(c *protocol.Command) (*program.Program, error) {
	digest, err := c.Text("run")
	if err != nil {
		return nil, err
	}
	run, ok := s.library.Store.Lookup(strings.ToLower(digest))
	if !ok {
		return nil, texts.Errorf(texts.Invalid, "run", "%q is not a run of this server", texts.Clip(digest))
	}
	return run.Program(), nil
}

// loaded returns the program that the load command c selects by the name of a scenario, a scenario object, the text of a
// file or, without these, the digest of a run. An error in the text of a file has a line number.
func (s *Session) loaded(c *protocol.Command, o program.Options) (*program.Program, error) {
	const want = "a built-in scenario's name or a scenario object"
	v, given := c.Fields["scenario"]
	switch {
	case given && c.Has("text"):
		return nil, texts.Errorf(texts.Invalid, "text", "given beside %s; expected one of them", "scenario")
	case c.Has("run") && !given && !c.Has("text"):
		return s.known(c)
	case c.Has("text"):
		text, err := c.Text("text")
		if err != nil {
			return nil, err
		}
		return program.LoadWith([]byte(text), o)
	case !given:
		return nil, texts.Errorf(texts.Invalid, "scenario", "missing; expected %s", want)
	}
	switch v.Kind() {
	case '"':
		name, err := c.Text("scenario")
		if err != nil {
			return nil, err
		}
		return s.library.Program(name)
	case '{':
		p, err := program.LoadWith(v, o)
		return p, texts.Below("scenario", err)
	}
	return nil, texts.Errorf(texts.Invalid, "scenario", "%s is not %s", texts.Clip(string(v)), want)
}
