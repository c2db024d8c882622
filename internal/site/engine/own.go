//go:build js

package main

import (
	"context"
	"errors"
	"syscall/js"

	"github.com/go-json-experiment/json/v1"
	"github.com/wheelscope/wheelscope/sim/own"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/wheel/recorded"
)

// Wheels in JavaScript run in the program of ../own, which has an interpreter, in a worker of its own: nothing else can end
// an endless loop.

// recordOwn runs the source of an own wheel.
func recordOwn(ctx context.Context, p *program.Program, i int) (*recorded.Log, error) {
	request, err := own.LaneRequest(p, i)
	if err != nil {
		return nil, err
	}
	var reply own.LaneReply
	if err := runOwn(ctx, "lane", request, &reply); err != nil {
		return nil, err
	}
	return reply.Log()
}

// judge implements api.Judge.
func judge(ctx context.Context, t *own.Trial) (*own.Result, error) {
	request, err := json.Marshal(t)
	if err != nil {
		return nil, err
	}
	r := new(own.Result)
	switch err := runOwn(ctx, "exam", request, r); err {
	case errSlow, errLong:
		return own.Ended("time", own.Slow, err.Error()), nil
	case errStopped:
		return own.Ended("memory", own.Crashed, errStopped.Error()), nil
	default:
		return r, err
	}
}

// Reasons for which the worker of a wheel in JavaScript is ended, by what static/js/site/worker.js says.
var (
	errSlow    = errors.New("a call has not returned for seconds")
	errStopped = errors.New("the interpreter has stopped, as it does when a wheel needs too much memory")
	errLong    = errors.New("all calls together take too long")
	ownEnds    = map[string]error{"slow": errSlow, "long": errLong, "stopped": errStopped}
)

// runOwn has a worker answer a request, which is ended when ctx is done, and decodes the answer into to.
func runOwn(ctx context.Context, what string, request []byte, to any) error {
	type answer struct {
		data []byte
		err  error
	}
	answered := make(chan answer, 1)
	done := function(func(args []js.Value) {
		if args[0].Type() == js.TypeString {
			why, known := ownEnds[args[0].String()]
			if !known {
				why = errors.New(args[0].String())
			}
			answered <- answer{err: why}
			return
		}
		data := make([]byte, args[0].Length())
		js.CopyBytesToGo(data, args[0])
		answered <- answer{data: data}
	})
	defer done.Release()
	end := js.Global().Call("wheelscopeOwn", what, bytesOf(request), done)
	select {
	case <-ctx.Done():
		end.Invoke()
		return context.Cause(ctx)
	case a := <-answered:
		if a.err != nil {
			return a.err
		}
		return json.Unmarshal(a.data, to)
	}
}
