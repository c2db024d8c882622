// Package script runs a timing wheel written in JavaScript.
//
// The source defines a function create(start, params), which returns an object with the methods of own.Wheel: schedule,
// cancel and advance; and of those that show places and count work, layout, place and cost, if it has them. The language
// has no clock, no locale and no random numbers but those of a fixed seed, so that a source always gives the same answers.
package script

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/dop251/goja"
	"github.com/wheelscope/wheelscope/wheel/recorded"
)

// SourceMax is the maximum number of bytes of a source.
const SourceMax = recorded.SourceMax

const (
	stackMax = 1000        // depth of calls
	startMax = time.Second // how long the source and create may take; own bounds the other calls
)

// request is a request of the protocol of own.Command.
type request struct {
	Do            string
	Start         int64
	Slots, Levels int
	Key, Due, To  int64
}

// Serve answers the requests in in for the wheel in source, as a program of own.Command does, until in ends. seed is that
// of Math.random. An error of the source ends it.
func Serve(name, source string, seed uint64, in io.Reader, out io.Writer) error {
	if len(source) > SourceMax {
		return fmt.Errorf("%s: %d bytes; a source has at most %d", name, len(source), SourceMax)
	}
	s, err := compile(name, source, seed)
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(in)
	answers := bufio.NewWriter(out)
	for lines.Scan() {
		var r request
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return err
		}
		answer, err := s.answer(&r)
		if err != nil {
			return plain(err)
		}
		line, err := json.Marshal(answer)
		if err != nil {
			return err
		}
		answers.Write(append(line, '\n'))
		if err := answers.Flush(); err != nil {
			return err
		}
	}
	return lines.Err()
}

// script is a compiled source and its wheel.
type script struct {
	vm     *goja.Runtime
	create goja.Callable
	wheel  *goja.Object
	seed   uint64
}

// removed are the parts of the language whose results depend on the machine, or on the accuracy of its arithmetic.
const removed = `delete globalThis.Date; delete globalThis.Intl; delete String.prototype.localeCompare;
for (const f of ["sin","cos","tan","asin","acos","atan","atan2","sinh","cosh","tanh","asinh","acosh","atanh","exp","expm1",
  "log","log1p","log2","log10","pow","cbrt","hypot"]) delete Math[f];`

func compile(name, source string, seed uint64) (*script, error) {
	s := &script{vm: goja.New(), seed: seed}
	s.vm.SetMaxCallStackSize(stackMax)
	s.vm.SetRandSource(rand.New(rand.NewPCG(seed, 0)).Float64)
	if _, err := s.vm.RunString(removed); err != nil {
		return nil, err
	}
	if err := s.bounded(func() error { _, err := s.vm.RunScript(name, source); return err }); err != nil {
		return nil, plain(err)
	}
	create, ok := goja.AssertFunction(s.vm.Get("create"))
	if !ok {
		return nil, fmt.Errorf("%s: there is no function create(start, params)", name)
	}
	s.create = create
	return s, nil
}

// bounded calls f, and interrupts it after startMax.
func (s *script) bounded(f func() error) error {
	late := time.AfterFunc(startMax, func() { s.vm.Interrupt(fmt.Errorf("no answer after %v", startMax)) })
	defer s.vm.ClearInterrupt()
	defer late.Stop()
	return f()
}

// plain returns err as one line: the message and where it was thrown.
func plain(err error) error {
	if deep, ok := errors.AsType[*goja.StackOverflowError](err); ok {
		message, _, _ := strings.Cut(deep.Error(), "\n")
		return fmt.Errorf("more than %d calls within calls%s", stackMax, message)
	}
	if stopped, ok := errors.AsType[*goja.InterruptedError](err); ok {
		message, _, _ := strings.Cut(stopped.String(), "\n")
		return errors.New(message)
	}
	var thrown *goja.Exception
	if errors.As(err, &thrown) {
		message, _, _ := strings.Cut(thrown.Error(), "\n")
		return errors.New(strings.Replace(message, "SyntaxError: SyntaxError:", "SyntaxError:", 1))
	}
	return err
}

// answer returns the answer to r.
func (s *script) answer(r *request) (any, error) {
	vm := s.vm
	switch r.Do {
	case "create":
		s.vm.SetRandSource(rand.New(rand.NewPCG(s.seed, 0)).Float64)
		params := vm.NewObject()
		params.Set("slots", r.Slots)
		params.Set("levels", r.Levels)
		var v goja.Value
		if err := s.bounded(func() (err error) { v, err = s.create(goja.Undefined(), vm.ToValue(r.Start), params); return err }); err != nil {
			return nil, err
		}
		wheel, ok := v.(*goja.Object)
		if !ok {
			return nil, fmt.Errorf("create returned %v; expected an object with schedule, cancel and advance", v)
		}
		s.wheel = wheel
		return s.layout()
	case "schedule":
		return s.call("schedule", r.Key, r.Due)
	case "cancel":
		return s.call("cancel", r.Key)
	case "advance":
		return s.call("advance", r.To)
	case "place":
		return s.place(r.Key)
	case "cost":
		if s.wheel.Get("cost") == nil {
			return nil, nil
		}
		return s.call("cost")
	}
	return nil, fmt.Errorf("do: %q is not a request", r.Do)
}

// call calls a method of the wheel.
func (s *script) call(method string, args ...int64) (any, error) {
	f, ok := goja.AssertFunction(s.wheel.Get(method))
	if !ok {
		return nil, fmt.Errorf("the wheel has no method %s", method)
	}
	values := make([]goja.Value, len(args))
	for i, n := range args {
		values[i] = s.vm.ToValue(n)
	}
	v, err := f(s.wheel, values...)
	if err != nil {
		return nil, err
	}
	return v.Export(), nil
}

// layout returns the layout as [[slots,width],…], or true if the wheel has no method place.
func (s *script) layout() (any, error) {
	if s.wheel.Get("place") == nil {
		return true, nil
	}
	v, err := s.call("layout")
	if err != nil {
		return nil, err
	}
	var levels []struct {
		Slots int   `json:"slots"`
		Width int64 `json:"width"`
	}
	data, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(data, &levels)
	}
	if err != nil {
		return nil, fmt.Errorf("layout returned %.60s; expected levels such as [{slots: 8, width: 1}]", data)
	}
	list := [][2]int64{}
	for _, l := range levels {
		list = append(list, [2]int64{int64(l.Slots), l.Width})
	}
	return list, nil
}

// place returns the place of key as [level,slot,rounds].
func (s *script) place(key int64) (any, error) {
	v, err := s.call("place", key)
	if err != nil {
		return nil, err
	}
	var p struct {
		Level  int   `json:"level"`
		Slot   int   `json:"slot"`
		Rounds int64 `json:"rounds"`
	}
	data, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(data, &p)
	}
	if err != nil {
		return nil, fmt.Errorf("place(%d) returned %.60s; expected {level, slot, rounds}", key, data)
	}
	return []int64{int64(p.Level), int64(p.Slot), p.Rounds}, nil
}
