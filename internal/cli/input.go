package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/importer"
)

// loadScenario reads the scenario named on the command line: a file, "-" for stdin, or a
// built-in. A file takes precedence over a built-in of the same name. A trace or a workload is
// imported.
func loadScenario(ctx context.Context, name string, stdin io.Reader) (*sim.Program, error) {
	in, done, err := openNamed(ctx, name, stdin)
	if err != nil {
		return nil, err
	}
	defer done()
	return readProgram(ctx, in, name)
}

// readProgram reads a scenario; from a file of another kind, such as a trace, it imports it. The
// first bytes determine the kind.
func readProgram(ctx context.Context, in io.Reader, name string) (*sim.Program, error) {
	buffered, head := peek(in)
	if !importer.IsScenario(head) {
		res, err := importer.Read(ctx, buffered, importer.Options{Name: filepath.Base(name)})
		if err != nil {
			return nil, importError(name, err)
		}
		return res.Program, nil
	}
	data, err := readBounded(buffered, name, sim.ScenarioBytesMax)
	if err != nil {
		return nil, err
	}
	p, err := sim.Load(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", inputName(name), err)
	}
	return p, nil
}

var errDirectory = errors.New("a directory is not a scenario")

// lookBytes is how many bytes of a file are examined to determine its kind.
const lookBytes = 4 << 10

// peek returns the first bytes of in, and a reader of all of in. Read errors are left to the
// reader.
func peek(in io.Reader) (buffered *bufio.Reader, head []byte) {
	buffered = bufio.NewReaderSize(in, lookBytes)
	head, _ = buffered.Peek(lookBytes)
	return buffered, head
}

// inputName returns the name of an input in a message.
func inputName(name string) string {
	if name == "-" {
		return "standard input"
	}
	return name
}

// openNamed opens the input named on the command line: standard input, any file that can be
// read once, or a built-in.
func openNamed(ctx context.Context, name string, stdin io.Reader) (in io.Reader, done func() error, err error) {
	if name == "-" {
		return stdin, func() error { return nil }, nil
	}
	f, err := openFile(ctx, name)
	if err == nil {
		if info, err := f.Stat(); err == nil && !info.IsDir() {
			return interruptible(ctx, f), f.Close, nil
		}
		f.Close()
	}
	if data, ok := sim.Builtin(name); ok {
		return bytes.NewReader(data), func() error { return nil }, nil
	}
	if err == nil {
		return nil, nil, fmt.Errorf("%s: %w", name, errDirectory)
	}
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil, fmt.Errorf("%q is neither a file nor a built-in scenario (wheelscope scenarios lists those)%s", name, didYouMean(name, builtinNames()))
	}
	return nil, nil, err
}

// builtinNames lists the names of the built-in scenarios.
func builtinNames() []string {
	var names []string
	for _, b := range sim.Builtins() {
		names = append(names, b.Name)
	}
	return names
}

// isScenario reports whether a command-line argument names a scenario.
func isScenario(name string) bool {
	_, err := os.Stat(name)
	_, builtIn := sim.Builtin(name)
	return err == nil || builtIn || name == "-"
}

// readBounded reads a whole file. It returns an error if the file is too large.
func readBounded(r io.Reader, name string, most int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, most+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", inputName(name), err)
	}
	if int64(len(data)) > most {
		return nil, fmt.Errorf("%s: more than %d bytes are not a scenario", inputName(name), most)
	}
	return data, nil
}

// importError returns a one-line error that says why a file was refused.
func importError(name string, err error) error {
	if diff, ok := errors.AsType[*sim.Diff](err); ok {
		got, want := diff.Shown()
		return fmt.Errorf("%s: line %d is not what the scenario gives: %s; found %s, expected %s", inputName(name), diff.Line, diff.Explain(), got, want)
	}
	return fmt.Errorf("%s: %w", inputName(name), err)
}
