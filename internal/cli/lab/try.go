package lab

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wheelscope/wheelscope/internal/cli/console"
	"github.com/wheelscope/wheelscope/internal/cli/input"
	"github.com/wheelscope/wheelscope/internal/player"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/own"
	"github.com/wheelscope/wheelscope/sim/own/script"
	"github.com/wheelscope/wheelscope/sim/program"
)

// tryFormats are the values that the --format flag of the try command accepts.
var tryFormats = []string{"text", "json", "junit"}

// tryFlags holds the flags of the try command.
type tryFlags struct {
	own.Options
	cases, format, out string
}

func newTry(s *console.Streams) *cobra.Command {
	var f tryFlags
	c := &cobra.Command{
		Use:   "try FILE.js | try -- COMMAND [ARGUMENT...]",
		Short: "Judge a timing wheel that you have written",
		Long: `Try drives a wheel through hand-made cases (boundaries of slots, levels and revolutions, equal due
ticks, cancel, reset, keys used again, jumps of the clock) and seeded random workloads, and compares
every answer with an oracle. The first wrong answer is shrunk to a minimal case.

The wheel is JavaScript with a function create(start, params), or a program that reads requests
from its standard input and writes an answer to each, one a line (docs/own-wheel.md has both, and
examples in five languages).

A wheel is exact: a timer fires at its due tick. --allow-late and --allow-early are for wheels that
round. A wheel accepts every delay, or with --range every delay up to it.

With --cases the parts, their weights, seeds and budgets of cost come from a file, for a course.
The score is the weight of the parts without a fault, of 100.

  exit 0   no fault
  exit 1   a fault
  exit 2   the wheel cannot be started, or an argument is invalid`,
		Example: `  wheelscope try wheel.js
  wheelscope try --range 7 --slots 8 -- python3 wheel.py
  wheelscope try wheel.js --cases exam.json --format junit -o result.xml`,
		RunE: func(c *cobra.Command, args []string) error { return try(c, s, args, &f) },
	}
	c.Flags().IntVar(&f.Slots, "slots", 8, "slots of each level, given to the wheel")
	c.Flags().IntVar(&f.Levels, "levels", 3, "levels, given to the wheel")
	c.Flags().Int64Var(&f.Range, "range", 0, "the longest delay that the wheel must accept, in ticks; 0: every delay")
	c.Flags().Int64Var(&f.Late, "allow-late", 0, "how many ticks late a timer may fire")
	c.Flags().Int64Var(&f.Early, "allow-early", 0, "how many ticks early a timer may fire")
	c.Flags().Uint64Var(&f.Seed, "seed", 0, "seed of the random workloads")
	c.Flags().IntVar(&f.Runs, "runs", 200, "number of random workloads")
	c.Flags().StringVar(&f.cases, "cases", "", "`FILE` with the parts of the exam and their weights")
	c.Flags().StringVar(&f.format, "format", "text", "`FORMAT` of the result: "+strings.Join(tryFormats, ", "))
	s.JSONFlag(c, "the result")
	c.MarkFlagsMutuallyExclusive("json", "format")
	c.Flags().StringVarP(&f.out, "output", "o", "", "write the result to `FILE`; a name that ends in .html: a page that stands at the first fault")
	_ = c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(tryFormats, cobra.ShellCompDirectiveNoFileComp))
	return c
}

func readSource(ctx context.Context, name string, stdin io.Reader) ([]byte, error) {
	in, done, err := input.Open(ctx, name, stdin)
	if err != nil {
		return nil, err
	}
	defer done()
	return input.ReadBounded(in, name, script.SourceMax)
}

// check returns the command of the wheel that args name, or its source.
func (f *tryFlags) check(c *cobra.Command, args []string) (command []string, t *own.Trial, err error) {
	if !slices.Contains(tryFormats, f.format) {
		return nil, nil, fmt.Errorf("--format: %q is not one of %s", f.format, strings.Join(tryFormats, ", "))
	}
	switch dash := c.ArgsLenAtDash(); {
	case dash == 0 && len(args) > 0:
		return args, nil, nil
	case dash == 0:
		return nil, nil, errors.New("-- needs a COMMAND")
	case dash > 0:
		return nil, nil, fmt.Errorf("try needs FILE.js, or -- COMMAND; both were given")
	case len(args) != 1:
		return nil, nil, fmt.Errorf("try needs one FILE.js, or -- COMMAND, %d arguments given (see %s --help)", len(args), c.CommandPath())
	}
	source, err := readSource(c.Context(), args[0], nil)
	return nil, &own.Trial{Name: filepath.Base(args[0]), Source: string(source)}, err
}

// exam returns what the wheel is tried with.
func (f *tryFlags) exam(ctx context.Context, stdin io.Reader) (*own.Exam, error) {
	if f.cases == "" {
		e := &own.Exam{Options: f.Options}
		if err := e.Check(); err != nil {
			return nil, fmt.Errorf("--%w", err)
		}
		return e, nil
	}
	in, done, err := input.Open(ctx, f.cases, stdin)
	if err != nil {
		return nil, err
	}
	defer done()
	e, err := own.ReadExam(in, f.Options)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", input.Name(f.cases), err)
	}
	return e, nil
}

// try judges the wheel that args name and prints the result.
func try(c *cobra.Command, s *console.Streams, args []string, f *tryFlags) error {
	ctx := c.Context()
	if s.JSON {
		f.format = "json"
	}
	args, trial, err := f.check(c, args)
	if err != nil {
		return err
	}
	e, err := f.exam(ctx, s.In)
	if err != nil {
		return err
	}
	result, err := judge(ctx, e, args, trial)
	if err != nil {
		return err
	}
	if err := f.write(ctx, s, result, trial); err != nil {
		return err
	}
	if result.First() != nil {
		return console.ErrDiffers
	}
	return nil
}

// judge judges the wheel of a command or, if t is not nil, of a source.
func judge(ctx context.Context, e *own.Exam, command []string, t *own.Trial) (*own.Result, error) {
	if t != nil {
		t.Exam = *e
		return JudgeScript(ctx, t)
	}
	wheel, err := own.NewCommand(command...)
	if err != nil {
		return nil, err
	}
	defer wheel.Kill()
	defer context.AfterFunc(ctx, wheel.Kill)()
	return e.Try(ctx, wheel.New, wheel.Kill)
}

// write prints the result, and writes the page if there is one to write.
func (f *tryFlags) write(ctx context.Context, s *console.Streams, r *own.Result, t *own.Trial) error {
	r.Say(nil)
	out := f.out
	if strings.HasSuffix(strings.ToLower(out), ".html") {
		out = ""
		if g := r.First(); g != nil {
			p, err := program.Load(g.Scenario(laneBeside(g, t)))
			if err != nil {
				return err
			}
			write := func(w io.Writer) error {
				return withRun(ctx, p, func(run *sim.Run) error {
					seq, err := run.SeqAt(ctx, g.Tick())
					if err != nil {
						return err
					}
					return player.Write(ctx, w, run, player.Options{Open: seq})
				})
			}
			if err := s.WriteOutput(ctx, f.out, write); err != nil {
				return err
			}
		}
	}
	return s.WriteOutput(ctx, out, func(w io.Writer) error {
		switch f.format {
		case "json":
			return console.WriteJSON(w, r)
		case "junit":
			return writeJUnit(w, r)
		}
		return writeTried(w, r, t)
	})
}

// laneBeside returns the lane that is shown beside the oracle in the case of g: that of the source or, if it is not JavaScript or does
// not run to the end, a hierarchical wheel.
func laneBeside(g *own.GroupResult, t *own.Trial) any {
	if t == nil || g.Fault.Kind == own.Crashed || g.Fault.Kind == own.Slow {
		return map[string]any{"algorithm": "hierarchical", "slots": 8, "levels": 4}
	}
	return t.Lane()
}

// caseLink returns the query and the fragment of a link that opens the scenario of g, as static/js/core/fragment.js reads it.
func caseLink(g *own.GroupResult, scenario []byte) (string, error) {
	p, err := program.Load(scenario)
	if err != nil {
		return "", err
	}
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	if err == nil {
		w.Write(scenario)
		err = w.Close()
	}
	return fmt.Sprintf("/?t=%d#share=1&run=%s&s=%s&end", g.Tick(), p.Digest()[:16], base64.RawURLEncoding.EncodeToString(packed.Bytes())), err
}

// writeTried writes r as text.
func writeTried(w io.Writer, r *own.Result, t *own.Trial) error {
	var b strings.Builder
	for i := range r.Groups {
		g := &r.Groups[i]
		what := "right"
		switch {
		case g.Fault != nil:
			what = string(g.Fault.Kind)
		case g.Cases == 0:
			what = "not tried"
		}
		fmt.Fprintf(&b, "%-18s %5d cases  %s\n", console.OneLine(g.Name), g.Cases, what)
	}
	fmt.Fprintf(&b, "score: %d of 100\n", r.Score)
	if g := r.First(); g != nil {
		fmt.Fprintf(&b, "\n%s\n", g)
		if len(g.Shrunk.Ops) > 0 {
			scenario := g.Scenario(laneBeside(g, t))
			link, err := caseLink(g, scenario)
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, "\nas a scenario: %s\nas a link of wheelscope serve: http://127.0.0.1:8080%s\n", scenario, link)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeJUnit writes r in the XML format of JUnit.
func writeJUnit(w io.Writer, r *own.Result) error {
	type failure struct {
		Type    string `xml:"type,attr"`
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
	type testCase struct {
		Name    string   `xml:"name,attr"`
		Failure *failure `xml:"failure"`
		Skipped *string  `xml:"skipped"`
	}
	suite := struct {
		XMLName  xml.Name   `xml:"testsuite"`
		Name     string     `xml:"name,attr"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Cases    []testCase `xml:"testcase"`
	}{Name: "wheelscope try", Tests: len(r.Groups)}
	for i := range r.Groups {
		g := &r.Groups[i]
		c := testCase{Name: g.Name}
		if g.Cases == 0 {
			c.Skipped = new(string)
		}
		if g.Fault != nil {
			suite.Failures++
			c.Failure = &failure{string(g.Fault.Kind), g.Fault.Text, g.String()}
		}
		suite.Cases = append(suite.Cases, c)
	}
	data, err := xml.MarshalIndent(suite, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, data)
	return err
}
