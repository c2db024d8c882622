package importer

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/sim/program"
)

// Inputs of a fuzzer are short, since runs of what they describe must be.
const fuzzBytesMax = 1 << 14

// addCases adds the files of testdata/cases that match a pattern to a seed corpus.
func addCases(f *testing.F, pattern string) {
	f.Helper()
	names, err := filepath.Glob("testdata/" + pattern)
	if err != nil || len(names) == 0 {
		f.Fatalf("%s: %v", pattern, err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
}

// checkRead reads an input: the result is a program, or an error in one line. The scenario of a
// workload loads to the same program.
func checkRead(t *testing.T, data []byte, o Options) {
	t.Helper()
	if len(data) > fuzzBytesMax {
		return
	}
	res, err := Read(t.Context(), bytes.NewReader(data), o)
	if err != nil {
		if err.Error() == "" || strings.Contains(err.Error(), "\n") {
			t.Errorf("the error %q", err)
		}
		return
	}
	if res.Program == nil {
		t.Fatalf("neither a program nor an error: %+v", res)
	}
	if res.Kind.IsTrace() || res.Kind == KindScenario {
		return // FuzzLoad and FuzzVerify test what is in them
	}
	again, err := program.Load(res.Program.Scenario.AppendJSON(nil))
	if err != nil || again.Digest() != res.Program.Digest() {
		t.Errorf("the scenario of the workload loads with %v", err)
	}
}

// FuzzRead reads any bytes, whose kind is detected.
func FuzzRead(f *testing.F) {
	f.Add([]byte(header))
	f.Add([]byte(packed(header)))
	f.Add([]byte(`{"displayTimeUnit":"ms","metadata":{"wheelscope":"{}"},"traceEvents":[` + "\n"))
	addCases(f, "cases/*")
	f.Fuzz(func(t *testing.T, data []byte) { checkRead(t, data, Options{Name: "x"}) })
}

// FuzzCSV reads tables, with and without the options for those of other programs.
func FuzzCSV(f *testing.F) {
	for _, seed := range []string{
		"at,op,id,delay,every,times\n0,schedule,a,5\n1,set,b,10ms,,\n\n# a remark\n3,cancel,a\n4,schedule,beat,2,2,3\n5,reset,b,7\n",
		"\ufeffid;at;delay;op;times;every\r\na;0;5;;;\r\nb;1;9500us;SET;;\r\na;3;;cancel\r\n",
		"timer\tat\tdelay\top\n\"a\"\t0\t5\t\nb\t1\t10\tset\n", "sep=;\nat;id;delay\n0;\"a;\"\"b\";5\n", "at,id,delay,every,times,created\n0,a,5,2,-1,-7\n",
		"at,op,for,by\n0,stall,5,\n9,clock,,-3\n", "at,id,delay\n2026-01-02T15:04:05.250Z,a,5\n", "at,id,delay\n1767366245.2509,a,5\n",
		"at,id,delay\n9223372036854775807,a,9223372036854775807\n", "at,op,id,delay\n0,start,a,soon\n", "at,id\n\"",
	} {
		f.Add([]byte(seed))
	}
	addCases(f, "cases/*.csv")
	others := Options{Name: "x", Workload: WorkloadOptions{Rebase: true, SkipBad: 3, MapOp: map[string]string{"start": "schedule"}}}
	f.Fuzz(func(t *testing.T, data []byte) {
		checkRead(t, data, Options{Name: "x"})
		checkRead(t, data, others)
	})
}

// FuzzJSONLines reads operations as JSON Lines, with the columns of this program and of another one.
func FuzzJSONLines(f *testing.F) {
	for _, seed := range []string{
		`{"at":0,"id":"a","delay":5}` + "\n" + `{"at":1,"op":"set","timer":"b","delay":"10ms"}` + "\n\n" + `{"at":3,"op":"cancel","id":"a"}` + "\n",
		`{"at":4,"op":"schedule","id":"beat","delay":2,"every":2,"times":3,"created":-1}` + "\n" + `{"at":5,"op":"stall","for":3}`,
		`{"queue":{"x":[1]},"process_at":7,"timer":"a","delay":5}`, `{"at":"2026-01-02 15:04:05","id":"a","delay":1e3}`,
		`{"at":1e400,"id":null}`, `{"at":0,"at":1,"id":"\ud800","delay":-4611686018427387904}`, `{"at":0`,
	} {
		f.Add([]byte(seed))
	}
	others := Options{Name: "x", Workload: WorkloadOptions{Map: map[string]string{"at": "process_at", "id": "timer"}}}
	f.Fuzz(func(t *testing.T, data []byte) {
		checkRead(t, data, Options{Name: "x"})
		checkRead(t, data, others)
	})
}

// FuzzKernelText reads timer events of the kernel as text.
func FuzzKernelText(f *testing.F) {
	f.Add([]byte("x 5.1: timer_start: timer=1 function=f expires=12 [timeout=2] bucket_expiry=13\nx 5.2: timer_cancel: timer=1\n"))
	addCases(f, "timers.txt")
	addCases(f, "cases/*.txt")
	addCases(f, "cases/*.html")
	f.Fuzz(func(t *testing.T, data []byte) {
		checkRead(t, data, Options{Name: "x"})
		checkRead(t, data, Options{Name: "x", Workload: WorkloadOptions{HZ: 250, SkipBad: 2}})
	})
}

// FuzzRecording reads recordings: the traces in players.
func FuzzRecording(f *testing.F) {
	f.Add([]byte(PlayerMark + ">H4sI</script>"))
	data, _ := library.Builtin("try-simple")
	p, err := program.Load(data)
	if err != nil {
		f.Fatal(err)
	}
	var b bytes.Buffer
	writePlayer(f, &b, p)
	f.Add(b.Bytes())
	f.Add(b.Bytes()[:b.Len()/2])
	f.Add(bytes.Replace(b.Bytes(), []byte(PlayerMark), []byte(systraceMark), 1))
	f.Fuzz(func(t *testing.T, data []byte) { checkRead(t, data, Options{Name: "x"}) })
}
