package whole

import (
	"errors"
	"os"
	"sync"
)

// ErrAbandoned reports that [Abandon] was called while a file was being written.
var ErrAbandoned = errors.New("the write was abandoned")

// pending holds the temporary files of the writes under way.
var pending = struct {
	sync.Mutex
	files map[string]*os.File
}{files: map[string]*os.File{}}

// Abandon removes the temporary files of all writes under way. None of those writes
// replaces a file any more. It is for a process that is about to end without waiting for them.
func Abandon() {
	pending.Lock()
	defer pending.Unlock()
	for name, f := range pending.files {
		_ = f.Close() // Windows removes no open file
		_ = os.Remove(name)
	}
	clear(pending.files)
}

// begin creates a temporary file with create and notes its name.
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

// commit calls replace, which puts the temporary file in its place, unless it was abandoned.
func commit(name string, replace func() error) error {
	pending.Lock()
	defer pending.Unlock()
	if pending.files[name] == nil {
		return ErrAbandoned
	}
	return replace()
}

// end forgets a temporary file.
func end(name string) {
	pending.Lock()
	defer pending.Unlock()
	delete(pending.files, name)
}
