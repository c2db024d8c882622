//go:build engine

package site

import (
	"embed"
	"io/fs"
)

// built contains the files EngineFile, fullFile and StartFile: two variants of the engine, both compressed with
// gzip, and the script from the Go distribution that runs them.
//
//go:embed built/engine.wasm.pack built/full.wasm.pack built/wasm_exec.js
var built embed.FS

const hasEngine = true

// engineFiles contains the files that `make engine` wrote before the program was built.
var engineFiles, _ = fs.Sub(built, "built")
