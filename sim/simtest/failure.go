package simtest

import (
	"context"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/player"
	"github.com/wheelscope/wheelscope/internal/whole"
	"github.com/wheelscope/wheelscope/sim"
)

// show writes a run as a page that opens at the first event that differs from the golden
// file, and tells where it is: a line for the test's failure.
func show(t testing.TB, p *sim.Program, d *sim.Diff, golden string) string {
	name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(golden), ".gz"), ".jsonl") + ".html"
	path := filepath.Join(folder(t), name)
	if err := writePage(p, d, path); err != nil {
		return fmt.Sprintf("\n  (the run can't be shown as a page: %v)", err)
	}
	return "\n  to see the run at that event, open " + path
}

// folder is where pages are kept: the test's artifacts under `go test -artifacts`. Else a
// folder of the user's own beside all temporary files, since a test's own goes with the
// test; a page takes the place of the one before, so that they don't gather.
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
	return filepath.Join(os.TempDir(), fmt.Sprintf("wheelscope-%d", os.Getuid()), cut(test, folderMax)+"-"+mark(t.Name()))
}

// folderMax bounds what of a test's name stands in a folder's: a file system takes 255
// bytes, of which the mark has some.
const folderMax = 200

// mark tells tests of one name in different packages apart, and names that were cut. Each
// package's tests run in its own folder.
func mark(test string) string {
	dir, _ := os.Getwd()
	h := fnv.New32a()
	io.WriteString(h, dir+"\n"+test)
	return fmt.Sprintf("%08x", h.Sum32())
}

// cut is the beginning of a name, at most n bytes of it.
func cut(name string, n int) string {
	return strings.ToValidUTF8(name[:min(len(name), n)], "")
}

// writePage writes a run's page, whole or not at all.
func writePage(p *sim.Program, d *sim.Diff, path string) error {
	store := sim.NewStore(sim.StoreOptions{})
	defer store.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	run, err := store.Open(ctx, p)
	if err != nil {
		return err
	}
	store.Look(ctx, run)
	last, err := run.EndSeq(ctx)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return whole.Write(path, 0o600, func(w io.Writer) error { return writeRun(ctx, w, run, d, last) })
}

// writeRun writes the page as it opens: after the event on the line that differs; the
// header is line 1, so that event is the line's number less one.
func writeRun(ctx context.Context, w io.Writer, run *sim.Run, d *sim.Diff, last int64) error {
	got, want := d.Shown()
	note := &player.Note{
		What: map[string]string{
			"en": fmt.Sprintf("The golden file and this run part on line %d.", d.Line),
			"zh": fmt.Sprintf("标准文件与本次运行从第 %d 行起不同。", d.Line),
		},
		File: got, Run: want,
	}
	return player.Write(ctx, w, run, player.Options{Open: min(int64(d.Line)-1, last), Note: note})
}
