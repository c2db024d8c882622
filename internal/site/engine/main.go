//go:build js

// Command engine is the laboratory of the static site, compiled for js/wasm and run in a Web Worker: it runs
// sessions and responds to requests about runs. static/js/site/worker.js loads it and passes it whatever the
// page sends.
//
// Start reading at main, which registers the functions that the worker calls. socket.go contains the
// sessions, whose messages are those of the server's /ws, and request.go the responses, which are those of
// the server's routes. Both call the same packages as the server.
package main

import (
	"fmt"
	"net/url"
	"runtime/debug"
	"syscall/js"

	"github.com/benbjohnson/clock"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/web/api"
	"github.com/wheelscope/wheelscope/web/session"
)

// collectedMax is the memory limit, in bytes, of the Go runtime. WebAssembly has 4 GB at most.
// garbagePercent is the value of GOGC: garbage is collected when it exceeds this percentage of the memory
// in use. It is small, because a page never returns memory to the system.
const (
	collectedMax   = 3 << 30
	garbagePercent = 15
)

// sizes contains the sizes and limits of runs in a page, which has less memory than a server. A run in a page
// uses up to three instances of engine.Engine at the same time: one for the first pass, one for the next
// events, and one for the state shown. BesideEngines, the number of instances for which memory is set aside,
// is greater than three because the garbage collector may not have freed earlier ones yet.
//
// A seek computes, on average, half of the events between two checkpoints and half of a chunk again.
// CheckpointCost and ChunkEvents are small so that seeking is fast.
var sizes = sim.Sizes{
	ChunkEvents: 4096, TickEvents: 500_000, CheckpointCost: 1 << 19, CheckpointBytes: 400 << 20, BesideEngines: 8, CacheBytes: 16 << 20, WarmBytes: 32 << 20,
}

// lab is the state of the engine: the sessions and the requests of the page.
type lab struct {
	answers *api.Answers
	hub     *session.Hub
	sockets map[int]*socket // open sockets, by the number that the page assigned
	cancels map[int]func()  // functions that cancel requests, by the number that the page assigned

	passes   map[int]*pass // first passes of runs that are in progress or wait for the user, by pass.number
	lastPass int           // number of the pass that was added to passes last; numbers count up from 1
}

func main() {
	debug.SetMemoryLimit(collectedMax)
	debug.SetGCPercent(garbagePercent)
	engine.RecordOwnWith(recordOwn)
	l := &lab{sockets: map[int]*socket{}, cancels: map[int]func(){}, passes: map[int]*pass{}}
	library := session.NewLibrary(sim.NewStore(sim.StoreOptions{Sizes: sizes, Admit: l.admit}), nil)
	l.answers = api.NewAnswers(library)
	l.hub = session.NewHub(session.Options{Clock: clock.New(), Library: library, Log: console{}})
	js.Global().Set("wheelscope", js.ValueOf(map[string]any{
		"open":    function(l.open),
		"send":    function(l.send),
		"close":   function(l.close),
		"request": function(l.execute),
		"stop":    function(l.stop),
		"decide":  function(l.decide),
	}))
	js.Global().Call("wheelscopeReady")
	select {} // the functions are called until the worker ends
}

// console writes warnings and errors of sessions to the console of the browser.
type console struct{}

func (console) Warn(message string, args ...any)  { print("warn", message, args) }
func (console) Error(message string, args ...any) { print("error", message, args) }

// print calls the named method of the browser's console with a text that consists of message and args.
func print(method, message string, args []any) {
	js.Global().Get("console").Call(method, fmt.Sprint(append([]any{message + ": "}, args...)...))
}

// function returns a JavaScript function that calls f, which must not block.
func function(f func(args []js.Value)) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) any {
		f(args)
		return nil
	})
}

// queryOf parses the query of a URL. It ignores malformed parameters.
func queryOf(text string) url.Values {
	q, _ := url.ParseQuery(text)
	return q
}

// languageOf returns the language of a response: the one that the query q selects or, if q selects none,
// page, the language of the page.
func languageOf(q url.Values, page string) string {
	if lang := q.Get("lang"); lang == "en" || lang == "zh" {
		return lang
	}
	return page
}
