package lab_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/cli/clitest"
	"github.com/wheelscope/wheelscope/sim/program"
)

// oneTooMany counts a round too many for a timer whose slot is the hand's.
const oneTooMany = `function create(start, params) {
  const n = params.slots, slots = Array.from({length: n}, () => []);
  let now = start;
  return {
    schedule(key, due) { slots[due % n].push({key, rounds: Math.floor((due - now) / n)}); return true; },
    cancel(key) {
      for (const slot of slots) {
        const at = slot.findIndex((timer) => timer.key === key);
        if (at >= 0) return slot.splice(at, 1).length === 1;
      }
      return false;
    },
    advance(to) {
      const fired = [];
      while (now < to) {
        const slot = ++now % n;
        fired.push(...slots[slot].filter((timer) => timer.rounds === 0).map((timer) => timer.key));
        slots[slot] = slots[slot].filter((timer) => timer.rounds-- > 0);
      }
      return fired;
    },
  };
}
`

func tryCommand(t *testing.T, source string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "wheel.js"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	c := clitest.Program(t, append([]string{"try"}, args...)...)
	c.Dir = dir
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	c.Run()
	return c.ProcessState.ExitCode(), out.String(), errs.String()
}

func TestTry(t *testing.T) {
	code, out, errs := tryCommand(t, oneTooMany, "wheel.js", "--runs", "2", "-o", "first.html")
	_, after, found := strings.Cut(out, "\nlate: after advance(8), timer 1 (due 8) has not fired; it was scheduled at 0, and fires at 16, 8 ticks late\n  create(0)\n  schedule(1, 8)\n  advance(8)\n\nas a scenario: ")
	if code != 1 || errs != "" || !found || !strings.Contains(out, "score: 0 of 100\n") || !strings.Contains(after, "http://127.0.0.1:8080/?t=8#share=1&run=") {
		t.Errorf("%d %q\n%s", code, errs, out)
	}
	scenario, _, _ := strings.Cut(after, "\n")
	if p, err := program.Load([]byte(scenario)); err != nil || p.Until != 24 || len(p.Ops) != 1 || p.Scenario.Lanes[1].Algorithm != "own" {
		t.Errorf("%s: %v", scenario, err)
	}
	again, outAgain, _ := tryCommand(t, oneTooMany, "wheel.js", "--runs", "2")
	if again != 1 || outAgain != out {
		t.Errorf("the second trial printed\n%s\nthe first\n%s", outAgain, out)
	}
	if code, out, errs = tryCommand(t, strings.Replace(oneTooMany, "(due - now)", "(due - now - 1)", 1), "wheel.js", "--runs", "2"); code != 0 || errs != "" || !strings.Contains(out, "score: 100 of 100") {
		t.Errorf("%d %q\n%s", code, errs, out)
	}
}

func TestTryFormats(t *testing.T) {
	if code, out, _ := tryCommand(t, oneTooMany, "wheel.js", "--runs", "1", "--format", "junit"); code != 1 || !strings.Contains(out, `<testsuite name="wheelscope try" tests="7" failures="7">`) {
		t.Errorf("%d %s", code, out)
	}
	if code, out, _ := tryCommand(t, oneTooMany, "wheel.js", "--runs", "1", "--format", "json"); code != 1 || !strings.Contains(out, `"kind": "late"`) {
		t.Errorf("%d %s", code, out)
	}
}

func TestTryMistakes(t *testing.T) {
	for _, c := range []struct{ source, args, want string }{
		{oneTooMany, "", "try needs one FILE.js, or -- COMMAND, 0 arguments given"},
		{oneTooMany, "wheel.js -- cat", "try needs FILE.js, or -- COMMAND; both were given"},
		{oneTooMany, "--", "-- needs a COMMAND"},
		{oneTooMany, "wheel.js --slots 1", "--slots: 1 is not 2 to 4096"},
		{oneTooMany, "wheel.js --format tap", `--format: "tap" is not one of text, json, junit`},
		{oneTooMany, "wheel.js --cases none.json", `"none.json" is neither a file`},
		{oneTooMany, "none.js", `"none.js" is neither a file`},
		{strings.Repeat(" ", 40_000), "wheel.js", "wheel.js: "},
		{oneTooMany, "-- no-such-program", `"no-such-program": executable file not found`},
	} {
		code, out, errs := tryCommand(t, c.source, strings.Fields(c.args)...)
		if code != 2 || out != "" || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, c.want) {
			t.Errorf("%s: %d %q %q, want %q", c.args, code, out, errs, c.want)
		}
	}
	if code, out, _ := tryCommand(t, "let a = ;", "wheel.js"); code != 1 || !strings.Contains(out, "create(0): SyntaxError: wheel.js: Line 1:9 Unexpected token ;") {
		t.Errorf("%d %s", code, out)
	}
	if code, out, _ := tryCommand(t, "while (true);", "wheel.js"); code != 1 || !strings.Contains(out, "no answer after 1s") {
		t.Errorf("%d %s", code, out)
	}
}
