package passlimit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/program"
)

// The user is asked for the time alone, for the memory alone, and not for a small run.
func TestLarge(t *testing.T) {
	var lanes []string
	for k := range 24 {
		lanes = append(lanes, fmt.Sprintf(`{"id":"l%d","algorithm":"rounds","slots":43000}`, k))
	}
	for _, c := range []struct {
		name, text   string
		slow, memory bool
	}{
		{"small", `{"wheelscope":1,"lanes":[{"algorithm":"simple","slots":8}],"workload":{"ops":[{"at":0,"op":"schedule","timer":"a","delay":3}]}}`, false, false},
		{"many ticks", `{"wheelscope":1,"until":20000000,"lanes":[{"algorithm":"heap"},{"algorithm":"sorted"}],
			"workload":{"ops":[{"at":0,"op":"schedule","timer":"a","delay":1,"every":1}]}}`, true, false},
		{"many timers", `{"wheelscope":1,"until":10,"lanes":[` + strings.Join(lanes, ",") + `],"workload":{"generate":[{"prefix":"c","seed":1,"count":155000,
			"arrivals":{"dist":"uniform","min":0,"max":9},"delay":{"dist":"constant","value":900000}}]}}`, false, true},
	} {
		p, err := program.Load([]byte(c.text))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		e := p.Estimate()
		if slow, memory := Seconds(e) > secondsMax, e.Bytes > bytesMax; slow != c.slow || memory != c.memory || Large(e) != (slow || memory) {
			t.Errorf("%s: %d s, large: %v; %+v", c.name, Seconds(e), Large(e), e)
		}
	}
}

// The limits themselves are allowed.
func TestLimits(t *testing.T) {
	for _, c := range []struct {
		e     program.Estimate
		large bool
	}{
		{program.Estimate{Events: secondsMax * eventsPerSecond, Bytes: bytesMax}, false},
		{program.Estimate{Events: secondsMax*eventsPerSecond + 1}, true},
		{program.Estimate{Passed: secondsMax*passedPerSecond + 1}, true},
		{program.Estimate{Bytes: bytesMax + 1}, true},
	} {
		if got := Large(c.e); got != c.large {
			t.Errorf("%+v: %v", c.e, got)
		}
	}
}
