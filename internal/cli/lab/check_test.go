package lab_test

import (
	"os"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/cli/clitest"
)

func TestCheck(t *testing.T) {
	good, bad := clitest.WriteFile(t, "good.json", clitest.Tiny), clitest.WriteFile(t, "bad.json", strings.Replace(clitest.Tiny, `"slots":4`, `"slots":0`, 1))
	r := clitest.Run(t, "", "check", good, bad, "nowhere")
	want := clitest.Result{Code: 2, Out: good + ": valid, lanes: 2, timers: 2, operations: 2, until: 6\n"}
	if r.Code != want.Code || r.Out != want.Out || strings.Count(r.Err, "\n") != 2 ||
		!strings.Contains(r.Err, bad+": lanes[0].slots: 0 is not") || !strings.Contains(r.Err, `"nowhere" is neither`) {
		t.Errorf("%+v", r)
	}
	if r := clitest.Run(t, "", "check", good); r.Code != 0 || r.Err != "" {
		t.Errorf("%+v", r)
	}
	for _, args := range []string{"check", "fmt", "check - -"} {
		if r := clitest.Run(t, clitest.Tiny, strings.Fields(args)...); r.Code != 2 || r.Out != "" || strings.Count(r.Err, "\n") != 1 {
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
	if r := clitest.Run(t, text, "fmt", "-"); r.Code != 0 || r.Out != want {
		t.Errorf("%+v", r)
	}
	name := clitest.WriteFile(t, "s.json", text)
	if r := clitest.Run(t, "", "fmt", "-l", name); r.Out != name+"\n" {
		t.Errorf("-l: %+v", r)
	}
	if r := clitest.Run(t, "", "fmt", "-d", name); r.Code != 0 || !strings.Contains(r.Out, "\n+  \"until\": 10,\n") || !strings.HasPrefix(r.Out, "--- "+name+".orig\n") {
		t.Errorf("-d: %+v", r)
	}
	if r := clitest.Run(t, "", "fmt", "-w", name); r.Code != 0 || r.Out != "" {
		t.Errorf("-w: %+v", r)
	}
	if data, err := os.ReadFile(name); err != nil || string(data) != want {
		t.Errorf("%v: %s", err, data)
	}
	for _, flag := range []string{"-l", "-d", "-w"} {
		if r := clitest.Run(t, "", "fmt", flag, name); r != (clitest.Result{}) {
			t.Errorf("%s of a file that is laid out: %+v", flag, r)
		}
	}
	for _, c := range []struct{ text, args, want string }{{"{", "fmt -", "not JSON"}, {text, "fmt -w -", "-w: standard input"}, {`{"wheelscope":1}`, "fmt -", "lanes"}} {
		if r := clitest.Run(t, c.text, strings.Fields(c.args)...); r.Code != 2 || r.Out != "" || !strings.Contains(r.Err, c.want) {
			t.Errorf("%s: %+v", c.want, r)
		}
	}
}
