package testkit

import (
	"fmt"
	"maps"
	"slices"
	"testing"
)

// schemaKeywords lists the keywords of JSON Schema that the schemas use, with the type of
// instance to which each applies ("" for every type). Any other may be misspelled.
var schemaKeywords = map[string]string{
	"$schema": "", "$id": "", "$ref": "", "$defs": "", "title": "", "description": "", "default": "", "examples": "",
	"type": "", "const": "", "enum": "", "allOf": "", "anyOf": "", "oneOf": "",
	"properties": "object", "required": "object", "additionalProperties": "object", "propertyNames": "object",
	"maxProperties": "object", "minProperties": "object", "dependentRequired": "object",
	"items": "array", "minItems": "array", "maxItems": "array", "uniqueItems": "array",
	"minLength": "string", "maxLength": "string", "pattern": "string",
	"minimum": "number", "maximum": "number",
}

// strictSchema collects the errors of Ajv's strict mode (strictSchema, strictTypes,
// strictTuples and strictRequired, see https://ajv.js.org/strict-mode.html).
type strictSchema struct{ faults []string }

// check checks the schema at a path. types are the types that the surrounding schemas allow for the
// same instance.
func (s *strictSchema) check(path string, schema any, types []string) {
	m, ok := schema.(map[string]any)
	if !ok {
		if _, ok := schema.(bool); !ok {
			s.fault(path, "is neither an object nor a boolean")
		}
		return
	}
	types = s.types(path, m, types)
	for name := range m {
		kind, known := schemaKeywords[name]
		number := kind == "number" && slices.Contains(types, "integer")
		switch {
		case !known:
			s.fault(path, "has the unknown keyword "+name)
		case kind != "" && !number && !slices.Contains(types, kind):
			s.fault(path, name+" has no type "+kind)
		}
	}
	properties, _ := m["properties"].(map[string]any)
	required, _ := m["required"].([]any)
	for _, name := range required {
		// Ajv visits anyOf, oneOf and allOf before properties, so those around it do not count.
		if _, ok := properties[name.(string)]; !ok {
			s.fault(path, fmt.Sprintf("requires %s, which it does not define", name))
		}
	}
	s.below(path, m, types)
}

// types returns the types that m allows, or around if it has none.
func (s *strictSchema) types(path string, m map[string]any, around []string) []string {
	kind, given := m["type"]
	if !given {
		return around
	}
	text, ok := kind.(string)
	if !ok {
		s.fault(path, "has a union of types")
		return around
	}
	if len(around) > 0 && !slices.Contains(around, text) {
		s.fault(path, "type "+text+" contradicts the schema around it")
	}
	return []string{text}
}

// below checks the schemas inside m.
func (s *strictSchema) below(path string, m map[string]any, types []string) {
	for _, name := range []string{"allOf", "anyOf", "oneOf"} {
		list, _ := m[name].([]any)
		for i, schema := range list {
			s.check(fmt.Sprintf("%s/%s/%d", path, name, i), schema, types)
		}
	}
	for _, name := range []string{"properties", "$defs"} {
		schemas, _ := m[name].(map[string]any)
		for key, schema := range schemas {
			s.check(path+"/"+name+"/"+key, schema, nil)
		}
	}
	for _, name := range []string{"items", "additionalProperties"} {
		if schema, ok := m[name]; ok {
			s.check(path+"/"+name, schema, nil)
		}
	}
	if schema, ok := m["propertyNames"]; ok {
		s.check(path+"/propertyNames", schema, []string{"string"})
	}
}

func (s *strictSchema) fault(path, what string) { s.faults = append(s.faults, path+" "+what) }

// The schemas compile in the strict mode of a validator.
func TestSchemasAreStrict(t *testing.T) {
	for _, file := range []string{ScenarioSchema, LectureSchema, TraceSchema, MessagesSchema} {
		var s strictSchema
		s.check("#", ReadSchema(t, file), nil)
		for _, fault := range s.faults {
			t.Errorf("%s: %s", file, fault)
		}
	}
}

// The check finds schemas that Ajv rejects.
func TestStrictCheckFindsFaults(t *testing.T) {
	object := func(more map[string]any) map[string]any {
		maps.Copy(more, map[string]any{"type": "object"})
		return more
	}
	for i, schema := range []map[string]any{
		{"typ": "object"},
		{"properties": map[string]any{"a": true}},
		{"type": []any{"string", "integer"}},
		{"type": "string", "minimum": 1},
		{"type": "array", "prefixItems": []any{true}},
		object(map[string]any{"required": []any{"a"}}),
		object(map[string]any{"properties": map[string]any{"a": true}, "oneOf": []any{map[string]any{"required": []any{"a"}}}}),
		object(map[string]any{"anyOf": []any{map[string]any{"type": "string"}}}),
		object(map[string]any{"properties": map[string]any{"a": map[string]any{"pattern": "x"}}}),
	} {
		var s strictSchema
		if s.check("#", schema, nil); len(s.faults) != 1 {
			t.Errorf("schema %d: %d faults: %q", i, len(s.faults), s.faults)
		}
	}
}
