package web

import (
	"fmt"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim"
)

// If a question or a socket does not have a parameter, the request is rejected with a list of the
// parameters it has. Files do the same; pages accept any parameter.
func TestUnknownParameters(t *testing.T) {
	inBubble(t, Config{BasePath: "/lab"}, func(t *testing.T, h *harness) {
		c := h.client("/lab/ws")
		defer c.close()
		for path, known := range parameters {
			want := fmt.Sprintf("\"tick\" is not a parameter of /lab%s; expected one of %s\n", path, strings.Join(known, ", "))
			method := http.MethodGet
			if path == importPath || path == estimatePath || path == tryPath {
				method = http.MethodPost
			}
			r, err := http.NewRequest(method, "http://127.0.0.1:8080/lab"+path+"?run="+c.hello.Run+"&tick=3", nil)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Contains(known, "run") {
				r.URL.RawQuery = "tick=3"
			}
			if a, err := h.do(r); err != nil || a.code != http.StatusBadRequest || a.body != want {
				t.Errorf("%s: %v, %d %q", path, err, a.code, a.body)
			}
		}
		for path, want := range map[string]answer{
			"/ws?scenario=three-slots&embed=1": {code: 400, body: `"embed" is not a parameter of /lab/ws; expected one of lang, run, scenario, secret, seq, session, t, why` + "\n"},
			"/api/scenarios?Lang=en":           {code: 400, body: `"Lang" is not a parameter`},
			"/api/scenarios?=1":                {code: 400, body: `"" is not a parameter`},
			"/api/scenarios?%3Cb%3E":           {code: 400, body: `"<b>" is not a parameter`},
			"/api/scenarios?lang=zh&x=":        {code: 400, body: "不是 /lab/api/scenarios 的参数"},
			"/api/scenarios?a%zz=1":            {code: 400, body: "can't be read: invalid URL escape"},
			"/api/scenarios?lang=en;x=1":       {code: 400, body: "can't be read: invalid semicolon"},
			"/api/scenarios?lang=en":           {code: 200},
			"/?scenario=three-slots&utm=1":     {code: 200},
			"/scenario?x=1&run=" + c.hello.Run: {code: 400, body: `"x" is not a parameter of /lab/scenario; expected one of lang, run` + "\n"},
			"/scenario?run=" + c.hello.Run:     {code: 200},
		} {
			if a := h.get("/lab" + path); a.code != want.code || !strings.Contains(a.body, want.body) {
				t.Errorf("%s: %d %.200q", path, a.code, a.body)
			}
		}
	})
}

// Every route of a question has a list of parameters, which equals that of the documents.
func TestParametersAreDocumented(t *testing.T) {
	address, parameter := regexp.MustCompile("(/api/[a-z/]+|/ws)[?`]"), regexp.MustCompile(`[?&]([a-z]+)=`)
	written := map[string][]string{}
	for _, file := range []string{"../docs/API.md", "../docs/MESSAGES.md"} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			cells := strings.SplitN(line, "|", 3)
			if len(cells) < 3 || cells[0] != "" {
				continue
			}
			for _, path := range address.FindAllStringSubmatch(cells[1], -1) {
				written[path[1]] = append(written[path[1]], "lang") // of every route
				for _, name := range parameter.FindAllStringSubmatch(cells[1], -1) {
					written[path[1]] = append(written[path[1]], name[1])
				}
			}
		}
	}
	for path, names := range written {
		slices.Sort(names)
		if names = slices.Compact(names); !slices.Equal(names, parameters[path]) {
			t.Errorf("%s: the documents have %v, the code %v", path, names, parameters[path])
		}
	}
	store := sim.NewStore(sim.StoreOptions{})
	defer store.Close()
	s, err := New(Config{Addr: "127.0.0.1:8080", Store: store})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range s.routes().Routes() {
		if !strings.HasPrefix(r.Path, "/api/") && r.Path != "/ws" {
			continue
		}
		if _, ok := parameters[r.Path]; !ok {
			t.Errorf("%s takes any parameter", r.Path)
		}
		if _, ok := written[r.Path]; !ok {
			t.Errorf("%s is not in the documents", r.Path)
		}
	}
}
