package cli

import (
	"os"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	good, bad := write(t, "good.json", tinyScenario), write(t, "bad.json", strings.Replace(tinyScenario, `"slots":4`, `"slots":0`, 1))
	r := runProgram(t, "", "check", good, bad, "nowhere")
	want := result{2, good + ": valid, lanes: 2, timers: 2, operations: 2, until: 6\n", ""}
	if r.code != want.code || r.out != want.out || strings.Count(r.err, "\n") != 2 ||
		!strings.Contains(r.err, bad+": lanes[0].slots: 0 is not") || !strings.Contains(r.err, `"nowhere" is neither`) {
		t.Errorf("%+v", r)
	}
	if r := runProgram(t, "", "check", good); r.code != 0 || r.err != "" {
		t.Errorf("%+v", r)
	}
	for _, args := range []string{"check", "fmt", "check - -"} {
		if r := runProgram(t, tinyScenario, strings.Fields(args)...); r.code != 2 || r.out != "" || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%s: %+v", args, r)
		}
	}
}

func TestFmt(t *testing.T) {
	const ragged = `{ "wheelscope":1,"until" : 1e1,
"lanes":[{"algorithm":"heap" , "id":"\u0068"}],"workload":{}}`
	const want = `{
  "wheelscope": 1,
  "until": 10,
  "lanes": [{"algorithm": "heap", "id": "\u0068"}],
  "workload": {}
}
`
	text := strings.Replace(ragged, "1e1", "10", 1)
	if r := runProgram(t, text, "fmt", "-"); r.code != 0 || r.out != want {
		t.Errorf("%+v", r)
	}
	name := write(t, "s.json", text)
	if r := runProgram(t, "", "fmt", "-l", name); r.out != name+"\n" {
		t.Errorf("-l: %+v", r)
	}
	if r := runProgram(t, "", "fmt", "-d", name); r.code != 0 || !strings.Contains(r.out, "\n+  \"until\": 10,\n") || !strings.HasPrefix(r.out, "--- "+name+".orig\n") {
		t.Errorf("-d: %+v", r)
	}
	if r := runProgram(t, "", "fmt", "-w", name); r.code != 0 || r.out != "" {
		t.Errorf("-w: %+v", r)
	}
	if data, err := os.ReadFile(name); err != nil || string(data) != want {
		t.Errorf("%v: %s", err, data)
	}
	for _, flag := range []string{"-l", "-d", "-w"} {
		if r := runProgram(t, "", "fmt", flag, name); r != (result{}) {
			t.Errorf("%s of a file that is laid out: %+v", flag, r)
		}
	}
	for _, c := range []struct{ text, args, want string }{{"{", "fmt -", "not JSON"}, {text, "fmt -w -", "-w: standard input"}, {`{"wheelscope":1}`, "fmt -", "lanes"}} {
		if r := runProgram(t, c.text, strings.Fields(c.args)...); r.code != 2 || r.out != "" || !strings.Contains(r.err, c.want) {
			t.Errorf("%s: %+v", c.want, r)
		}
	}
}
