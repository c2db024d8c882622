// Package session implements the sessions of the lab. A session is a cursor on a run. Viewers move it with commands
// and follow it through messages (docs/MESSAGES.md). The package does not depend on HTTP or WebSockets, so a session
// works both in a server and in a browser.
//
// Start reading at [Hub], which opens sessions, and [Viewer], through which a client sends commands and receives
// messages. A session runs on the goroutine of its runner (cursor.Runner). A command goes through command.go,
// what the cursor then reports is sent by show.go, and the queue of a viewer is in outbox.go.
package session
