// Package session implements the sessions of the lab. A session is a cursor on a run. Viewers move it with
// commands and follow it through messages (docs/MESSAGES.md). The package does not depend on HTTP or
// WebSockets, so that a session works in a server and in a browser.
//
// Start reading at [Hub], which opens sessions, and [Viewer], through which a client sends commands and
// receives messages. A session runs on the goroutine of its runner (cursor.Runner). session.go contains what it
// sends, perform.go the commands, and outbox.go the queue of a viewer.
package session
