// Package whole writes files whole or not at all.
package whole

import (
	"io"
	"os"
	"path/filepath"
)

// Write writes beside a name what fill writes, and renames it once that is done, so that
// nobody ever sees a part of it; after an error nothing is left and what stood there before
// stays. A file that is new has the permissions perm.
func Write(name string, perm os.FileMode, fill func(io.Writer) error) error {
	return write(name, perm, fill)
}

// rename is Write for systems that renameio leaves out: os.Rename replaces there too.
func rename(name string, perm os.FileMode, fill func(io.Writer) error) error {
	var f *os.File
	err := begin(func() (file *os.File, err error) {
		f, err = os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"*")
		return f, err
	})
	if err != nil {
		return err
	}
	defer end(f.Name())
	defer os.Remove(f.Name()) // gone already where all went well
	if err := finish(f, fill); err != nil {
		return err
	}
	if old, err := os.Stat(name); err == nil {
		perm = old.Mode().Perm()
	}
	if err := os.Chmod(f.Name(), perm); err != nil {
		return err
	}
	return commit(f.Name(), func() error { return os.Rename(f.Name(), name) })
}

// finish fills a file, and has it on the disk and closed.
func finish(f *os.File, fill func(io.Writer) error) error {
	defer f.Close() // twice does no harm
	if err := fill(f); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return f.Close()
}
