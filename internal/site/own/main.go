//go:build js

// Command own runs a wheel in JavaScript for the engine of the static site, compiled for js/wasm. static/js/site/worker.js
// loads it in a worker of its own, passes it one request, and ends the worker.
package main

import (
	"bytes"
	"context"
	"io"
	"runtime/debug"
	"syscall/js"

	"github.com/wheelscope/wheelscope/sim/own/script"
)

// collectedMax is the memory limit, in bytes, of the Go runtime.
const collectedMax = 1 << 30

func main() {
	debug.SetMemoryLimit(collectedMax)
	js.Global().Set("wheelscope", map[string]any{"own": js.FuncOf(func(_ js.Value, args []js.Value) any {
		request := make([]byte, args[1].Length())
		js.CopyBytesToGo(request, args[1])
		go answer(args[0].String(), request, args[2])
		return nil
	})})
	js.Global().Call("wheelscopeReady")
	select {}
}

// answer calls reply with the answer to a request as a Uint8Array, or with the reason why there is none as a string.
func answer(what string, request []byte, reply js.Value) {
	serve := map[string]func(context.Context, io.Reader, io.Writer, func()) error{"lane": script.ServeLane, "exam": script.ServeExam}[what]
	var out bytes.Buffer
	if err := serve(context.Background(), bytes.NewReader(request), &out, func() {}); err != nil {
		reply.Invoke(err.Error())
		return
	}
	array := js.Global().Get("Uint8Array").New(out.Len())
	js.CopyBytesToJS(array, out.Bytes())
	reply.Invoke(array)
}
