package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/wheelscope/wheelscope/web/session/protocol"
	"github.com/wheelscope/wheelscope/wheel"
)

// replaceTables replaces the generated parts of text, the content of docs/MESSAGES.md. Each part is between the
// lines "<!-- generated: NAME -->" and "<!-- end -->".
func replaceTables(text []byte, d *description) ([]byte, error) {
	for name, part := range map[string]string{
		"messages": messageTables(d), "parts": partTables(d), "lists": listTable(d), "commands": commandTable(d), "numbers": numberTable(),
	} {
		begin := []byte("<!-- generated: " + name + " -->\n")
		before, rest, found := bytes.Cut(text, begin)
		_, after, closed := bytes.Cut(rest, []byte("<!-- end -->\n"))
		if !found || !closed {
			return nil, fmt.Errorf("docs/MESSAGES.md has no generated part %q", name)
		}
		text = bytes.Join([][]byte{before, begin, []byte("\n" + part + "\n<!-- end -->\n"), after}, nil)
	}
	return text, nil
}

// messageTables returns, in Markdown, a heading, the doc comment and a table of the fields for each message. The
// tables omit the fields in header.
func messageTables(d *description) string {
	var b strings.Builder
	for _, o := range d.messages {
		fmt.Fprintf(&b, "### `%s`\n\n`%s` %s\n\n%s\n", o.name, o.name, o.doc, fieldTable(o))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// partTables returns, in Markdown, the name, the doc comment and a table of the fields for each object that occurs in
// a message.
func partTables(d *description) string {
	var b strings.Builder
	for _, o := range d.objects {
		fmt.Fprintf(&b, "**%s** %s\n\n%s\n", o.name, o.doc, fieldTable(o))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// header contains the names of the fields that every message has.
var header = map[string]bool{"v": true, "kind": true, "run": true, "seq": true}

// fieldTable returns a Markdown table of the fields of o. Unless o is the Header type itself, it omits the fields in
// header.
func fieldTable(o *object) string {
	var b strings.Builder
	b.WriteString("| field | type | meaning |\n|---|---|---|\n")
	for _, f := range o.fields {
		if header[f.name] && o.name != "Header" {
			continue
		}
		typ, doc := describe(f.shape), f.doc
		if len(f.enum) > 0 {
			typ = `"` + strings.Join(f.enum, `", "`) + `"`
		}
		if f.nullable {
			typ += " or null"
		}
		if f.optional {
			typ += ", can be absent"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", f.name, typ, doc)
	}
	return b.String()
}

// describe formats shape s for a cell of a table.
func describe(s shape) string {
	switch s.kind {
	case "list":
		return "[" + describe(*s.elem) + " …]"
	case "map":
		return "{name: " + describe(*s.elem) + "}"
	case "object", "named":
		return s.name
	}
	return s.kind
}

// listTable returns a Markdown table of the list types.
func listTable(d *description) string {
	var b strings.Builder
	b.WriteString("| list | elements |\n|---|---|\n")
	for _, l := range d.lists {
		fmt.Fprintf(&b, "| %s | %s |\n", l.name, l.doc)
	}
	return strings.NewReplacer(
		"RowColumns", "`"+strings.Join(protocol.RowColumns[:], ", ")+"`",
		"EntryFields", "`"+strings.Join(protocol.EntryFields[:], ", ")+"`",
		"CountNames", "`"+strings.Join(protocol.CountNames[:], ", ")+"`",
		"TickCostColumns", "`"+strings.Join(protocol.TickCostColumns[:], ", ")+"`",
		"FutureColumns", "`"+strings.Join(protocol.FutureColumns[:], ", ")+"`",
		"CostNames", "`"+strings.Join(protocol.CostNames[:], ", ")+"`",
	).Replace(b.String())
}

// commandTable returns a Markdown table of the commands. Fields in brackets are optional.
func commandTable(d *description) string {
	var b strings.Builder
	b.WriteString("| do | fields | effect |\n|---|---|---|\n")
	for _, o := range d.commands {
		var cells []string
		for _, f := range o.fields {
			cell := "`" + f.name + "`"
			if f.optional {
				cell = "[" + cell + "]"
			}
			doc := f.doc
			if len(f.enum) > 0 {
				doc = `"` + strings.Join(f.enum, `", "`) + `"`
			}
			if doc != "" {
				cell += ": " + doc
			}
			cells = append(cells, cell)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", o.name, strings.Join(cells, "; "), strings.TrimSuffix(o.doc, "."))
	}
	return b.String()
}

// numberTable returns, in Markdown, the numbers that represent event kinds and codes in messages.
func numberTable() string {
	var b strings.Builder
	b.WriteString("| number | kind | code |\n|---|---|---|\n")
	cell := func(name string) string {
		if name == "" {
			return ""
		}
		return "`" + name + "`"
	}
	for i := 1; i < int(max(wheel.NumKinds, wheel.Kind(wheel.NumCodes))); i++ {
		fmt.Fprintf(&b, "| %d | %s | %s |\n", i, cell(wheel.Kind(i).String()), cell(wheel.CodeName(uint8(i))))
	}
	return b.String()
}
