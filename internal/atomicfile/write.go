// Package atomicfile writes files atomically: a file is replaced completely or left unchanged.
package atomicfile

import (
	"io"
	"os"
	"path/filepath"
)

// Write writes the output of fill to a temporary file and renames it to name when it is complete, so that
// readers never see an incomplete file. If Write returns an error, it has removed the temporary file and left
// any existing file unchanged. A new file gets the permissions perm; an existing one keeps its own.
func Write(name string, perm os.FileMode, fill func(io.Writer) error) error {
	return write(name, perm, fill)
}

// rename implements Write with os.Rename, which replaces an existing file. It is used on Windows, which
// package renameio does not support.
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
	defer os.Remove(f.Name()) // fails if the file has been renamed
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

// finish writes the output of fill to f, then syncs and closes f.
func finish(f *os.File, fill func(io.Writer) error) error {
	defer f.Close() // after an error; closing twice is harmless
	if err := fill(f); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return f.Close()
}
