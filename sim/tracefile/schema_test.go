//go:build !race

// Long tests whose second goroutine shorter tests use under -race, too; see the Makefile.

package tracefile

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/wheelscope/wheelscope/internal/testkit"
	"github.com/wheelscope/wheelscope/sim/scenario"
	"github.com/wheelscope/wheelscope/wheel"
)

// compileTraceSchema compiles the schema of a trace line and that of a scenario, to which the
// header refers.
func compileTraceSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	var last string
	for _, file := range []string{testkit.ScenarioSchema, testkit.TraceSchema} {
		doc := testkit.ReadSchema(t, file)
		last = doc["$id"].(string)
		if err := c.AddResource(last, doc); err != nil {
			t.Fatal(err)
		}
	}
	schema, err := c.Compile(last)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// goldenLines returns every line of every golden trace.
func goldenLines(t *testing.T) [][]byte {
	t.Helper()
	var lines [][]byte
	for _, pattern := range []string{"../testdata/golden/*.jsonl", "../testdata/golden/builtin/*.jsonl"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no golden traces: %v", pattern, err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			lines = slices.AppendSeq(lines, bytes.Lines(data))
		}
	}
	return lines
}

func TestTraceSchemaAcceptsGoldens(t *testing.T) {
	schema := compileTraceSchema(t)
	for _, line := range goldenLines(t) {
		if err := testkit.Validate(t, schema, line); err != nil {
			t.Fatalf("%v\n%s", err, line)
		}
	}
}

// For every kind in the golden traces a line with one field less or more is refused, unless
// the field may be absent.
func TestTraceSchemaRefuses(t *testing.T) {
	schema := compileTraceSchema(t)
	done := map[string]bool{}
	for _, line := range goldenLines(t) {
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(line, &fields); err != nil {
			t.Fatal(err)
		}
		kind := strings.Trim(string(fields["kind"]), `"`)
		if done[kind] {
			continue
		}
		done[kind] = true
		refuse := func(name string, value json.RawMessage) {
			changed := maps.Clone(fields)
			delete(changed, name)
			if value != nil {
				changed[name] = value
			}
			data, _ := json.Marshal(changed)
			if testkit.Validate(t, schema, data) == nil {
				t.Errorf("accepts %s", data)
			}
		}
		refuse("more", json.RawMessage("1"))
		for name := range fields {
			refuse(name, json.RawMessage("[]"))
			if !slices.Contains(strings.Fields(optionalFields(kind)), name) {
				refuse(name, nil)
			}
		}
	}
	if len(done) < 18 {
		t.Errorf("the golden traces have %d kinds of lines", len(done))
	}
}

// optionalFields returns the fields in brackets of a kind.
func optionalFields(kind string) string {
	var list string
	for k := range LineFields {
		if wheel.Kind(k).String() == kind {
			for _, group := range regexp.MustCompile(`\[([a-z ]+)\]`).FindAllStringSubmatch(LineFields[k], -1) {
				list += group[1] + " "
			}
		}
	}
	return list
}

// The schema has the same kinds, fields, words and limits as this package.
func TestTraceSchemaHoldsTheGrammar(t *testing.T) {
	defs := testkit.ReadSchema(t, testkit.TraceSchema)["$defs"].(map[string]any)
	for k := wheel.KindNone + 1; k < wheel.NumKinds; k++ {
		def, ok := defs[k.String()+"Event"].(map[string]any)
		if !ok {
			t.Errorf("%s is not in the schema", k)
			continue
		}
		all := strings.Fields(strings.NewReplacer("[", "", "]", "").Replace("seq tick lane kind " + LineFields[k]))
		optional := strings.Fields(optionalFields(k.String()))
		got := slices.Sorted(maps.Keys(def["properties"].(map[string]any)))
		if slices.Sort(all); !slices.Equal(got, all) {
			t.Errorf("%s has the fields %q, want %q", k, got, all)
		}
		required := slices.DeleteFunc(all, func(name string) bool { return slices.Contains(optional, name) })
		if got := sortedTexts(def["required"]); !slices.Equal(got, required) {
			t.Errorf("%s requires %q, want %q", k, got, required)
		}
	}
	for name, words := range fieldWords {
		if got := sortedTexts(defs[name].(map[string]any)["enum"]); !slices.Equal(got, slices.Sorted(slices.Values(words))) {
			t.Errorf("%s is one of %q, want %q", name, got, words)
		}
	}
	for bound, values := range map[string]map[string]int64{"minimum": fieldMin, "maximum": fieldMax} {
		for name, want := range values {
			if got, _ := defs[name].(map[string]any)[bound].(json.Number); got.String() != json.Number(appendInt(nil, "", want)).String() {
				t.Errorf("%s: %s is %s, want %d", name, bound, got, want)
			}
		}
	}
}

func sortedTexts(list any) (texts []string) {
	for _, text := range list.([]any) {
		texts = append(texts, text.(string))
	}
	slices.Sort(texts)
	return texts
}

// docs/TRACE.md lists each kind with its fields, the words that a field may contain, and the limits.
func TestTraceTextHoldsTheGrammar(t *testing.T) {
	data, err := os.ReadFile(testkit.DocFile(t, "TRACE.md"))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(string(data)), " ")
	for k := wheel.KindNone + 1; k < wheel.NumKinds; k++ {
		if row := "| `" + k.String() + "` | " + LineFields[k] + " |"; !strings.Contains(text, row) {
			t.Errorf("no row %s", row)
		}
	}
	for name, words := range fieldWords {
		if list := "`" + name + "` one of `" + strings.Join(words, "`, `") + "`"; !strings.Contains(strings.ReplaceAll(text, "` is one of", "` one of"), list) {
			t.Errorf("no %s", list)
		}
	}
	for limit, holds := range map[string]bool{"header has at most 128 MiB": scenario.BytesMax == 128<<20, "another line 64 KiB": LineMax == 64<<10,
		"at most 64 GiB": UnpackedMax == 64<<30, "at most 256 bytes": scenario.NameMax == 256} {
		if !holds || !strings.Contains(text, limit) {
			t.Errorf("limit: %s", limit)
		}
	}
}
