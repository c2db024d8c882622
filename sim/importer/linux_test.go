package importer

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/static"
)

// modern is the text of a kernel of 2023, old that of a kernel of 2012.
func modern(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("testdata/timers.txt")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func opsOf(p *program.Program) []string {
	var list []string
	for _, op := range p.Scenario.Ops {
		list = append(list, strings.TrimSpace(strings.Join([]string{op.Kind.String(), op.Timer}, " ")))
	}
	return list
}

func notesOf(res *Result) string {
	return strings.Join(static.Messages("en").Lines(res.Notes), "\n")
}

// Jiffies are the scenario's ticks, addresses distinguish timers, the cancel of an expiry is
// dropped, and the lane rounds as the kernel did.
func TestKernelTrace(t *testing.T) {
	res, err := read(t, modern(t), "timers.txt")
	if err != nil {
		t.Fatal(err)
	}
	p := res.Program
	want := []string{"set process_timeout@9f3e", "set delayed_work_timer_fn@f3c1", "set tcp_write_timer@a27b", "cancel tcp_write_timer@a27b",
		"set tcp_write_timer@a27b", "cancel tcp_write_timer@a27b", "set tcp_keepalive_timer@a27b", "set watchdog_timer@aa00"}
	if got := opsOf(p); !slices.Equal(got, want) {
		t.Errorf("operations %q", got)
	}
	if p.Scenario.Tick != "4ms" || p.Start != 4296173426 || p.Scenario.Lanes[0].Algorithm != "linux" {
		t.Errorf("tick %s, start %d, lanes %v", p.Scenario.Tick, p.Start, p.Scenario.Lanes)
	}
	if at := p.Scenario.Ops[3].At; at != 2 { // 7.76 ms after an event with a jiffy, which is less than two
		t.Errorf("the cancel is at %d", at)
	}
	for _, note := range []string{"5 timers, 6 starts, 2 cancels; tick 0 is jiffy 4296173426; 250 jiffies a second",
		"were started before the trace began: 1\n", "predicts the kernel's rounding (bucket_expiry) of 6 of 6 starts"} {
		if !strings.Contains(notesOf(res), note) {
			t.Errorf("missing: %q; notes are\n%s", note, notesOf(res))
		}
	}
}

// Where the lane and the kernel differ, the line is reported.
func TestKernelThatRoundsOtherwise(t *testing.T) {
	text := strings.Replace(modern(t), "bucket_expiry=4296173680", "bucket_expiry=4296173688", 1)
	res, err := read(t, text, "timers.txt")
	if err != nil || !strings.Contains(notesOf(res), "of 5 of 6 starts\nthe first wrong prediction: line 13, where the kernel rounds to 4296173688 and the lane to 4296173680") {
		t.Errorf("%v\n%s", err, notesOf(res))
	}
}

// Kernels and tools write events in different forms.
func TestWordings(t *testing.T) {
	for name, text := range map[string]string{
		"3.2":       "bash-1 [000] 10.000000: timer_start: timer=0xffff1 function=f expires=1012 [timeout=12]\nbash-1 [000] 10.004000: timer_cancel: timer=0xffff1\n",
		"perf":      "bash 1 [000] 10.000000: timer:timer_start: timer=0xffff1 function=f expires=1012 [timeout=12] cpu=0 idx=1 flags=\nbash 1 [000] 10.004: timer:timer_cancel: timer=0xffff1\n",
		"trace-cmd": "cpus=2\n  bash-1 [000] 10.000000: timer_start:          timer=0xffff1 function=f expires=1012 [timeout=12] cpu=0 idx=1 flags=D\n  bash-1 [000] 10.004000: timer_cancel:         timer=0xffff1\n",
		"bare":      "timer_start: timer=ffff1 function=f expires=1012 [timeout=12] bucket_expiry=1013\ntimer_cancel: timer=ffff1\n",
	} {
		res, err := read(t, text, "x")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := opsOf(res.Program); !slices.Equal(got, []string{"set f@fff1", "cancel f@fff1"}) || res.Program.Start != 1000 || res.Program.Scenario.Ops[0].Delay != 12 {
			t.Errorf("%s: %q from %d on", name, got, res.Program.Start)
		}
	}
}

// Two addresses with the same end get two names, and so does one address with two functions.
func TestNamesDistinguishTimers(t *testing.T) {
	res, err := read(t, "timer_start: timer=10abcd function=f expires=12 [timeout=2]\ntimer_start: timer=20abcd function=f expires=13 [timeout=3]\n"+
		"timer_start: timer=10abcd function=g expires=14 [timeout=4]\ntimer_cancel: timer=10abcd\n", "x")
	if err != nil {
		t.Fatal(err)
	}
	if got := opsOf(res.Program); !slices.Equal(got, []string{"set f@abcd", "set f@0abcd", "set g@abcd", "cancel g@abcd"}) {
		t.Errorf("%q", got)
	}
}

// An address that is the end of another has its own name, too, padded with zeros.
func TestNamesOfShortAddresses(t *testing.T) {
	res, err := read(t, "timer_start: timer=1abcd function=f expires=12 [timeout=2]\ntimer_start: timer=abcd function=f expires=13 [timeout=3]\n"+
		"timer_start: timer=0abcd function=f expires=14 [timeout=4]\n", "x")
	if err != nil {
		t.Fatal(err)
	}
	if got := opsOf(res.Program); !slices.Equal(got, []string{"set f@abcd", "set f@0abcd", "set f@00abcd"}) {
		t.Errorf("%q", got)
	}
}

func TestKernelFaults(t *testing.T) {
	for text, want := range map[string]string{
		"timer_start: timer=" + strings.Repeat("a", AddressMax+1) + " function=f expires=12 [timeout=2]":       "line 1: timer: longer than 32 bytes",
		"timer_start: timer=1 function=" + strings.Repeat("f", scenario.NameMax+1) + " expires=12 [timeout=2]": "line 1: function: longer than 256 bytes",
		"timer_start: function=f expires=12 [timeout=2]":                                                       "line 1: timer: missing",
		"timer_start: timer=1 function=f expires=5 [timeout=4294967302]":                                       "line 1: timeout: expires 5 less 4294967302 is no jiffy",
		"timer_start: timer=1 function=f expires=5 [timeout=-9223372036854775807]":                             "line 1: timeout: expires 5 less -9223372036854775807 is no jiffy",
		"timer_start: timer=1 function=f [timeout=2]":                                                          `line 1: expires: "" is not a number of jiffies`,
		"timer_start: timer=1 function=f expires=-3 [timeout=2]":                                               `line 1: expires: "-3" is not`,
		"timer_start: timer=1 function=f expires=3 [timeout=x]":                                                `line 1: timeout: "x" is not`,
		"timer_start: timer=1 function=f expires=3 [timeout=1] bucket_expiry=y":                                `line 1: bucket_expiry: "y" is not`,
		"timer_cancel: timer=1\ntimer_expire_entry: timer=1 function=f now=z baseclk=":                         `line 2: now: "z" is not`,
		"timer_init: timer=1\n": "the file has no timer_start",
	} {
		if _, err := read(t, text, "x"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// Other frequencies are detected by the clocks of the trace.
func TestFrequencies(t *testing.T) {
	for hz, tick := range map[string]string{"1100": "10ms", "1252": "4ms", "1297": "3.333333ms", "2000": "1ms"} {
		text := "x 5.000000: timer_start: timer=1 function=f expires=1010 [timeout=10]\nx 6.000000: timer_start: timer=2 function=f expires=" + hz + " [timeout=0]\n"
		res, err := read(t, text, "x")
		if err != nil || res.Program.Scenario.Tick != tick {
			t.Errorf("%s jiffies after a second: %v, %s, want %s", hz, err, res.Program.Scenario.Tick, tick)
		}
	}
}

// A trace without a header is detected by its first line, whatever the task, and by the events
// of high-resolution timers, too.
func TestKernelTraceIsKnown(t *testing.T) {
	const start = "001] d.s2.  5123.104217: timer_start: timer=ffff00aa function=f expires=150 [timeout=50] bucket_expiry=150 cpu=1 idx=84 flags=\n"
	for name, text := range map[string]string{
		"idle":    "          <idle>-0     [" + start,
		"unknown": "<...>-1234     [" + start,
		"hrtimer": "cpus=2\n" + strings.Repeat("  swapper-0 [001] 5123.10: hrtimer_start: hrtimer=0xffff9d function=tick_sched_timer expires=5123\n", 60) + "swapper-0 [" + start,
		"events":  strings.Repeat("  swapper-0 [001] 5123.10: tick_stop: success=1 dependency=NONE\n", 90) + "swapper-0 [" + start,
	} {
		res, err := read(t, text, "x")
		if err != nil || res.Kind != KindLinux || !slices.Equal(opsOf(res.Program), []string{"set f@00aa"}) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := read(t, "<title>x</title><p>timer_start: none", "x"); err == nil || !strings.Contains(err.Error(), "this HTML contains no trace") {
		t.Error(err)
	}
}

// Processors write concurrently, but a cancel never precedes its own start.
func TestJiffiesOfSeveralProcessors(t *testing.T) {
	res, err := read(t, `cpus=2
  <idle>-0 [001] d.s2. 5123.104217: timer_start: timer=00aa function=f expires=150 [timeout=50]
  <idle>-0 [000] d.s2. 5123.104218: timer_expire_entry: timer=00bb function=g now=99 baseclk=99
  <idle>-0 [001] d.s2. 5123.104219: timer_cancel: timer=00aa
`, "x")
	if err != nil {
		t.Fatal(err)
	}
	if got := opsOf(res.Program); !slices.Equal(got, []string{"set f@00aa", "cancel f@00aa"}) {
		t.Errorf("%q", got)
	}
}

// A timer that is due after the last tick is left out, and reported; if it was pending it is
// cancelled.
func TestKernelTimersForEver(t *testing.T) {
	for _, far := range []string{"expires=18446744073709551615", "expires=4611686018427387999 [timeout=4611686018427387897]"} {
		res, err := read(t, "timer_start: timer=00aa function=f expires=150 [timeout=50]\ntimer_start: timer=00aa function=f "+far+"\ntimer_cancel: timer=00aa\n", "x")
		if err != nil {
			t.Errorf("%s: %v", far, err)
			continue
		}
		if got := opsOf(res.Program); !slices.Equal(got, []string{"set f@00aa", "cancel f@00aa"}) || !strings.Contains(notesOf(res), "due after the last possible tick: 1") {
			t.Errorf("%s: %q\n%s", far, got, notesOf(res))
		}
	}
}
