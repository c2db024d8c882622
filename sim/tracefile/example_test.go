package tracefile_test

import (
	"bytes"
	"context"
	"fmt"

	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/tracefile"
)

// A trace is written and verified. Verify runs the scenario in its header again and reports the first line that
// differs.
func ExampleVerify() {
	p, err := program.Load([]byte(`{"wheelscope": 1, "name": "two", "until": 6,
	"lanes": [{"algorithm": "simple", "slots": 8}, {"algorithm": "heap"}],
	"workload": {"ops": [
		{"at": 0, "op": "schedule", "timer": "a", "delay": 3},
		{"at": 0, "op": "schedule", "timer": "b", "delay": 5},
		{"at": 2, "op": "cancel", "timer": "b"}]}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	var trace bytes.Buffer
	if _, err := tracefile.Write(context.Background(), &trace, p, tracefile.Options{}); err != nil {
		fmt.Println(err)
		return
	}
	s, err := tracefile.Verify(context.Background(), bytes.NewReader(trace.Bytes()), tracefile.Options{})
	fmt.Println(s.Events, s.Tick, err)

	other := bytes.Replace(trace.Bytes(), []byte(`"tick":3`), []byte(`"tick":4`), 1)
	_, err = tracefile.Verify(context.Background(), bytes.NewReader(other), tracefile.Options{})
	fmt.Println(err)
	// Output:
	// 13 6 <nil>
	// line 13: tick is 3, after 4
}

func ExampleWrite() {
	p, err := program.Load([]byte(`{"wheelscope": 1, "until": 1, "lanes": [{"algorithm": "heap"}], "workload": {}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	var trace bytes.Buffer
	s, err := tracefile.Write(context.Background(), &trace, p, tracefile.Options{})
	fmt.Println(bytes.Count(trace.Bytes(), []byte("\n")), "lines,", s.Bytes == int64(trace.Len()), err)
	// Output: 2 lines, true <nil>
}
