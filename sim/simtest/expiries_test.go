//go:build !race

// Long tests of one goroutine, in which the race detector finds nothing; see the Makefile.

package simtest

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// placed is a scenario with a wheel of one level, whose placement depends on its slots.
func placed(slots string) []byte {
	return []byte(`{"wheelscope":1,"name":"placed","until":20,"lanes":[{"id":"w","algorithm":"rounds","slots":` + slots + `},{"algorithm":"heap"}],
		"workload":{"ops":[{"at":0,"op":"schedule","timer":"a","delay":9},{"at":1,"op":"schedule","timer":"b","delay":3,"every":5,"times":2},
		{"at":2,"op":"schedule","timer":"late","delay":90}]}}`)
}

const placedExpiries = `{"simtest":"expiries","version":1,"scenario":"placed"}
{"tick":4,"lane":"heap","timer":"b","run":1,"late":0}
{"tick":4,"lane":"w","timer":"b","run":1,"late":0}
{"tick":9,"lane":"heap","timer":"a","run":1,"late":0}
{"tick":9,"lane":"heap","timer":"b","run":2,"late":0}
{"tick":9,"lane":"w","timer":"a","run":1,"late":0}
{"tick":9,"lane":"w","timer":"b","run":2,"late":0}
{"expiries":6,"pending":{"w":1,"heap":1}}
`

// The file contains only the expiries, so a different placement of the same timers passes, unlike
// with a golden trace.
func TestGoldenExpiries(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for _, name := range []string{"new/placed.jsonl", "placed.jsonl.gz"} {
		file, trace := filepath.Join(t.TempDir(), name), filepath.Join(t.TempDir(), "trace.jsonl")
		update(t, func() {
			GoldenExpiries(t, placed("4"), file)
			Golden(t, placed("4"), trace)
		})
		if data, err := os.ReadFile(file); err != nil || !strings.HasSuffix(name, ".gz") && string(data) != placedExpiries {
			t.Errorf("%s: %v\n%s", name, err, data)
		}
		for _, slots := range []string{"4", "3", "16"} {
			if got := failureOf(func(tb testing.TB) { GoldenExpiries(tb, placed(slots), file) }); got != "" {
				t.Errorf("%s with %s slots: %s", name, slots, got)
			}
		}
		if got := failureOf(func(tb testing.TB) { Golden(tb, placed("16"), trace) }); got == "" {
			t.Error("the trace is the same with other slots")
		}
	}
}

// A failure shows the line and both versions.
func TestGoldenExpiriesFails(t *testing.T) {
	file := filepath.Join(t.TempDir(), "placed.jsonl")
	for _, c := range []struct{ name, old, new, want string }{
		{"another tick", `"tick":9,"lane":"w","timer":"a"`, `"tick":8,"lane":"w","timer":"a"`, "on line 6\n  file: {\"tick\":8,"},
		{"cut", `{"expiries":6,"pending":{"w":1,"heap":1}}` + "\n", "", "on line 8\n  file: nothing\n  run:  {\"expiries\":6"},
		{"too much", "\n{\"expiries\":6,\"pending\":{\"w\":1,\"heap\":1}}\n", "\n{\"expiries\":6,\"pending\":{\"w\":1,\"heap\":1}}\nmore\n", "on line 9\n  file: more\n  run:  nothing"},
		{"empty", placedExpiries, "", "on line 1\n  file: nothing"},
	} {
		changed := strings.Replace(placedExpiries, c.old, c.new, 1)
		if err := os.WriteFile(file, []byte(changed), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := failureOf(func(tb testing.TB) { GoldenExpiries(tb, placed("4"), file) }); !strings.Contains(got, c.want) {
			t.Errorf("%s: %q does not contain %q", c.name, got, c.want)
		}
	}
	for scenario, want := range map[string]string{"no such thing": "neither a file", "three-slots": "-simtest.update"} {
		if got := failureOf(func(tb testing.TB) { GoldenExpiries(tb, scenario, filepath.Join(t.TempDir(), "none")) }); !strings.Contains(got, want) {
			t.Errorf("%s: %s", scenario, got)
		}
	}
}

// Tests can define a flag named update, besides that of this package.
func TestFlagBesideUpdate(t *testing.T) {
	if flag.Lookup("update") != nil || flag.Lookup("simtest.update") == nil {
		t.Error("the flag of this package is not simtest.update alone")
	}
}
