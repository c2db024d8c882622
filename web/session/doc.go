// Package session has the sessions of the lab: each is a cursor on a run that viewers move with
// commands and follow through messages (docs/MESSAGES.md). It knows nothing of HTTP or WebSockets, so a
// session works in a server and in a browser alike.
//
// Start reading at [Hub], which opens sessions, and [Viewer], through which a client sends commands and
// takes messages. A session runs on the goroutine of its runner (cursor.Runner); session.go has what it
// sends, perform.go the commands, and outbox.go the queue of a viewer.
package session
