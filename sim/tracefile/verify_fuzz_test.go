package tracefile

import (
	"bytes"
	"context"
	"errors"
	"os"
	"testing"

	"github.com/wheelscope/wheelscope/sim/program"
)

// Scenarios of a fuzzer get short runs.
const (
	fuzzUntilMax = 2000
	fuzzOpsMax   = 200
	fuzzLanesMax = 6
)

// FuzzVerify passes any bytes to Verify: the result is identical, a difference or a broken
// trace, and identical only for exactly the bytes of the run.
func FuzzVerify(f *testing.F) {
	for _, name := range []string{"names", "naive-rounds"} { // small ones: a fuzzer is slow on others
		data, err := os.ReadFile("../testdata/golden/" + name + ".jsonl")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
		f.Add(data[:len(data)/2])
	}
	f.Add(smallTrace(f))
	f.Add([]byte{0x1f, 0x8b})
	f.Add([]byte("{\"wheelscope\":2,\"kind\":\"trace\"}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		header, _, _ := bytes.Cut(data, []byte("\n"))
		p, err := readHeader(header, program.Options{})
		if err == nil && (p.Until > fuzzUntilMax || len(p.Ops) > fuzzOpsMax || len(p.Scenario.Lanes) > fuzzLanesMax) {
			return
		}
		_, err = Verify(context.Background(), bytes.NewReader(data), Options{})
		var diff *Diff
		var broken *LineError
		switch {
		case err == nil && !bytes.HasPrefix(data, []byte{0x1f, 0x8b}):
			if !bytes.Equal(data, traceOf(t, p, Options{})) {
				t.Error("identical, but not the bytes of the run")
			}
		case errors.As(err, &diff) && diff.Got == diff.Want:
			t.Errorf("a difference without one: %v", err)
		case err != nil && !errors.As(err, &diff) && !errors.As(err, &broken):
			t.Errorf("neither a difference nor a broken trace: %v", err)
		}
	})
}
