// Package script runs a timing wheel written in JavaScript.
//
// The source defines a function create(start, params), which returns an object with the methods of own.Wheel: schedule,
// cancel and advance; and of those that show places and count work, layout, place and cost, if it has them. The language
// has no clock, no locale and no random numbers but those of a fixed seed, so that a source always gives the same answers.
package script

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"time"

	"github.com/dop251/goja"
	"github.com/wheelscope/wheelscope/sim/own"
	"github.com/wheelscope/wheelscope/wheel/recorded"
)

// SourceMax is the maximum number of bytes of a source.
const SourceMax = recorded.SourceMax

const (
	stackMax = 1000        // depth of calls
	startMax = time.Second // how long the source and create may take; own bounds the other calls
)

// script is a compiled source and its wheel.
type script struct {
	vm      *goja.Runtime
	create  goja.Callable
	wheel   *goja.Object
	methods map[string]goja.Callable
	seed    uint64
	calls   atomic.Int64 // 2 for each call that has ended, and 1 for one that has begun
}

// removed are the parts of the language whose results depend on the machine, or on the accuracy of its arithmetic.
const removed = `delete globalThis.Date; delete globalThis.Intl; delete String.prototype.localeCompare;
for (const f of ["sin","cos","tan","asin","acos","atan","atan2","sinh","cosh","tanh","asinh","acosh","atanh","exp","expm1",
  "log","log1p","log2","log10","pow","cbrt","hypot"]) delete Math[f];`

// compile runs the source, which defines create. name is that of its file.
func compile(name, source string, seed uint64) (*script, error) {
	if len(source) > SourceMax {
		return nil, fmt.Errorf("%s: %d bytes; a source has at most %d", name, len(source), SourceMax)
	}
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
	begun()
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

// new calls create and finds the methods of the wheel.
func (s *script) new(start int64, slots, levels int) error {
	s.vm.SetRandSource(rand.New(rand.NewPCG(s.seed, 0)).Float64)
	params := s.vm.NewObject()
	params.Set("slots", slots)
	params.Set("levels", levels)
	var v goja.Value
	if err := s.bounded(func() (err error) { v, err = s.create(goja.Undefined(), s.vm.ToValue(start), params); return err }); err != nil {
		return plain(err)
	}
	wheel, ok := v.(*goja.Object)
	if !ok {
		return fmt.Errorf("create returned %v; expected an object with schedule, cancel and advance", v)
	}
	s.wheel, s.methods = wheel, map[string]goja.Callable{}
	for _, name := range []string{"schedule", "cancel", "advance", "layout", "place", "cost"} {
		if f, ok := goja.AssertFunction(wheel.Get(name)); ok {
			s.methods[name] = f
		}
	}
	return nil
}

// has reports whether the wheel has a method.
func (s *script) has(method string) bool { return s.methods[method] != nil }

// ask calls a method of the wheel.
func (s *script) ask(method string, args ...int64) (goja.Value, error) {
	f := s.methods[method]
	if f == nil {
		return nil, fmt.Errorf("the wheel has no method %s", method)
	}
	values := [2]goja.Value{}
	for i, n := range args {
		values[i] = s.vm.ToValue(n)
	}
	begun()
	s.calls.Add(1)
	v, err := f(s.wheel, values[:len(args)]...)
	s.calls.Add(1)
	if err != nil {
		return nil, plain(err)
	}
	return v, nil
}

// yes calls a method that returns true or false.
func (s *script) yes(method string, args ...int64) (bool, error) {
	v, err := s.ask(method, args...)
	if err != nil {
		return false, err
	}
	yes, ok := v.Export().(bool)
	if !ok {
		return false, fmt.Errorf("it returned %.60s; expected true or false", v)
	}
	return yes, nil
}

// advance calls the method of that name and returns the keys.
func (s *script) advance(to int64) ([]float64, error) {
	v, err := s.ask("advance", to)
	if err != nil {
		return nil, err
	}
	var keys []float64
	if goja.IsUndefined(v) || goja.IsNull(v) || s.vm.ExportTo(v, &keys) != nil {
		return nil, fmt.Errorf("it returned %.60s; expected the keys that fired, such as [1, 2]", v)
	}
	return keys, nil
}

// layout returns the levels, or nil if the wheel has no method place.
func (s *script) layout() ([]own.Level, error) {
	if !s.has("place") {
		return nil, nil
	}
	v, err := s.ask("layout")
	if err != nil {
		return nil, fmt.Errorf("layout(): %w", err)
	}
	levels := []own.Level{}
	data, err := json.Marshal(v.Export())
	if err == nil {
		err = json.Unmarshal(data, &levels)
	}
	if err != nil {
		return nil, fmt.Errorf("layout() returned %.60s; expected levels such as [{slots: 8, width: 1}]", data)
	}
	return levels, nil
}

// place returns the place of a pending timer. The rounds are −1 if the wheel does not tell them, and the level is −1 if the
// timer is in no slot.
func (s *script) place(key int64) (own.Place, error) {
	v, err := s.ask("place", key)
	if err != nil {
		return own.Place{}, fmt.Errorf("place(%d): %w", key, err)
	}
	p, ok := v.(*goja.Object)
	if !ok {
		return own.Place{Level: -1, Rounds: -1}, nil
	}
	level, slot := number(p, "level", 0), number(p, "slot", 0)
	if int64(int8(level)) != level || int64(int32(slot)) != slot {
		return own.Place{}, fmt.Errorf("place(%d) returned slot %d of level %d", key, slot, level)
	}
	return own.Place{Level: int(level), Slot: int(slot), Rounds: number(p, "rounds", -1)}, nil
}

// number returns a property of p, or def if there is none.
func number(p *goja.Object, name string, def int64) int64 {
	v := p.Get(name)
	if v == nil || goja.IsUndefined(v) || goja.IsNull(v) {
		return def
	}
	return v.ToInteger()
}
