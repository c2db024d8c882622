package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/wheelscope/wheelscope/internal/whole"
)

// writeWhole writes a file whole or not at all. A name that ends in .gz is packed.
// What is not an ordinary file (a device, a pipe) is written to as it is. After ctx is
// done no file is begun.
func writeWhole(ctx context.Context, name string, fill func(io.Writer) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	packed := whole.Packed(name, fill)
	target, special, err := resolve(name)
	if err != nil {
		return plainError(err)
	}
	if special {
		return plainError(writeSpecial(target, packed))
	}
	return plainError(whole.Write(target, 0o666, packed))
}

// resolve follows links, so that the file and not the link is replaced, and says
// whether what stands there is no ordinary file.
func resolve(name string) (target string, special bool, err error) {
	info, err := os.Stat(name)
	if errors.Is(err, os.ErrNotExist) {
		if link, err := os.Readlink(name); err == nil { // to what is not there yet
			if !filepath.IsAbs(link) {
				link = filepath.Join(filepath.Dir(name), link)
			}
			return link, false, nil
		}
		return name, false, nil
	}
	if err != nil {
		return "", false, err
	}
	if info.IsDir() {
		return "", false, errors.New("a directory stands there")
	}
	if !info.Mode().IsRegular() {
		return name, true, nil
	}
	target, err = filepath.EvalSymlinks(name)
	return target, false, err
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

// plainError leaves the temporary file's name out of an error of the file system:
// the user did not choose it.
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
