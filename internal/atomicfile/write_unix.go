//go:build !windows

package atomicfile

import (
	"io"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
)

func write(name string, perm os.FileMode, fill func(io.Writer) error) error {
	var f *renameio.PendingFile
	err := begin(func() (file *os.File, err error) {
		f, err = renameio.NewPendingFile(name, renameio.WithTempDir(filepath.Dir(name)),
			renameio.WithPermissions(perm), renameio.WithExistingPermissions())
		if err != nil {
			return nil, err
		}
		return f.File, nil
	})
	if err != nil {
		return err
	}
	defer end(f.Name())
	defer f.Cleanup()
	if err := fill(f); err != nil {
		return err
	}
	if err := f.Sync(); err != nil { // before commit locks pending, for which a process that exits waits
		return err
	}
	return commit(f.Name(), f.CloseAtomicallyReplace)
}
