package importer

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/soaktest"
)

// The functions that examine texts agree with regular expressions on random texts. They are written without
// them since package regexp would be a twentieth of the engine of the static site.
func TestTextsAreExaminedAsByExpressions(t *testing.T) {
	var (
		event   = regexp.MustCompile(`(^|[\s:])timer_(init|start|cancel|expire_entry|expire_exit):`)
		trace   = regexp.MustCompile(`^(# tracer:|cpus=\d+\s)|(^|[\s:])(hr|i)?timer_(init|setup|start|state|cancel|expire|expire_entry|expire_exit|base_idle):|\stick_stop:`)
		task    = regexp.MustCompile(`^<(idle|\.\.\.)>-\d+\s`)
		names   = regexp.MustCompile(`"(lanes|workload)"\s*:`)
		number  = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?$`)
		lost    = regexp.MustCompile(`\[(?:LOST (\d+) EVENTS|(\d+) EVENTS DROPPED)\]`)
		matched = map[string]int{}
	)
	parts := []string{"timer_", "timer_start:", " timer_cancel:", "<idle>-0 ", "[LOST 5 EVENTS]", "[7 EVENTS DROPPED]", "start", "init", "expire", "_entry", "base_idle", ":", ":", " ", "\t", "\n", "hr", "i", "x", "tick_stop:", "# tracer:", "cpus=",
		"<idle>-", "<...>-", "1", "23", ".", `"lanes"`, `"workload"`, "[", "]", "[LOST ", " EVENTS", " EVENTS]", " EVENTS DROPPED]", "=", ""}
	draw := rand.New(rand.NewPCG(1, 2))
	for range soaktest.Pick(10_000, 60_000) {
		var b strings.Builder
		for range 1 + draw.IntN(6) {
			b.WriteString(parts[draw.IntN(len(parts))])
		}
		text := b.String()
		check := func(what string, got, want any) {
			if got != want {
				t.Fatalf("%s of %q: %v, want %v", what, text, got, want)
			}
			if want != false && want != "[]" && want != int64(0) {
				matched[what]++
			}
		}
		at, found := timerEvent([]byte(text), kernelEvents, "")
		where := "[]"
		if found {
			where = fmt.Sprint(at)
		}
		check("event", where, fmt.Sprint(event.FindStringIndex(text)))
		check("trace", kernelText([]byte(text)), trace.MatchString(text))
		check("task", kernelTask([]byte(text)), task.MatchString(text))
		check("names", scenarioNames([]byte(text)), names.MatchString(text))
		check("number", decimal(text), number.MatchString(text))
		var n int64
		if m := lost.FindStringSubmatch(text); m != nil {
			n, _ = strconv.ParseInt(m[1]+m[2], 10, 64)
		}
		check("lost", lostEvents([]byte(text)), n)
	}
	for _, what := range []string{"event", "trace", "task", "names", "number", "lost"} {
		if matched[what] < 50 {
			t.Errorf("%s: only %d texts match", what, matched[what])
		}
	}
}
