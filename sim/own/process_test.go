package own

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// fence matches a program in docs/own-wheel.md.
var fence = regexp.MustCompile("(?s)```([a-z]+)\n(.*?)```")

// The programs in docs/own-wheel.md are right wheels of at most 60 lines.
func TestDocumentedPrograms(t *testing.T) {
	doc, err := os.ReadFile("../../docs/own-wheel.md")
	if err != nil {
		t.Fatal(err)
	}
	languages := map[string]struct {
		file, tool string
		build, run []string
	}{
		"python": {"wheel.py", "python3", nil, []string{"python3", "wheel.py"}},
		"c":      {"wheel.c", "cc", []string{"cc", "-O1", "-o", "wheel", "wheel.c"}, []string{"./wheel"}},
		"java":   {"Wheel.java", "javac", []string{"javac", "Wheel.java"}, []string{"java", "-Xshare:auto", "-cp", ".", "Wheel"}},
		"rust":   {"wheel.rs", "rustc", []string{"rustc", "-O", "wheel.rs"}, []string{"./wheel"}},
		"go":     {"wheel.go", "go", []string{"go", "build", "wheel.go"}, []string{"./wheel"}},
	}
	found := 0
	for _, m := range fence.FindAllStringSubmatch(string(doc), -1) {
		l, ok := languages[m[1]]
		if !ok {
			continue
		}
		found++
		t.Run(m[1], func(t *testing.T) {
			if n := strings.Count(m[2], "\n"); n > 60 {
				t.Errorf("%d lines", n)
			}
			if _, err := exec.LookPath(l.tool); err != nil && (m[1] == "java" || m[1] == "rust") {
				t.Skipf("%s is not installed", l.tool) // scripts/needs installs what the others need
			}
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, l.file), []byte(m[2]), 0o600); err != nil {
				t.Fatal(err)
			}
			if l.build != nil {
				c := exec.Command(l.build[0], l.build[1:]...)
				c.Dir = dir
				if out, err := c.CombinedOutput(); err != nil {
					t.Fatalf("%v: %s", err, out)
				}
			}
			t.Chdir(dir)
			c, err := NewCommand(l.run...)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Kill()
			r, err := (&Exam{Options: Options{Runs: 10}}).Try(context.Background(), c.New, c.Kill)
			if err != nil {
				t.Fatal(err)
			}
			if g := r.First(); g != nil {
				t.Error(g)
			}
		})
	}
	if found != len(languages) {
		t.Errorf("%d programs, want %d", found, len(languages))
	}
}

// A program that does not follow the protocol gives one fault, and is ended.
func TestBrokenPrograms(t *testing.T) {
	for _, c := range []struct {
		script, want string
		kind         Kind
	}{
		{"exit 3", "create(0): the program has ended", Crashed},
		{"echo 'no such thing' >&2; exit 3", "create(0): the program has ended: no such thing", Crashed},
		{"read l; echo 7", `create(0): the answer is "7"; expected true, or a layout such as [[8,1],[8,8]]`, Crashed},
		{"read l; echo true; read l; echo yes", `schedule(1, 1): the answer is "yes"; expected true or false`, Crashed},
		{"read l; echo true; read l; echo true; read l; echo null", `advance(2): the answer is "null"; expected the keys that fired, such as [1,2]`, Crashed},
		{"read l; echo true; head -c 2000000 /dev/zero", "schedule(1, 1): the answer has more than 1048576 bytes", Crashed},
		{"read l; echo true; sleep 60", "schedule(1, 1) has not returned after 1s", Slow},
		{"read l; echo true; sleep 60 & wait", "schedule(1, 1) has not returned after 1s", Slow},
	} {
		began := time.Now()
		p, err := NewCommand("sh", "-c", c.script)
		if err != nil {
			t.Fatal(err)
		}
		f := run(p.New, Options{}.withDefaults(), &Case{Ops: []Op{{Do: "schedule", Key: 1, Due: 1}, {Do: "advance", To: 2}}}, p.Kill)
		p.Kill()
		if f == nil || f.Kind != c.kind || f.Text != c.want {
			t.Errorf("%s: %+v, want %s: %s", c.script, f, c.kind, c.want)
		}
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("%s: took %v", c.script, took)
		}
	}
	if _, err := NewCommand("no-such-program-here"); err == nil {
		t.Error("a program that does not exist was started")
	}
}
