// Package protocol defines the messages between a page and its session. Structs describe the commands and the messages
// from the server. Messages that are sent many times a second have their own encoders. The tables of docs/MESSAGES.md,
// docs/messages.schema.json, static/types/messages.d.ts, static/js/core/protocol.js and static/js/state/kinds.js are
// generated from the structs and their comments. [Limits] returns the limits that a page must know in advance.
package protocol

//go:generate go run -C protocolgen .
