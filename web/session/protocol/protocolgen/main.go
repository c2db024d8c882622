// Command protocolgen writes the files generated from the messages of the WebSocket in package protocol and
// from the events of package wheel: the tables of docs/MESSAGES.md, docs/messages.schema.json,
// static/types/messages.d.ts, static/js/core/protocol.js and static/js/state/kinds.js. It is run by go generate
// in the folder of package protocol.
package main

import (
	"log"
	"os"
	"path/filepath"
)

func main() {
	log.SetFlags(0)
	files, err := generate("../../../..")
	if err != nil {
		log.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(name, text, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

// generate returns the contents of the generated files by file name. root is the root directory of the project.
func generate(root string) (map[string][]byte, error) {
	d, err := describe(root)
	if err != nil {
		return nil, err
	}
	messages := filepath.Join(root, "docs/MESSAGES.md")
	text, err := os.ReadFile(messages)
	if err != nil {
		return nil, err
	}
	if text, err = replaceTables(text, d); err != nil {
		return nil, err
	}
	script := types(d)
	schema, err := schemaOf(d) // adds fields to messages and commands
	if err != nil {
		return nil, err
	}
	return map[string][]byte{
		messages: text,
		filepath.Join(root, "docs/messages.schema.json"):  schema,
		filepath.Join(root, "static/types/messages.d.ts"): script,
		filepath.Join(root, "static/js/core/protocol.js"): protocolModule(),
		filepath.Join(root, "static/js/state/kinds.js"):   kindsModule(),
	}, nil
}
