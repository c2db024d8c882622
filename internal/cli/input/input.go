// Package input reads the scenario that an argument of a command refers to: a file, standard input
// or a built-in scenario. It imports files of other kinds, such as traces.
package input

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/wheelscope/wheelscope/internal/cli/console"
	"github.com/wheelscope/wheelscope/sim/importer"
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/sim/tracefile"
)

// Load reads the scenario named on the command line: a file, "-" for stdin, or a built-in scenario. A file
// takes precedence over a built-in scenario of the same name. A trace or a workload is imported.
func Load(ctx context.Context, name string, stdin io.Reader) (*program.Program, error) {
	in, done, err := Open(ctx, name, stdin)
	if err != nil {
		return nil, err
	}
	defer done()
	return Read(ctx, in, name)
}

// Import opens the input named on the command line, as Load does, and imports it, a scenario, too, with options.
func Import(ctx context.Context, name string, stdin io.Reader, o importer.Options) (*importer.Result, error) {
	in, done, err := Open(ctx, name, stdin)
	if err != nil {
		return nil, err
	}
	defer done()
	o.Name = filepath.Base(name)
	res, err := importer.Read(ctx, in, o)
	if err != nil {
		return nil, Refusal(name, err)
	}
	return res, nil
}

// Read reads the scenario with the given name from in. If in begins like another kind of file, such as a
// trace, Read imports it.
func Read(ctx context.Context, in io.Reader, name string) (*program.Program, error) {
	buffered, head := Peek(in)
	if !importer.IsScenario(head) {
		res, err := importer.Read(ctx, buffered, importer.Options{Name: filepath.Base(name)})
		if err != nil {
			return nil, Refusal(name, err)
		}
		return res.Program, nil
	}
	data, err := ReadBounded(buffered, name, scenario.BytesMax)
	if err != nil {
		return nil, err
	}
	p, err := program.Load(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Name(name), err)
	}
	if name != "-" {
		p.Scenario.File = filepath.Base(name)
	}
	return p, nil
}

// ErrDirectory is returned by Open for a directory.
var ErrDirectory = errors.New("is a directory, expected a scenario")

// lookBytes is how many bytes of a file are examined to determine its kind.
const lookBytes = 4 << 10

// Peek returns up to lookBytes bytes from the start of in as head, and a reader, buffered, that reads all of
// in, including head. Peek ignores any error from reading in; a Read of buffered returns it later.
func Peek(in io.Reader) (buffered *bufio.Reader, head []byte) {
	buffered = bufio.NewReaderSize(in, lookBytes)
	head, _ = buffered.Peek(lookBytes)
	return buffered, head
}

// Name returns the name of an input as shown in messages: "standard input" for "-".
func Name(name string) string {
	if name == "-" {
		return "standard input"
	}
	return name
}

// Open opens the input named on the command line: standard input for "-", a file, or a built-in scenario.
// The file may be a pipe. done closes the input.
func Open(ctx context.Context, name string, stdin io.Reader) (in io.Reader, done func() error, err error) {
	if name == "-" {
		return stdin, func() error { return nil }, nil
	}
	f, err := console.OpenFile(ctx, name)
	if err == nil {
		if info, err := f.Stat(); err == nil && !info.IsDir() {
			return console.Interruptible(ctx, f), f.Close, nil
		}
		f.Close()
	}
	if data, ok := library.Builtin(name); ok {
		return bytes.NewReader(data), func() error { return nil }, nil
	}
	if err == nil {
		return nil, nil, fmt.Errorf("%s: %w", name, ErrDirectory)
	}
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil, fmt.Errorf("%q is neither a file nor a built-in scenario (wheelscope scenarios lists those)%s", name, console.DidYouMean(name, builtinNames()))
	}
	return nil, nil, err
}

// builtinNames returns the names of the built-in scenarios.
func builtinNames() []string {
	var names []string
	for _, b := range library.Builtins() {
		names = append(names, b.Name)
	}
	return names
}

// Exists reports whether name, an argument of a command, refers to an input: whether it is an existing
// file, a built-in scenario, or "-" for standard input.
func Exists(name string) bool {
	_, err := os.Stat(name)
	_, builtIn := library.Builtin(name)
	return err == nil || builtIn || name == "-"
}

// ReadBounded reads r to its end. If r has more than limit bytes, ReadBounded returns an error. name is the
// name of the input in error messages, or "-" for standard input.
func ReadBounded(r io.Reader, name string, limit int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Name(name), err)
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("%s: more than %d bytes; expected a shorter scenario", Name(name), limit)
	}
	return data, nil
}

// Refusal returns an error that names a file and explains, in one line, why it was rejected. err is the
// error from reading the file.
func Refusal(name string, err error) error {
	if diff, ok := errors.AsType[*tracefile.Diff](err); ok {
		got, want := diff.Shown()
		return fmt.Errorf("%s: line %d differs from the run of its scenario: %s; found %s, expected %s", Name(name), diff.Line, diff.Explain(), got, want)
	}
	return fmt.Errorf("%s: %w", Name(name), err)
}
