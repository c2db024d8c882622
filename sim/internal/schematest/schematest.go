package schematest

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// The schemas of the formats, in the folder docs.
const (
	Scenario = "scenario.schema.json"
	Trace    = "trace.schema.json"
)

// DocFile returns the path of a file in the project's folder docs from the folder of the running
// test.
func File(t testing.TB, name string) string {
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

// CompileSchema compiles one of the schemas.
func Compile(t testing.TB, name string) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	schema, err := c.Compile(File(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// ReadSchema returns one of the schemas as a JSON value.
func Read(t testing.TB, name string) map[string]any {
	t.Helper()
	data, err := os.ReadFile(File(t, name))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return doc.(map[string]any)
}

// ValidateSchema returns the error of a schema for a JSON text.
func Validate(t testing.TB, schema *jsonschema.Schema, data []byte) error {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return schema.Validate(doc)
}
