//go:build !js

package own

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"unicode"

	"github.com/go-json-experiment/json/v1"
)

// Command makes wheels of a program that reads requests from its standard input, one a line, and writes an answer for each:
//
//	{"do":"create","start":0,"slots":8,"levels":3}   true, or the layout [[slots,width],…]
//	{"do":"schedule","key":1,"due":7}                true, or false to reject
//	{"do":"cancel","key":1}                          true or false
//	{"do":"advance","to":9}                          the keys that fired, in order: [1,2]
//	{"do":"place","key":1}                           [level,slot,rounds]; asked only if create returned a layout
//	{"do":"cost"}                                    units of work since create, or null; asked only if there is a budget
//
// A create forgets the wheel before it. Requests have no spaces and the fields in this order, so that sscanf reads them.
// The program is started with the first wheel, again after it has ended or was killed, and ended by Kill.
type Command struct {
	args []string
	mu   sync.Mutex
	p    *process // nil if none runs
}

// Limits of a program.
const (
	AnswerMax     = 1 << 20 // bytes of an answer
	commandMemory = 2 << 30 // bytes of memory, where the system can limit it
	lastWordsMax  = 4 << 10 // bytes of its standard error that are kept
)

// NewCommand returns a Command that runs args[0] with the arguments args[1:]. The program is started at once, so that an
// error says that it cannot be.
func NewCommand(args ...string) (*Command, error) {
	c := &Command{args: args}
	_, err := c.running()
	return c, err
}

// process is a running program.
type process struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Reader
	words lastWords
	once  sync.Once // ends it
}

// running returns the running program. It starts it if necessary.
func (c *Command) running() (*process, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.p != nil {
		return c.p, nil
	}
	p := &process{cmd: exec.Command(c.args[0], c.args[1:]...)}
	p.cmd.Stderr = &p.words
	p.cmd.WaitDelay = CallMax
	ownGroup(p.cmd)
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	limitMemory(p.cmd.Process.Pid, commandMemory)
	p.in, p.out = in, bufio.NewReaderSize(out, 64<<10)
	c.p = p
	return p, nil
}

// Kill ends the program and its children, if it runs. The next wheel starts it again.
func (c *Command) Kill() {
	c.mu.Lock()
	p := c.p
	c.mu.Unlock()
	if p != nil {
		c.end(p)
	}
}

// end ends p and its children.
func (c *Command) end(p *process) {
	c.mu.Lock()
	if c.p == p {
		c.p = nil
	}
	c.mu.Unlock()
	p.once.Do(func() {
		p.in.Close()
		kill(p.cmd)
		p.cmd.Wait()
	})
}

// Pipes returns the standard input and output of the program, and a function that ends it and returns why it has ended: its last
// words. Nothing else may be called but Kill.
func (c *Command) Pipes() (in io.WriteCloser, out io.Reader, ended func() error, err error) {
	p, err := c.running()
	if err != nil {
		return nil, nil, nil, err
	}
	return p.in, p.out, func() error { return c.ended(p, nil) }, nil
}

// ended ends p, which does not answer because of err, and returns the reason.
func (c *Command) ended(p *process, err error) error {
	c.end(p)
	text := "the program has ended"
	switch words := p.words.last(); {
	case errors.Is(err, errLong):
		text = err.Error()
	case words != "":
		text += ": " + words
	}
	return errors.New(text)
}

// New makes a wheel.
func (c *Command) New(start int64, params Params) Wheel {
	p, err := c.running()
	if err != nil {
		panic(wrong{Crashed, err.Error()})
	}
	w := &remote{c: c, p: p}
	answer := w.ask(fmt.Sprintf(`{"do":"create","start":%d,"slots":%d,"levels":%d}`, start, params.Slots, params.Levels))
	var layout [][2]int64
	if err := json.Unmarshal(answer, &layout); err != nil {
		if string(answer) != "true" {
			w.bad(answer, "true, or a layout such as [[8,1],[8,8]]")
		}
		return w
	}
	placed := &placed{remote: w}
	for _, l := range layout {
		placed.layout = append(placed.layout, Level{int(l[0]), l[1]})
	}
	return placed
}

// remote is a wheel in a program.
type remote struct {
	c *Command
	p *process
}

// placed is a remote that shows its places.
type placed struct {
	*remote
	layout []Level
}

// ask sends a request and returns the answer. It panics with a wrong if there is none.
func (w *remote) ask(request string) []byte {
	_, err := io.WriteString(w.p.in, request+"\n")
	var answer []byte
	if err == nil {
		answer, err = w.p.readLine()
	}
	if err == nil {
		return answer
	}
	panic(wrong{Crashed, w.c.ended(w.p, err).Error()})
}

var errLong = fmt.Errorf("the answer has more than %d bytes", AnswerMax)

// readLine returns the next line, without its end.
func (p *process) readLine() ([]byte, error) {
	var line []byte
	for {
		part, err := p.out.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > AnswerMax {
			return nil, errLong
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimSpace(line), err
		}
	}
}

// bad panics because answer is not what was expected.
func (w *remote) bad(answer []byte, expected string) {
	panic(wrong{Crashed, fmt.Sprintf("the answer is %.60q; expected %s", answer, expected)})
}

func (w *remote) yes(request string) (yes bool) {
	if answer := w.ask(request); json.Unmarshal(answer, &yes) != nil || string(answer) == "null" {
		w.bad(answer, "true or false")
	}
	return yes
}

// Schedule implements Wheel.
func (w *remote) Schedule(key, due int64) bool {
	return w.yes(fmt.Sprintf(`{"do":"schedule","key":%d,"due":%d}`, key, due))
}

// Cancel implements Wheel.
func (w *remote) Cancel(key int64) bool {
	return w.yes(fmt.Sprintf(`{"do":"cancel","key":%d}`, key))
}

// Advance implements Wheel.
func (w *remote) Advance(to int64) []int64 {
	answer := w.ask(fmt.Sprintf(`{"do":"advance","to":%d}`, to))
	keys := []int64{}
	if json.Unmarshal(answer, &keys) != nil || keys == nil {
		w.bad(answer, "the keys that fired, such as [1,2]")
	}
	return keys
}

// Cost implements Coster.
func (w *remote) Cost() int64 {
	answer := w.ask(`{"do":"cost"}`)
	n := int64(-1)
	if string(answer) != "null" && json.Unmarshal(answer, &n) != nil {
		w.bad(answer, "a number of units, or null")
	}
	return n
}

// Place implements Placer.
func (w *placed) Place(key int64) Place {
	answer := w.ask(fmt.Sprintf(`{"do":"place","key":%d}`, key))
	var p []int64
	if json.Unmarshal(answer, &p) != nil || len(p) != 3 {
		w.bad(answer, "a place such as [0,7,1]: level, slot, rounds")
	}
	return Place{int(p[0]), int(p[1]), p[2]}
}

// Layout implements Placer.
func (w *placed) Layout() []Level { return w.layout }

// lastWords keeps the end of what is written to it.
type lastWords struct {
	mu   sync.Mutex
	text []byte
}

func (l *lastWords) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = append(l.text, p...)
	l.text = l.text[max(0, len(l.text)-lastWordsMax):]
	return len(p), nil
}

// last returns the last line that is not empty, with a question mark for each character that cannot be printed.
func (l *lastWords) last() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(string(l.text)), "\n")
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, strings.TrimPrefix(strings.TrimSpace(lines[len(lines)-1]), "wheelscope: "))
}
