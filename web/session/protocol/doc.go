// Package protocol has the messages between a page and its session: commands as they arrive, and the
// messages of the server as structs and as encoded by hand where they are sent many times a second.
// docs/MESSAGES.md describes them; a test compares the two. [Limits] are what a page must know in
// advance.
package protocol
