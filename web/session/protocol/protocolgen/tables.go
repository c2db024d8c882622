package main

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"
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
		fmt.Fprintf(&b, "### `%s`\n\n`%s` %s\n\n%s\n", o.name, o.name, o.Description, fieldTable(o))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// partTables returns, in Markdown, the name, the doc comment and a table of the fields for each object that occurs in
// a message.
func partTables(d *description) string {
	var b strings.Builder
	for _, o := range d.parts {
		fmt.Fprintf(&b, "**%s** %s\n\n%s\n", o.name, o.Description, fieldTable(o))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// header contains the names of the fields that every message has.
var header = map[string]bool{"v": true, "kind": true, "run": true, "seq": true}

// fieldTable returns a Markdown table of the fields of o. It omits the fields in header.
func fieldTable(o *object) string {
	var b strings.Builder
	b.WriteString("| field | type | meaning |\n|---|---|---|\n")
	for p := o.Properties.Oldest(); p != nil; p = p.Next() {
		if header[p.Key] {
			continue
		}
		s, null := nullable(p.Value)
		typ := typeOf(s)
		if null {
			typ += " or null"
		}
		if !slices.Contains(o.Required, p.Key) {
			typ += ", can be absent"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", p.Key, typ, s.Description)
	}
	return b.String()
}

// typeOf formats the type of s for a cell of a table.
func typeOf(s *jsonschema.Schema) string {
	switch {
	case s.Ref != "":
		return named(s)
	case len(s.Enum) > 0:
		return quoted(s.Enum, ", ")
	case s.Type == "array":
		return "[" + typeOf(s.Items) + " …]"
	case s.Type == "object":
		return "{name: " + typeOf(s.AdditionalProperties) + "}"
	}
	return cmp.Or(s.Type, "any")
}

// quoted returns the values of an enumeration in quotes, with between between them.
func quoted(values []any, between string) string {
	var list []string
	for _, v := range values {
		list = append(list, fmt.Sprintf("%q", v))
	}
	return strings.Join(list, between)
}

// listTable returns a Markdown table of the list types.
func listTable(d *description) string {
	var b strings.Builder
	b.WriteString("| list | elements |\n|---|---|\n")
	for _, l := range d.lists {
		fmt.Fprintf(&b, "| %s | %s |\n", l.name, l.Description)
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
		for p := o.Properties.Oldest(); p != nil; p = p.Next() {
			cell, doc := "`"+p.Key+"`", p.Value.Description
			if !slices.Contains(o.Required, p.Key) {
				cell = "[" + cell + "]"
			}
			if len(p.Value.Enum) > 0 {
				doc = quoted(p.Value.Enum, ", ")
			}
			if doc != "" {
				cell += ": " + doc
			}
			cells = append(cells, cell)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", o.name, strings.Join(cells, "; "), strings.TrimSuffix(o.Description, "."))
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
