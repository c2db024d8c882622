package site

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
)

// Names of the files of the engine.
const (
	// EngineFile is the name of the file that contains the engine, compressed with gzip. The extension is one
	// for which file servers set no Content-Encoding, so the page decompresses the file itself.
	EngineFile = "engine.wasm.pack"
	// fullFile is the name of the file that contains a larger engine, which can also write pictures and players.
	// It is loaded when the user saves a picture or a player.
	fullFile = "full.wasm.pack"
	// ownFile is the name of the file with the program that runs wheels in JavaScript. It is loaded when the page runs one.
	ownFile   = "own.wasm.pack"
	StartFile = "wasm_exec.js" // name of the script from the Go distribution that runs the engine
)

// Engine holds the files of the engine, the Go program that runs in the browser instead of a server.
type Engine struct {
	files  map[string][]byte // contents by name
	Digest string            // digest of the contents of all files, in hexadecimal
}

// ErrNoEngine is returned by [Embedded] if the program was built without the engine.
var ErrNoEngine = errors.New("this program was built without the engine of the site; `make site` in the source compiles it, and released programs contain it")

// Embedded returns the engine that the program contains, or ErrNoEngine if the program was built
// without one.
func Embedded() (Engine, error) {
	if !hasEngine {
		return Engine{}, ErrNoEngine
	}
	return ReadEngine(engineFiles)
}

// ReadEngine reads the files of an engine from the folder to which `make engine` has written them.
func ReadEngine(from fs.FS) (e Engine, err error) {
	e.files = map[string][]byte{}
	sum := sha256.New()
	for _, name := range []string{EngineFile, fullFile, ownFile, StartFile} {
		if e.files[name], err = fs.ReadFile(from, name); err != nil {
			return e, fmt.Errorf("engine: %w", err)
		}
		sum.Write(e.files[name])
	}
	e.Digest = hex.EncodeToString(sum.Sum(nil))
	return e, nil
}
