package atomicfile

import (
	"errors"
	"os"
	"sync"
)

// ErrAbandoned is returned by [Write] if [Abandon] has removed the temporary file before it could be
// renamed. If Abandon closes the file while Write is writing to it, Write may return an error that wraps
// os.ErrClosed instead.
var ErrAbandoned = errors.New("the write was abandoned")

// pending holds the temporary files of all writes in progress, by name.
var pending = struct {
	sync.Mutex
	files map[string]*os.File
}{files: map[string]*os.File{}}

// Abandon removes the temporary files of all writes in progress, so these writes fail and existing files
// remain unchanged. It is meant for a process that is about to exit and cannot wait for them.
func Abandon() {
	pending.Lock()
	defer pending.Unlock()
	for name, f := range pending.files {
		_ = f.Close() // Windows does not remove open files
		_ = os.Remove(name)
	}
	clear(pending.files)
}

// begin calls create to create the temporary file of a write, and registers the returned file in pending. If
// create fails, begin returns its error. It holds the lock of pending throughout, so that Abandon cannot miss
// the file.
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

// commit calls replace, which renames the temporary file with the given name to its final name. If Abandon
// has removed the temporary file, commit returns ErrAbandoned and does not call replace.
func commit(name string, replace func() error) error {
	pending.Lock()
	defer pending.Unlock()
	if pending.files[name] == nil {
		return ErrAbandoned
	}
	return replace()
}

// end removes the temporary file with the given name from pending. It must be called at the end of each
// write, whether or not the write succeeded.
func end(name string) {
	pending.Lock()
	defer pending.Unlock()
	delete(pending.files, name)
}
