//go:build engine

package site

import (
	"embed"
	"io/fs"
)

// built contains the files of an [Engine]: two variants of the engine and the program that runs wheels in JavaScript,
// compressed with gzip, and the script from the Go distribution that runs them.
//
//go:embed built/engine.wasm.pack built/full.wasm.pack built/own.wasm.pack built/wasm_exec.js
var built embed.FS

const hasEngine = true

// engineFiles contains the files that `make engine` wrote before the program was built.
var engineFiles, _ = fs.Sub(built, "built")
