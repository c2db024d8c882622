//go:build !windows

package whole

import (
	"io"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
)

func write(name string, perm os.FileMode, fill func(io.Writer) error) error {
	f, err := renameio.NewPendingFile(name, renameio.WithTempDir(filepath.Dir(name)),
		renameio.WithPermissions(perm), renameio.WithExistingPermissions())
	if err != nil {
		return err
	}
	defer f.Cleanup()
	if err := fill(f); err != nil {
		return err
	}
	return f.CloseAtomicallyReplace()
}
