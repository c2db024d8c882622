package simtest

import (
	"context"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/atomicfile"
	"github.com/wheelscope/wheelscope/internal/player"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/tracefile"
	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/wheel"
)

// show writes an HTML page that shows the run of p and opens at the difference d. The name of the page is derived from
// golden, the name of the golden file. show returns a line with the path of the page, for the failure message. If the
// page cannot be written, the line contains the error.
func show(t testing.TB, p *program.Program, d *tracefile.Diff, golden string) string {
	name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(golden), ".gz"), ".jsonl") + ".html"
	path := filepath.Join(folder(t), name)
	if err := writePage(p, d, path); err != nil {
		return fmt.Sprintf("\n  (the run can't be shown as a page: %v)", err)
	}
	return "\n  to see the run at that event, open " + path
}

// folder returns the directory to which the page of a failed test is written. With "go test -artifacts", it is
// the test's artifact directory. Otherwise it is a directory below os.TempDir, because t.TempDir is removed when
// the test ends. A later page of the same test replaces the earlier one.
func folder(t testing.TB) string {
	if f := flag.Lookup("test.artifacts"); f != nil && f.Value.String() == "true" {
		return t.ArtifactDir()
	}
	test := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>| `, r) {
			return '-'
		}
		return r
	}, t.Name())
	return filepath.Join(os.TempDir(), fmt.Sprintf("wheelscope-%d", os.Getuid()), cut(test, folderMax)+"-"+testHash(t.Name()))
}

// folderMax is the maximum number of bytes of a test's name that folder uses in the name of a directory.
// With the result of testHash, the name of the directory is shorter than 255 bytes, the limit of most file systems.
const folderMax = 200

// testHash returns a hash of the name of a test and of its package's directory. It distinguishes tests whose
// names are equal when shortened, and tests with the same name in different packages.
func testHash(test string) string {
	dir, _ := os.Getwd()
	h := fnv.New32a()
	io.WriteString(h, dir+"\n"+test)
	return fmt.Sprintf("%08x", h.Sum32())
}

// cut returns the first n bytes of name, or slightly fewer if the last character would be incomplete. If
// name has at most n bytes, cut returns all of it.
func cut(name string, n int) string {
	return strings.ToValidUTF8(name[:min(len(name), n)], "")
}

// writePage atomically writes to path an HTML page that shows the run of p and opens at the difference d.
func writePage(p *program.Program, d *tracefile.Diff, path string) error {
	store := sim.NewStore(sim.StoreOptions{})
	defer store.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	run, err := store.Open(ctx, p)
	if err != nil {
		return err
	}
	store.Retain(ctx, run)
	last, err := run.EndSeq(ctx)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return atomicfile.Write(path, 0o600, func(w io.Writer) error { return writeRun(ctx, w, run, d, last) })
}

// eventOf returns the sequence number of the event at which the page of a failed test opens, or 0 for the state
// before the first event. last is the number of the last event of the run.
//
// If d is a difference between event lines, the page opens at the event in that line; the number of the event
// is the line number minus one. If d is a difference between header lines, it opens at the first event of the
// first operation that differs, or at the last event if the run does not have that operation. If all
// operations are equal, it opens before the first event.
func eventOf(p *program.Program, d *tracefile.Diff, last int64) (int64, error) {
	if d.Line > 1 {
		return min(d.Line-1, last), nil
	}
	file, ops := operationsOf(d.Got), operationsOf(d.Want)
	i := firstDifferent(file, ops)
	switch {
	case i == len(ops) && i == len(file):
		return 0, nil // the difference is not in the operations
	case i == len(ops):
		return last, nil
	}
	at := sort.Search(len(p.Ops), func(k int) bool { return p.Ops[k].At >= ops[i].At })
	for k := range i { // operations of one tick are in file order
		if ops[k].At == ops[i].At {
			at++
		}
	}
	return eventOfOperation(p, &p.Ops[at], last)
}

// eventOfOperation returns the sequence number of the first event of op. If op has no event, as is the case
// for a stall, it returns the number of the last event up to the end of tick op.At. last is the number of the
// last event of the run.
func eventOfOperation(p *program.Program, op *program.Planned, last int64) (int64, error) {
	e, err := engine.NewEngine(p)
	if err != nil {
		return 0, err
	}
	var seq int64
	var recs []engine.Record
	for t, ok := e.Next(); ok && t <= op.At; t, ok = e.Next() {
		recs = e.Tick(t, recs[:0])
		for k := range recs {
			r := &recs[k]
			found := r.Kind == wheel.KindSchedule && r.ID == op.ID && r.Run <= 1
			if op.ID == 0 {
				found = r.ID == op.Target && (r.Kind == wheel.KindCancel || r.Kind == wheel.KindMark || r.Kind == wheel.KindMiss)
			}
			if t == op.At && r.ID != 0 && found {
				return seq + int64(k) + 1, nil
			}
		}
		seq += int64(len(recs))
	}
	return min(seq, last), e.Err()
}

// writeRun writes to w an HTML page that shows run. The page opens at the event of the difference d.
// last is the sequence number of the run's last event.
func writeRun(ctx context.Context, w io.Writer, run *sim.Run, d *tracefile.Diff, last int64) error {
	got, want := d.Shown()
	open, err := eventOf(run.Program(), d, last)
	if err != nil {
		return err
	}
	note := &player.Note{
		What: static.InEach(texts.Of("recording.differs", "line", d.Line)),
		File: got, Run: want,
	}
	return player.Write(ctx, w, run, player.Options{Open: open, Note: note})
}
