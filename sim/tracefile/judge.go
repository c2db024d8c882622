package tracefile

import (
	"bufio"
	"context"
	"io"

	"github.com/wheelscope/wheelscope/sim/engine"
)

// judge determines why the trace differs from the run. It reads the rest of the trace, beginning with the
// first line that differs. It returns a *LineError if that line or a later one is malformed, or if only the
// end lines differ, and otherwise a *Diff.
func (c *comparer) judge(ctx context.Context) error {
	rest := bufio.NewReaderSize(c.rest, BlockBytes)
	first := c.line + 1
	read := func() ([]byte, error) { return ReadLine(rest, first) }
	if first == 1 {
		read = func() ([]byte, error) { return ReadHeaderLine(rest, &c.plan) }
	}
	text, err := read()
	if err == io.EOF {
		return NoEnd(first)
	}
	if err != nil {
		return err
	}
	diff := &Diff{Line: first, Got: string(text), Want: c.want}
	check, err := c.checker(text)
	if err != nil {
		return err
	}
	if err := checkLines(ctx, rest, first, check); err != nil {
		return err
	}
	if hasEndPrefix(diff.Got) && hasEndPrefix(diff.Want) {
		return &LineError{first, endFault(diff)}
	}
	return diff
}

// checker checks the format of text, the first line of the trace that differs from the run, and returns a
// checker for the lines after it. The error is a *LineError if text is malformed.
func (c *comparer) checker(text []byte) (*Checker, error) {
	if c.line == 0 {
		p, err := readHeader(text, c.plan)
		if err != nil {
			return nil, err
		}
		return NewChecker(p), nil
	}
	check := NewChecker(c.p)
	if c.line > 1 {
		check.seq = c.line - 2 // before the last line that was equal
		if err := check.Line(c.last); err != nil {
			return nil, &LineError{c.line, err}
		}
	}
	if err := check.Line(text); err != nil {
		return nil, &LineError{c.line + 1, err}
	}
	return check, nil
}

// checkLines checks the format of the lines in r up to the end of the trace. line is the number of the last
// line that has been read.
func checkLines(ctx context.Context, r *bufio.Reader, line int64, check *Checker) error {
	for {
		if line++; line%engine.PauseTicks == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		text, err := ReadLine(r, line)
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if err := check.Line(text); err != nil {
			return &LineError{line, err}
		}
	}
	if !check.Ended {
		return NoEnd(line)
	}
	return nil
}

// NoEnd returns the *LineError for a trace without an end line. line is the number of the first missing line.
func NoEnd(line int64) error {
	return &LineError{line, fault("the trace ends here without an end line")}
}

// endFault returns a description of d, a difference between the end lines of a trace and a run. All lines
// before the end lines must be equal.
func endFault(d *Diff) error {
	got, want := lineFieldsOf(d.Got), lineFieldsOf(d.Want)
	names := differingFields(got, want)
	switch {
	case len(names) == 0: // the end line has more fields than are compared by name
		return fault("the end line differs from byte %d on", commonPrefix(d.Got, d.Want)+1)
	case names[0] == "sha256":
		return fault("the digest is wrong: sha256 is %s, the lines above have %s", got.value("sha256"), want.value("sha256"))
	}
	return fault("the end line is wrong: %s is %s, expected %s", names[0], got.value(names[0]), want.value(names[0]))
}
