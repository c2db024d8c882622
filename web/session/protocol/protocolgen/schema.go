package main

import (
	"bytes"
	"encoding/json"

	"github.com/invopop/jsonschema"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// schemaOf returns the content of docs/messages.schema.json. The definitions in it are named message-NAME for a
// message from the server, such as message-hello, and command-NAME for a command, such as command-seek.
func schemaOf(d *description) ([]byte, error) {
	top := &jsonschema.Schema{
		Version:     jsonschema.Version,
		Title:       "Messages of Wheelscope's WebSocket",
		Description: "A message of the server or a command. MESSAGES.md describes them. Generated from web/session/protocol by make generate.",
		OneOf:       []*jsonschema.Schema{{Ref: "#/$defs/fromServer"}, {Ref: "#/$defs/fromPage"}},
		Definitions: jsonschema.Definitions{"fromServer": {}, "fromPage": {}},
	}
	add := func(to, name string, s *jsonschema.Schema) {
		top.Definitions[name] = s
		if to != "" {
			top.Definitions[to].OneOf = append(top.Definitions[to].OneOf, &jsonschema.Schema{Ref: "#/$defs/" + name})
		}
	}
	for _, o := range append(d.lists, d.parts...) {
		add("", o.name, o.Schema)
	}
	for _, o := range d.messages {
		for name, value := range map[string]any{"v": protocol.Version, "kind": o.name} {
			p, _ := o.Properties.Get(name)
			p.Type, p.Const = "", value
		}
		add("fromServer", "message-"+o.name, o.Schema)
	}
	for _, o := range d.commands {
		o.Properties.Set("v", &jsonschema.Schema{Const: protocol.Version})
		o.Properties.Set("do", &jsonschema.Schema{Const: o.name})
		o.Properties.Set("id", &jsonschema.Schema{Type: "integer", Minimum: "1", Description: "chosen by the client, repeated in the ack"})
		o.Required, o.AdditionalProperties = append([]string{"v", "id", "do"}, o.Required...), jsonschema.FalseSchema
		add("fromPage", "command-"+o.name, o.Schema)
	}
	var b bytes.Buffer
	text, err := json.Marshal(top)
	if err == nil {
		err = json.Indent(&b, text, "", " ")
	}
	b.WriteByte('\n')
	return b.Bytes(), err
}
