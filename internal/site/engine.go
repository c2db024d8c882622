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
	EngineFile = "engine.wasm.pack" // packed with gzip; file servers take no encoding from this ending
	StartFile  = "wasm_exec.js"     // Go's script that runs it
)

// Engine is the engine of a site.
type Engine struct {
	packed, start []byte // the contents of EngineFile and StartFile
	Digest        string // of both, in hexadecimal
}

// ErrNoEngine is returned by Embedded if the program was built without the engine.
var ErrNoEngine = errors.New("this program was built without the engine of the site; `make site` in the source compiles it, and released programs contain it")

// Embedded returns the engine that the program contains.
func Embedded() (Engine, error) {
	if !hasEngine {
		return Engine{}, ErrNoEngine
	}
	return ReadEngine(engineFiles)
}

// ReadEngine reads the files of an engine, as `make engine` writes them.
func ReadEngine(from fs.FS) (e Engine, err error) {
	if e.packed, err = fs.ReadFile(from, EngineFile); err != nil {
		return e, fmt.Errorf("engine: %w", err)
	}
	if e.start, err = fs.ReadFile(from, StartFile); err != nil {
		return e, fmt.Errorf("engine: %w", err)
	}
	sum := sha256.New()
	sum.Write(e.packed)
	sum.Write(e.start)
	e.Digest = hex.EncodeToString(sum.Sum(nil))
	return e, nil
}
