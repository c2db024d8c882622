package session

import (
	"context"

	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// Connection is the connection of a viewer. A session calls its methods on the session's goroutine, so they must not
// block.
type Connection interface {
	Greeted()  // called when the viewer joins, before its first messages are queued
	Replaced() // called when another driver has replaced the viewer; the connection should then be closed
}

// Viewer is a client of a session. It receives the messages of the session through a queue and, if it drives
// the session, sends commands. Its methods may be called concurrently.
type Viewer struct {
	session *Session
	conn    Connection
	driver  bool   // whether the viewer drives the session: it opened the session or knows its secret
	lang    string // language of the texts in messages to the viewer
	*outbox        // messages to the viewer, which its connection takes with Next

	timeline timelineSent // timeline last queued; used only on the runner's goroutine
	transfer *transfer    // answer to an "events" command in progress, or nil; used only on the runner's goroutine
}

// View returns a new viewer of the session, which [Viewer.Join] adds to it. A driver may send every command; other
// viewers may send only "state" and "events". lang is the language of the texts in the messages.
func (s *Session) View(driver bool, lang string, c Connection) *Viewer {
	return &Viewer{session: s, conn: c, driver: driver, lang: lang, outbox: newOutbox()}
}

// Join adds the viewer to its session. It returns an error if the session has ended.
func (v *Viewer) Join() error { return v.session.Do(func() { v.session.join(v) }) }

// Leave removes the viewer from its session. If it was the last viewer, the session ends. For protocol.SessionKeep,
// the hub keeps what is needed to open it again.
func (v *Viewer) Leave() { v.session.Do(func() { v.session.leave(v) }) }

// GiveUp ends the session if no viewer has ever joined it. It is called when the first viewer has not joined in
// time.
func (v *Viewer) GiveUp() {
	if !v.session.joined.Load() {
		v.session.fail(context.DeadlineExceeded)
	}
}

// Ended returns a channel that is closed when the session ends.
func (v *Viewer) Ended() <-chan struct{} { return v.session.ctx.Done() }

// Ending returns the reason why the session has ended, and reports whether it is an error. An error is described in
// the language of the viewer; any other reason is in English.
func (v *Viewer) Ending() (reason string, failed bool) {
	cause := context.Cause(v.session.ctx)
	if cause == nil || cause == context.Canceled {
		return "the session has ended", false
	}
	return protocol.Describe(cause, v.lang).Error(), true
}

// CatchUp requests a state for the client if the queue is empty and the client has missed a message. This happens if a
// delta was dropped because the queue was full, or if a state could not be computed in time. It also requests the next
// part of an answer of which Next has returned a part.
func (v *Viewer) CatchUp() {
	answers, state := v.wants()
	if answers {
		v.session.Do(v.sendEvents)
	}
	if state {
		v.session.resync()
	}
}
