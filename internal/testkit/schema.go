package testkit

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Names of the schemas in the folder docs.
const (
	ScenarioSchema = "scenario.schema.json"
	LectureSchema  = "lecture.schema.json"
	TraceSchema    = "trace.schema.json"
	MessagesSchema = "messages.schema.json"
)

// DocFile returns the path of docs/name relative to the working directory of the test.
func DocFile(t testing.TB, name string) string {
	t.Helper()
	for dir := ".."; len(dir) < 64; dir = filepath.Join(dir, "..") {
		if file := filepath.Join(dir, "docs", name); exists(file) {
			return file
		}
	}
	t.Fatalf("no docs/%s in a folder above", name)
	return ""
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// CompileSchema compiles the schema in docs/name.
func CompileSchema(t testing.TB, name string) *jsonschema.Schema {
	t.Helper()
	return compile(t, DocFile(t, name))
}

// SchemaDefinition compiles one definition of the schema in docs/name: the member of its $defs object whose key is
// the argument definition.
func SchemaDefinition(t testing.TB, name, definition string) *jsonschema.Schema {
	t.Helper()
	return compile(t, DocFile(t, name)+"#/$defs/"+definition)
}

func compile(t testing.TB, at string) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	schema, err := c.Compile(at)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// ReadSchema returns the schema in docs/name as a JSON object.
func ReadSchema(t testing.TB, name string) map[string]any {
	t.Helper()
	data, err := os.ReadFile(DocFile(t, name))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return doc.(map[string]any)
}

// Validate returns an error if data, a JSON text, does not conform to schema. It fails the test if data is
// not JSON.
func Validate(t testing.TB, schema *jsonschema.Schema, data []byte) error {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return schema.Validate(doc)
}
