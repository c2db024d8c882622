package main

import (
	"bytes"
	"encoding/json"

	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// fields is a JSON object in the schema.
type fields = map[string]any

// schemaOf returns the content of docs/messages.schema.json. The definitions in it are named message-NAME for a
// message from the server, such as message-hello, and command-NAME for a command, such as command-seek.
func schemaOf(d *description) ([]byte, error) {
	defs, server, commands := fields{}, []any{}, []any{}
	for _, l := range d.lists {
		s := schema(listShape(l))
		s["description"] = l.doc
		defs[l.name] = s
	}
	for _, o := range d.objects {
		defs[o.name] = objectSchema(o, nil)
	}
	for _, o := range d.messages {
		defs["message-"+o.name] = objectSchema(o, fields{"v": fields{"const": protocol.Version}, "kind": fields{"const": o.name}})
		server = append(server, fields{"$ref": "#/$defs/message-" + o.name})
	}
	for _, o := range d.commands {
		s := objectSchema(o, nil)
		properties, required := s["properties"].(fields), s["required"].([]string)
		properties["v"], properties["do"] = fields{"const": protocol.Version}, fields{"const": o.name}
		properties["id"] = fields{"type": "integer", "minimum": 1, "description": "chosen by the client, repeated in the ack"}
		s["required"], s["additionalProperties"] = append([]string{"v", "id", "do"}, required...), false
		defs["command-"+o.name] = s
		commands = append(commands, fields{"$ref": "#/$defs/command-" + o.name})
	}
	defs["fromServer"], defs["fromPage"] = fields{"oneOf": server}, fields{"oneOf": commands}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	err := enc.Encode(fields{
		"$schema":     "https://json-schema.org/draft/2020-12/schema",
		"title":       "Messages of Wheelscope's WebSocket",
		"description": "A message of the server or a command. MESSAGES.md describes them. Generated from web/session/protocol by make generate.",
		"oneOf":       []any{fields{"$ref": "#/$defs/fromServer"}, fields{"$ref": "#/$defs/fromPage"}},
		"$defs":       defs,
	})
	return b.Bytes(), err
}

// objectSchema returns the schema of o. given maps the names of some fields to their schemas. The schemas of the
// other fields are derived from their types.
func objectSchema(o *object, given fields) fields {
	properties, required := fields{}, []string{}
	for _, f := range o.fields {
		s := schema(f.shape)
		if len(f.enum) > 0 {
			s["enum"] = f.enum
		}
		if f.nullable {
			s = fields{"anyOf": []any{s, fields{"type": "null"}}}
		}
		if own, ok := given[f.name]; ok {
			s = own.(fields)
		}
		if f.doc != "" {
			s["description"] = f.doc
		}
		properties[f.name] = s
		if !f.optional {
			required = append(required, f.name)
		}
	}
	return fields{"type": "object", "description": o.doc, "properties": properties, "required": required}
}

// schema returns the JSON Schema of s.
func schema(s shape) fields {
	switch s.kind {
	case "any":
		return fields{}
	case "list":
		return fields{"type": "array", "items": schema(*s.elem)}
	case "map":
		return fields{"type": "object", "additionalProperties": schema(*s.elem)}
	case "object", "named":
		return fields{"$ref": "#/$defs/" + s.name}
	}
	return fields{"type": s.kind}
}
