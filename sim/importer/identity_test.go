package importer

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/player"
	"github.com/wheelscope/wheelscope/internal/testkit"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/export"
	"github.com/wheelscope/wheelscope/sim/internal/plantest"
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/tracefile"
)

// form is a file format that holds a complete run.
type form struct {
	kind  Kind
	write func(t testing.TB, w io.Writer, p *program.Program)
}

func writeTrace(t testing.TB, w io.Writer, p *program.Program) {
	t.Helper()
	if _, err := tracefile.Write(t.Context(), w, p, tracefile.Options{}); err != nil {
		t.Error(err)
	}
}

// packer is reused: it is large, and the tests write one file at a time.
var packer = gzip.NewWriter(io.Discard)

func writePacked(t testing.TB, w io.Writer, p *program.Program) {
	t.Helper()
	z := packer
	z.Reset(w)
	writeTrace(t, z, p)
	if err := z.Close(); err != nil {
		t.Error(err)
	}
}

// writePlayer writes HTML like a player's: the trace packed, in base64.
func writePlayer(t testing.TB, w io.Writer, p *program.Program) {
	t.Helper()
	var packed bytes.Buffer
	writePacked(t, &packed, p)
	fmt.Fprintf(w, "<!DOCTYPE html>\n<html><head><script>if (1 < 2) { /* <script */ }</script>\n<script id=\"trace\" %s>\n%s</script></html>\n",
		PlayerMark, base64.StdEncoding.EncodeToString(packed.Bytes()))
}

func writePerfetto(t testing.TB, w io.Writer, p *program.Program) {
	t.Helper()
	if err := export.Write(t.Context(), w, p, "perfetto", export.Options{}); err != nil {
		t.Error(err)
	}
}

var forms = []form{{KindTrace, writeTrace}, {KindTrace, writePacked}, {KindPlayer, writePlayer}, {KindPerfetto, writePerfetto}}

func bytesOf(t *testing.T, f form, p *program.Program) []byte {
	t.Helper()
	var b bytes.Buffer
	f.write(t, &b, p)
	return b.Bytes()
}

// holdIdentity exports a program in every form, imports the files and exports the programs again.
func holdIdentity(t *testing.T, p *program.Program) {
	t.Helper()
	var events int64 // as in the trace, the first form
	for _, f := range forms {
		first := bytesOf(t, f, p)
		res, err := Read(t.Context(), bytes.NewReader(first), Options{Name: "x"})
		if err == nil && f.kind == KindTrace {
			events = res.Events
		}
		if err != nil || res.Kind != f.kind || res.Events == 0 || res.Events != events {
			t.Fatalf("%s of %s: %v, %+v", f.kind, p.Scenario.AppendJSON(nil), err, res)
		}
		if again := bytesOf(t, f, res.Program); !bytes.Equal(first, again) {
			t.Fatalf("%s of %s is another after it was imported", f.kind, p.Scenario.AppendJSON(nil))
		}
	}
}

// A Perfetto file that ends within a line is reported as cut, even if only its last newline is
// missing. After a complete line the next one is reported as missing.
func TestPerfettoCutShort(t *testing.T) {
	data, _ := library.Builtin("three-slots")
	p, err := program.Load(data)
	if err != nil {
		t.Fatal(err)
	}
	whole := bytesOf(t, form{KindPerfetto, writePerfetto}, p)
	last := bytes.Count(whole, []byte("\n")) // the line "]}"
	within := fmt.Sprintf("line %d: cut short: it does not end in a newline", last)
	for cut, want := range map[int]string{1: within, 2: within, 3: fmt.Sprintf("line %d: the lines differ from byte 1 on", last)} {
		_, err := Read(t.Context(), bytes.NewReader(whole[:len(whole)-cut]), Options{})
		if err == nil || err.Error() != want {
			t.Errorf("without its last %d bytes: %v, want %s", cut, err, want)
		}
	}
}

// The output of package player can be read. writePlayer imitates it and is faster.
func TestPlayerComesBack(t *testing.T) {
	data, _ := library.Builtin("three-slots")
	p, err := program.Load(data)
	if err != nil {
		t.Fatal(err)
	}
	store := sim.NewStore(sim.StoreOptions{})
	defer store.Close()
	run, err := store.Open(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := player.Write(t.Context(), &b, run, player.Options{}); err != nil {
		t.Fatal(err)
	}
	res, err := Read(t.Context(), &b, Options{})
	if err != nil || res.Kind != KindPlayer || res.Events == 0 || res.Program.Digest() != p.Digest() {
		t.Errorf("%v, %+v", err, res)
	}
}

// Every built-in scenario is the same after an export and an import in every form. The importer
// compares a file with an export, so a second export is not needed. The short form has fewer timers in the two
// largest scenarios.
func TestBuiltinsRoundTripInEveryForm(t *testing.T) {
	largest := testkit.Pick(2000, 20_000) // timers up to which the other forms are tested, too: packing is slow
	for _, b := range library.Builtins() {
		t.Run(b.Name, func(t *testing.T) {
			p := plantest.Load(t, plantest.Short(b.Data))
			for i, f := range forms {
				if p.Timers() > largest && i > 0 {
					continue
				}
				travel(t, f, p)
			}
		})
	}
}

// travel writes a program to one end of a pipe and reads it from the other.
func travel(t *testing.T, f form, p *program.Program) {
	t.Helper()
	r, w := io.Pipe()
	go func() {
		f.write(t, w, p)
		w.Close()
	}()
	res, err := Read(t.Context(), r, Options{})
	if err != nil || res.Program.Digest() != p.Digest() || res.Kind != f.kind {
		t.Errorf("%s: %v", f.kind, err)
	}
	r.CloseWithError(errors.New("read to its end"))
}

// laneTexts are lanes of many kinds.
var laneTexts = []string{`{"algorithm":"simple","slots":8}`, `{"id":"side","algorithm":"simple","slots":5,"overflow":"list"}`,
	`{"algorithm":"rounds","slots":4,"variant":"naive"}`, `{"algorithm":"hierarchical","slots":3}`, `{"algorithm":"heap","arity":4}`,
	`{"algorithm":"sorted"}`, `{"id":"Ω \"<&>","algorithm":"list"}`, `{"algorithm":"linux"}`, `{"algorithm":"kafka","slots":4}`, `{"algorithm":"tokio"}`}

// randomScenario returns a scenario with several kinds of lanes, operations and a generated
// group. Names contain all characters that JSON must escape.
func randomScenario(rng *rand.Rand) string {
	var lanes, ops []string
	for _, i := range rng.Perm(len(laneTexts))[:1+rng.IntN(3)] {
		lanes = append(lanes, laneTexts[i])
	}
	for range rng.IntN(9) {
		name := []string{"a", "b", "<c>&", `d\"\\`, "定时"}[rng.IntN(5)]
		op := fmt.Sprintf(`{"at":%d,"op":"set","timer":"%s","delay":%d`, rng.IntN(30), name, rng.IntN(40)-3)
		if rng.IntN(4) == 0 {
			op += fmt.Sprintf(`,"every":%d,"times":%d`, 1+rng.IntN(5), 1+rng.IntN(3))
		}
		ops = append(ops, op+"}")
	}
	group := fmt.Sprintf(`{"prefix":"g","seed":%d,"count":%d,"arrivals":{"dist":"uniform","min":0,"max":20},"delay":{"dist":"exponential","mean":9,"max":60},"cancel":{"fraction":0.5,"after":{"dist":"constant","value":2}}}`,
		rng.IntN(99), 1+rng.IntN(12))
	return fmt.Sprintf(`{"wheelscope":1,"name":"</script> %d","start":%d,"until":70,"lanes":[%s],"workload":{"ops":[%s],"generate":[%s]}}`,
		rng.IntN(9), rng.IntN(50), strings.Join(lanes, ","), strings.Join(ops, ","), group)
}

// A thousand random programs are the same after an export and import. The short form has 60.
func TestRandomProgramsRoundTrip(t *testing.T) {
	for seed := range testkit.Pick(uint64(60), 1000) {
		text := randomScenario(rand.New(rand.NewPCG(seed, 5)))
		p, err := program.Load([]byte(text))
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		holdIdentity(t, p)
	}
}

// A single different byte is found anywhere and reported with its line, together with the
// program.
func TestOneByteIsFound(t *testing.T) {
	data, _ := library.Builtin("three-slots")
	p, err := program.Load(data)
	if err != nil {
		t.Fatal(err)
	}
	file := string(bytesOf(t, forms[3], p))
	lines := strings.Split(file, "\n")
	for n := 1; n < len(lines); n++ {
		other := strings.Join(lines[:n], "\n") + "\n" + strings.Replace(lines[n], `"pid":`, `"pid":7`, 1) + "\n" + strings.Join(lines[n+1:], "\n")
		if other == file+"\n" || !strings.Contains(lines[n], `"pid":`) {
			continue
		}
		res, err := Read(t.Context(), strings.NewReader(other), Options{})
		diff, ok := errors.AsType[*tracefile.Diff](err)
		if !ok || diff.Line != int64(n+1) || diff.Want != lines[n] || !strings.HasPrefix(diff.Got, strings.Replace(lines[n], `"pid":`, `"pid":7`, 1)) || res.Program == nil {
			t.Fatalf("line %d: %v, %+v", n+1, err, diff)
		}
	}
	for cut := len(lines[0]) + 1; cut < len(file); cut += 97 {
		if _, err := Read(t.Context(), strings.NewReader(file[:cut]), Options{}); err == nil {
			t.Errorf("cut at byte %d it is taken", cut)
		}
	}
	if _, err := Read(t.Context(), strings.NewReader(file+" "), Options{}); err == nil {
		t.Error("with more text at its end it is taken")
	}
}
