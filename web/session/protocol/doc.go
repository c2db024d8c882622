// Package protocol has the messages between a page and its session: commands as they arrive, and the
// messages of the server as structs and as encoded by hand where they are sent many times a second.
// The tables of docs/MESSAGES.md, docs/messages.schema.json, static/types/messages.d.ts,
// static/js/core/protocol.js and static/js/state/kinds.js are generated from the structs and their
// comments. [Limits] are what a page must know in advance.
package protocol

//go:generate go run ./protocolgen
