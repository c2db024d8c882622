//go:build engine

package site

import (
	"embed"
	"io/fs"
)

// built contains the engine, an engine that can also draw pictures and write players, and the JavaScript code
// from the Go distribution that runs them. Files named .pack are compressed with gzip.
//
//go:embed built/engine.wasm.pack built/full.wasm.pack built/wasm_exec.js
var built embed.FS

const hasEngine = true

// engineFiles contains the files that `make engine` wrote before the program was built.
var engineFiles, _ = fs.Sub(built, "built")
