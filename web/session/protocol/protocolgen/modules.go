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

// protocolModule returns the content of static/js/core/protocol.js: the version of the protocol and, for each message
// field that is sent as a list, the indices of the list's elements by name.
func protocolModule() []byte {
	var b bytes.Buffer
	b.WriteString(`// @ts-check
/**
 * The constants of the /ws messages. docs/MESSAGES.md describes the messages, and static/types/messages.d.ts
 * has their types. Generated from web/session/protocol by make generate. DO NOT EDIT.
 */
`)
	fmt.Fprintf(&b, "\n/** Version of the messages. */\nexport const VERSION = %d;\n", protocol.Version)
	fmt.Fprintf(&b, "\n/** Number of integers in a row of `events`. */\nexport const ROW = %d;\n", protocol.RowWidth)
	indices(&b, "Indices of the columns of a row.", "COL", protocol.RowColumns[:])
	fmt.Fprintf(&b, "\n/** Level in a row without a place. */\nexport const NO_LEVEL = %d;\n", wheel.NoLevel)
	indices(&b, "Indices in `counts`.", "COUNT", protocol.CountNames[:])
	indices(&b, "Indices in `cost`.", "COST", protocol.CostNames[:])
	indices(&b, "Indices of the columns of `costs`.", "TICK_COST", protocol.TickCostColumns[:])
	indices(&b, "Indices of the columns of a lane in `preview`.", "FUTURE", protocol.FutureColumns[:])
	b.WriteString(`
/**
 * Returns a column of the row that begins at ` + "`at`" + `.
 * @param {number[]} rows @param {number} at @param {keyof typeof COL} column
 */
export function cell(rows, at, column) {
  return rows[at + COL[column]];
}
`)
	return b.Bytes()
}

// indices appends to b the declaration of a JavaScript constant: an object that maps each element of names to its
// index. constant is the name of the constant, and doc its comment.
func indices(b *bytes.Buffer, doc, constant string, names []string) {
	fmt.Fprintf(b, "\n/** %s */\nexport const %s = Object.freeze({\n ", doc, constant)
	for i, name := range names {
		fmt.Fprintf(b, " %s: %d,", name, i)
	}
	b.WriteString("\n});\n")
}

// kindsModule returns the content of static/js/state/kinds.js: the event kinds and codes, with the numbers that
// represent them in messages.
func kindsModule() []byte {
	var kinds, codes, due []string
	for k := range wheel.NumKinds {
		kinds = append(kinds, k.String())
		if k.HasDue() {
			due = append(due, "KIND."+k.String())
		}
	}
	for c := range wheel.NumCodes {
		codes = append(codes, wheel.CodeName(uint8(c)))
	}
	var b bytes.Buffer
	b.WriteString(`// @ts-check
/** Kinds and codes of events. Generated from wheel/event.go by make generate. DO NOT EDIT. */

/** Names of kinds by number, as in a trace. */
`)
	fmt.Fprintf(&b, "export const KINDS = Object.freeze([%s]);\n", quotedList(kinds))
	b.WriteString(`
/** Numbers of kinds by name. */
export const KIND = Object.freeze(Object.fromEntries(KINDS.map((name, number) => [name, number])));

/** Names of codes by number: reasons of rejections, operations that found no timer, and kinds of findings. */
`)
	fmt.Fprintf(&b, "export const CODES = Object.freeze([%s]);\n", quotedList(codes))
	fmt.Fprintf(&b, "\n/** Kinds of events that have the due tick of their timer. */\nexport const WITH_DUE = new Set([%s]);\n", strings.Join(due, ", "))
	return b.Bytes()
}

func quotedList(names []string) string { return `"` + strings.Join(names, `", "`) + `"` }

// types returns the content of static/types/messages.d.ts: the types of messages and commands, against which the
// scripts are type-checked.
func types(d *description) []byte {
	var b bytes.Buffer
	b.WriteString("/** The messages of /ws. Generated from web/session/protocol by make generate. DO NOT EDIT. */\ndeclare namespace Message {\n")
	for _, l := range d.lists {
		fmt.Fprintf(&b, "  /** %s */\n  type %s = %s;\n", l.Description, l.name, script(l.Schema))
	}
	for _, o := range d.parts {
		fmt.Fprintf(&b, "\n  /** %s */\n  type %s = {\n%s  };\n", o.Description, o.name, scriptFields(o, "    "))
	}
	var kinds []string
	for _, o := range d.messages {
		name := strings.ToUpper(o.name[:1]) + o.name[1:]
		kinds = append(kinds, name)
		fmt.Fprintf(&b, "\n  /** %s */\n  type %s = {\n%s  };\n", o.Description, name, scriptFields(o, "    "))
	}
	fmt.Fprintf(&b, "\n  type FromServer = %s;\n\n  /** The fields of each command. */\n  interface Commands {\n", strings.Join(kinds, " | "))
	for _, o := range d.commands {
		fmt.Fprintf(&b, "    /** %s */\n    %s: {\n%s    };\n", o.Description, o.name, scriptFields(o, "      "))
	}
	b.WriteString("  }\n}\n")
	return b.Bytes()
}

// scriptFields returns the TypeScript declarations of the fields of o, with each line indented by indent.
func scriptFields(o *object, indent string) string {
	var b strings.Builder
	for p := o.Properties.Oldest(); p != nil; p = p.Next() {
		s, null := nullable(p.Value)
		mark, typ := "", script(s)
		if p.Key == "kind" {
			typ = `"` + o.name + `"`
		}
		if !slices.Contains(o.Required, p.Key) {
			mark = "?"
		}
		if null {
			typ += " | null"
		}
		if s.Description != "" {
			fmt.Fprintf(&b, "%s/** %s */\n", indent, s.Description)
		}
		fmt.Fprintf(&b, "%s%s%s: %s;\n", indent, p.Key, mark, typ)
	}
	return b.String()
}

// script returns the TypeScript type for s.
func script(s *jsonschema.Schema) string {
	switch {
	case s.Ref != "":
		return named(s)
	case len(s.Enum) > 0:
		return quoted(s.Enum, " | ")
	case s.Type == "integer":
		return "number"
	case s.Type == "array":
		return script(s.Items) + "[]"
	case s.Type == "object":
		return "Record<string, " + script(s.AdditionalProperties) + ">"
	}
	return cmp.Or(s.Type, "any")
}
