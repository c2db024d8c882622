package atomicfile

import (
	"errors"
	"os"
	"sync"
)

// ErrAbandoned reports that [Abandon] was called while a file was being written.
var ErrAbandoned = errors.New("the write was abandoned")

// pending has the temporary files of the writes in progress.
var pending = struct {
	sync.Mutex
	files map[string]*os.File
}{files: map[string]*os.File{}}

// Abandon removes the temporary files of all writes in progress, so that none of them replaces its file. It
// is for a process that is about to exit without waiting for the writes.
func Abandon() {
	pending.Lock()
	defer pending.Unlock()
	for name, f := range pending.files {
		_ = f.Close() // Windows does not remove open files
		_ = os.Remove(name)
	}
	clear(pending.files)
}

// begin calls create, which creates a temporary file, and records the file's name.
func begin(create func() (*os.File, error)) error {
	pending.Lock()
	defer pending.Unlock()
	f, err := create()
	if err != nil {
		return err
	}
	pending.files[f.Name()] = f
	return nil
}

// commit calls replace, which renames the named temporary file, unless the write was abandoned.
func commit(name string, replace func() error) error {
	pending.Lock()
	defer pending.Unlock()
	if pending.files[name] == nil {
		return ErrAbandoned
	}
	return replace()
}

// end removes the record of the named temporary file.
func end(name string) {
	pending.Lock()
	defer pending.Unlock()
	delete(pending.files, name)
}
