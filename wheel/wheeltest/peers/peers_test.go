package peers

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/wheel/wheeltest"
)

var (
	table = flag.String("table", "", "write who passes what to this `FILE`")
	one   = flag.String("property", "", "examine this `PROPERTY` only")
	whole = flag.Bool("whole", false, "examine for longer, as the table does")
)

// quick is the time for checking that the adapters work and that known faults are found.
const quick = 200 * time.Millisecond

// Each peer violates at least the properties that it is known to violate. Package time and this
// project's library violate none, except that package time can pause.
func TestExamination(t *testing.T) {
	results := map[string][]wheeltest.Result{}
	for _, p := range All() {
		t.Run(p.Name, func(t *testing.T) {
			o := order{Peer: p.Name, Load: quick, Tries: 40}
			if *whole || *table != "" {
				o.Load, o.Tries = 10*time.Second, 400
			}
			var all []wheeltest.Result
			for _, property := range wheeltest.Properties() {
				if *one != "" && property.Name != *one || o.Load == quick && len(p.Breaks) > 0 && *one == "" && !slices.Contains(p.Breaks, property.Name) {
					continue
				}
				o.Property = property.Name
				all = append(all, examine(t, o))
			}
			results[p.Name] = all
			if *one != "" {
				t.Log(all)
				return
			}
			judge(t, p, all)
		})
	}
	if *table != "" {
		if err := os.WriteFile(*table, []byte(page(results, time.Now())), 0o644); err != nil {
			t.Error(err)
		}
	}
}

func judge(t *testing.T, p Peer, all []wheeltest.Result) {
	for _, r := range all {
		known := slices.Contains(p.Breaks, r.Property)
		switch broken := bad(r); {
		case known && !broken:
			t.Errorf("the known breach of %q is not found: %v", r.Property, r)
		case p.Name == standard.Name && r.Property == "pauses": // depends on the processor that runs its timers
		case broken && (p.Name == standard.Name || p.Name == wheelscope.Name):
			t.Errorf("%q: %v", r.Property, r)
		}
	}
}

// marks are the entries of the table: words, for readers who can't distinguish colours.
var marks = map[wheeltest.Verdict]string{
	wheeltest.Passed: "yes", wheeltest.Failed: "**no**", died: "**ends**", wheeltest.Hung: "**hangs**", wheeltest.Absent: "–",
}

// page returns the table and, below it, what was seen.
func page(results map[string][]wheeltest.Result, at time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Who passes what\n\nThe examination of `wheel/wheeltest`, run by `make peers` on %s. Each row is a property; a dash means that the library\n"+
		"has no such method or makes no such claim. *no*: the rule was broken; *ends*: the process ended (a panic, a deadlock found by the runtime); *hangs*: a\n"+
		"call or the wheel did not come back. These libraries are older than this examination, most of them chose a coarse tick on purpose, and a property here is a\n"+
		"thing to know before choosing, not a judgement of the work. Where Stop gives no answer in a library, only its effect is judged.\n\n", at.UTC().Format("2 January 2006"))
	fmt.Fprint(&b, "| property |")
	for _, p := range All() {
		fmt.Fprintf(&b, " %s |", p.Name)
	}
	fmt.Fprint(&b, "\n|---|", strings.Repeat("---|", len(All())), "\n| *version* |")
	for _, p := range All() {
		fmt.Fprintf(&b, " %s |", p.Version)
	}
	fmt.Fprintln(&b)
	for _, property := range wheeltest.Properties() {
		fmt.Fprintf(&b, "| %s |", property.Name)
		for _, p := range All() {
			fmt.Fprintf(&b, " %s |", marks[of(results[p.Name], property.Name).Verdict])
		}
		fmt.Fprintln(&b)
	}
	fmt.Fprint(&b, "\n## The rules\n\n")
	for _, property := range wheeltest.Properties() {
		fmt.Fprintf(&b, "- **%s**: %s.\n", property.Name, property.Rule)
	}
	fmt.Fprint(&b, "\n## What was seen\n")
	for _, p := range All() {
		seen(&b, p, results[p.Name])
	}
	return b.String()
}

func of(all []wheeltest.Result, property string) wheeltest.Result {
	for _, r := range all {
		if r.Property == property {
			return r
		}
	}
	return wheeltest.Result{Verdict: wheeltest.Absent}
}

// seen writes the observed violations of one peer, each with its shortest operations, and what else was seen.
func seen(b *strings.Builder, p Peer, all []wheeltest.Result) {
	first := true
	for _, r := range all {
		if r.Verdict == wheeltest.Absent || r.Observed == "" {
			continue
		}
		if first {
			fmt.Fprintf(b, "\n### %s\n\n", p.Name)
			first = false
		}
		where := "fake time"
		if r.Real {
			where = "real time"
		}
		fmt.Fprintf(b, "- **%s** (%s, %s): %s.", r.Property, r.Verdict, where, r.Observed)
		if n := len(r.Ops); n > 0 && n <= 6 {
			var ops []string
			for _, op := range r.Ops {
				ops = append(ops, fmt.Sprintf("at %v %s", op.At, op))
			}
			fmt.Fprintf(b, " Operations: %s.", strings.Join(ops, "; "))
		}
		fmt.Fprintln(b)
	}
}
