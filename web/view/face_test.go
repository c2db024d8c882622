package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/templates"
	"github.com/wheelscope/wheelscope/web/internal/webtest"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// faceScenarios has the shapes of lanes: rings of one and of several levels, with side lists, rounds and a delay queue;
// rows; lists and heaps; and the wheel on Redis. Each has cascades, rejections, resets or repeats.
var faceScenarios = map[string]string{
	"rings": `{"wheelscope":1,"name":"rings","tick":"1s","until":40,"lanes":[{"id":"a","algorithm":"simple","slots":10},{"id":"b","algorithm":"rounds","slots":10},
  {"id":"c","algorithm":"hierarchical","slots":10},{"id":"d","algorithm":"hierarchical","slots":3,"levels":4}],"workload":{"ops":[
  {"at":0,"op":"schedule","timer":"x","delay":2},{"at":0,"op":"schedule","timer":"y","delay":15},{"at":2,"op":"schedule","timer":"z","delay":37},
  {"at":3,"op":"reset","timer":"y","delay":17},{"at":4,"op":"schedule","timer":"beat","delay":3,"every":4,"times":4},{"at":5,"op":"cancel","timer":"z"},{"at":6,"op":"schedule","timer":"z","delay":33}]}}`,
	"side": `{"wheelscope":1,"name":"side","start":7,"until":1200,"lanes":[{"id":"a","algorithm":"simple","slots":4,"overflow":"list"},{"id":"b","algorithm":"kafka","slots":4},
  {"id":"c","algorithm":"netty"},{"id":"d","algorithm":"hierarchical","slots":4}],"workload":{"ops":[{"at":0,"op":"schedule","timer":"x","delay":9},{"at":1,"op":"schedule","timer":"y","delay":2},
  {"at":1,"op":"schedule","timer":"z","delay":40}]}}`,
	"rows": `{"wheelscope":1,"name":"rows","until":200,"lanes":[{"id":"a","algorithm":"tokio"},{"id":"b","algorithm":"linux"}],"workload":{"ops":[
  {"at":0,"op":"schedule","timer":"x","delay":9},{"at":1,"op":"schedule","timer":"y","delay":70},{"at":1,"op":"schedule","timer":"z","delay":140}]}}`,
	"flat": `{"wheelscope":1,"name":"flat","until":30,"lanes":[{"id":"a","algorithm":"sorted"},{"id":"b","algorithm":"heap"},{"id":"c","algorithm":"list"}],"workload":{"ops":[
  {"at":0,"op":"schedule","timer":"x","delay":9},{"at":1,"op":"schedule","timer":"y","delay":4},{"at":1,"op":"schedule","timer":"z","delay":2},{"at":2,"op":"cancel","timer":"y"},{"at":2,"op":"schedule","timer":"w","delay":1}]}}`,
	"redis": `{"wheelscope":1,"name":"redis","tick":"1s","until":30,"lanes":[{"id":"a","algorithm":"redis"}],"workload":{"ops":[
  {"at":0,"op":"schedule","timer":"x","delay":9},{"at":1,"op":"schedule","timer":"y","delay":4}]}}`,
	"large": `{"wheelscope":1,"name":"large","until":60,"lanes":[{"id":"a","algorithm":"heap"},{"id":"b","algorithm":"heap","arity":4},{"id":"c","algorithm":"sorted"},{"id":"d","algorithm":"calendar"}],"workload":{"generate":[
  {"prefix":"g","seed":3,"count":120,"arrivals":{"dist":"uniform","min":0,"max":8},"delay":{"dist":"uniform","min":3,"max":50}}]}}`,
	"many": `{"wheelscope":1,"name":"many","until":60,"lanes":[{"id":"a","algorithm":"rounds","slots":8},{"id":"b","algorithm":"hierarchical","slots":8}],"workload":{"generate":[
  {"prefix":"g","seed":3,"count":80,"arrivals":{"dist":"uniform","min":0,"max":20},"delay":{"dist":"uniform","min":5,"max":50}}]}}`,
}

// faceInput is the input of testdata/face.mjs.
type faceInput struct {
	Run    any               `json:"run"`
	Events json.RawMessage   `json:"events"`
	Tick   int64             `json:"tick"` // −1: the start
	Seq    int64             `json:"seq"`  // −1: the end of the tick
	Words  map[string]string `json:"words"`
	name   string
	want   []string
}

// The rest frames in the page are those that its scripts draw, in every shape.
func TestFacesAreThoseOfTheScripts(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal("node is needed; scripts/needs installs it")
	}
	var inputs []faceInput
	for name, text := range faceScenarios {
		run := webtest.Open(t, text)
		part, err := protocol.ReadEvents(t.Context(), run, 0, 0, protocol.EventsMax)
		if err != nil || !part.End {
			t.Fatalf("%s: %v", name, err)
		}
		add := func(tick, seq int64) {
			var e, err = Entry(t.Context(), Options{}, run, snapOf(t, run, tick, seq), "en", false, false, part.Data)
			if err != nil {
				t.Fatalf("%s at %d, %d: %v", name, tick, seq, err)
			}
			in := faceInput{Run: e.Run, Events: part.Data, Tick: tick, Seq: seq, Words: static.Texts("en"), name: fmt.Sprintf("%s at tick %d, event %d", name, tick, seq)}
			for i := range e.Faces {
				in.want = append(in.want, e.Faces[i].Picture())
			}
			inputs = append(inputs, in)
		}
		add(-1, -1)
		for tick := int64(0); tick <= min(run.Program().Until, 40); tick++ {
			if tick > 0 || lastOf(t, run, 0) > 0 { // else it is the start
				add(tick, -1)
			}
		}
		for seq := int64(1); seq <= min(run.EventsComputed(), 40); seq += 3 {
			if tick, _ := run.TickOf(t.Context(), seq); lastOf(t, run, tick) != seq {
				add(tick, seq)
			}
		}
	}
	data, err := json.Marshal(inputs)
	if err != nil {
		t.Fatal(err)
	}
	folder, _ := filepath.Abs("../../static/js")
	script, _ := filepath.Abs("testdata/face.mjs")
	cmd := exec.Command(node, script, folder)
	cmd.Stdin = bytes.NewReader(data)
	var failed bytes.Buffer
	cmd.Stderr = &failed
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, failed.String())
	}
	var pictures [][]string
	if err := json.Unmarshal(out, &pictures); err != nil {
		t.Fatal(err)
	}
	wrong := 0
	for i, in := range inputs {
		for lane, want := range pictures[i] {
			if difference := differs(in.want[lane], want); difference != "" && wrong < 12 {
				wrong++
				t.Errorf("%s, lane %d: %s", in.name, lane, difference)
			}
		}
	}
	t.Logf("%d pictures", len(inputs))
}

var numberInPicture = regexp.MustCompile(`-?\d+(\.\d+)?`)

// differs returns where a picture of Go differs from one of the scripts, or "". Numbers may differ by a hundredth, because
// sines do in the last bit.
func differs(got, want string) string {
	a, b := strings.Split(got, "<"), strings.Split(want, "<")
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) {
			return fmt.Sprintf("%d elements, want %d", len(a), len(b))
		}
		m, n := numberInPicture.FindAllString(a[i], -1), numberInPicture.FindAllString(b[i], -1)
		same := len(m) == len(n) && numberInPicture.ReplaceAllString(a[i], "#") == numberInPicture.ReplaceAllString(b[i], "#")
		for k := 0; same && k < len(m); k++ {
			x, _ := strconv.ParseFloat(m[k], 64)
			y, _ := strconv.ParseFloat(n[k], 64)
			same = math.Abs(x-y) < 0.0101
		}
		if !same {
			return fmt.Sprintf("<%s, want <%s", a[i], b[i])
		}
	}
	return ""
}

// snapOf returns the state of run after event seq or, if seq is negative, at the end of a tick, or at the start.
func snapOf(t *testing.T, run *sim.Run, tick, seq int64) *engine.Snapshot {
	t.Helper()
	s, err := run.Seek(t.Context(), sim.After(max(seq, 0)), templates.TimersShown)
	if seq < 0 && tick >= 0 {
		s, err = run.Seek(t.Context(), sim.EndOf(tick), templates.TimersShown)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// lastOf returns the number of the last event up to the end of a tick.
func lastOf(t *testing.T, run *sim.Run, tick int64) int64 {
	t.Helper()
	seq, err := run.SeqAt(t.Context(), tick)
	if err != nil {
		t.Fatal(err)
	}
	return seq
}
