package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/wheelscope/wheelscope/internal/atomicfile"
)

// WriteWhole writes the output of fill to the named file atomically, and compresses it if the name ends in
// .gz. If the name refers to a device or a pipe, WriteWhole writes to it directly. If ctx is already done,
// WriteWhole returns ctx.Err() and writes nothing.
func WriteWhole(ctx context.Context, name string, fill func(io.Writer) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	packed := atomicfile.Packed(name, fill)
	target, special, err := resolve(name)
	if err != nil {
		return plainError(err)
	}
	if special {
		return plainError(writeSpecial(target, packed))
	}
	return plainError(atomicfile.Write(target, 0o666, packed))
}

// WriteOutput calls fill with the output that name, the value of the -o flag, selects: standard output if
// name is "-" or "", and otherwise the named file, written as if by WriteWhole.
func (s *Streams) WriteOutput(ctx context.Context, name string, fill func(io.Writer) error) error {
	if toStdout(name) {
		return fill(s.Out)
	}
	if err := WriteWhole(ctx, name, fill); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func toStdout(name string) bool { return name == "" || name == "-" }

// resolve returns, as target, the name of the file to which name refers after symbolic links have been followed, so
// that a write replaces that file rather than a link. special reports whether the file exists and is not a regular
// file; target is then name itself.
func resolve(name string) (target string, special bool, err error) {
	info, err := os.Stat(name)
	if errors.Is(err, os.ErrNotExist) {
		target, err = danglingTarget(name)
		return target, false, err
	}
	if err != nil {
		return "", false, err
	}
	if info.IsDir() {
		return "", false, errors.New("the name is that of a directory")
	}
	if !info.Mode().IsRegular() {
		return name, true, nil
	}
	target, err = filepath.EvalSymlinks(name)
	return target, false, err
}

// linksMax is the maximum length of a chain of symbolic links. Linux has the same limit.
const linksMax = 40

// danglingTarget follows the symbolic link with the given name, possibly through other links, to a file
// that does not exist yet. It returns the name of that file.
func danglingTarget(name string) (string, error) {
	for range linksMax {
		link, err := os.Readlink(name)
		if err != nil { // not a link
			return name, nil
		}
		if !filepath.IsAbs(link) {
			link = filepath.Join(filepath.Dir(name), link)
		}
		name = link
	}
	return "", errors.New("too many levels of symbolic links")
}

func writeSpecial(name string, fill func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if err := fill(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// plainError returns err without the file name if err is a file system error. The name may be that of a
// temporary file, which the user does not know.
func plainError(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return fmt.Errorf("%s: %w", p.Op, p.Err)
	}
	var l *os.LinkError
	if errors.As(err, &l) {
		return fmt.Errorf("%s: %w", l.Op, l.Err)
	}
	return err
}
