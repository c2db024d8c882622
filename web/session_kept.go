package web

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"time"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/web/locate"
)

// keptSession is what is kept of a session after its last socket has left: enough to open it again
// at its position, paused. It does not retain its run. If the store drops the run, the session
// can't be opened again.
type keptSession struct {
	id     string
	secret secret
	run    string // its digest
	at     locate.Position
	rate   float64   // of playback; negative: the default
	until  time.Time // when it expires
}

// Reasons why a session can't be joined.
var (
	errNoSession   = errors.New("session: no such session")
	errWrongSecret = errors.New("session: not the secret of the session")
)

// joining is a request for an existing session.
type joining struct {
	id      string
	secret  string
	driving bool // the secret was given
}

// allows returns an error if a session with secret s may not be joined by j.
func (j joining) allows(s secret) error {
	if j.driving && !s.is(j.secret) {
		return errWrongSecret
	}
	return nil
}

// keep moves a session without sockets from the open ones to those kept for sessionKeep. It is
// called on the session's goroutine.
func (h *hub) keep(s *session) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closing {
		return
	}
	delete(h.sessions, s.id)
	h.kept.Add(s.id, keptSession{s.id, s.secret, s.run.Digest(), s.position(), s.runner.Playing().Rate, h.Clock.Now().Add(sessionKeep)})
	h.Library.Store.Expect(s.run, sessionKeep)
}

// join returns the session that j asks for. A kept session is opened again, and its run is retained
// until ctx is done.
func (h *hub) join(ctx context.Context, j joining) (*session, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if s, ok := h.sessions[j.id]; ok {
		return s, j.allows(s.secret)
	}
	kept, run, err := h.recall(j)
	if err != nil {
		return nil, err
	}
	h.Library.Store.Look(ctx, run)
	s, err := h.start(run, kept)
	if err == nil {
		h.kept.Remove(j.id)
	}
	return s, err
}

// joinable returns the error that join would return now.
func (h *hub) joinable(j joining) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if s, ok := h.sessions[j.id]; ok {
		return j.allows(s.secret)
	}
	if _, _, err := h.recall(j); err != nil {
		return err
	}
	return h.busy()
}

// recall returns a kept session and its run. The caller holds h.mu.
func (h *hub) recall(j joining) (keptSession, *sim.Run, error) {
	kept, ok := h.kept.Peek(j.id)
	if !ok {
		return kept, nil, errNoSession
	}
	run, known := h.Library.Store.Lookup(kept.run)
	if !known || !h.Clock.Now().Before(kept.until) {
		h.kept.Remove(j.id)
		return kept, nil, errNoSession
	}
	return kept, run, j.allows(kept.secret)
}

// secret authenticates the driver of a session: 128 random bits.
type secret [16]byte

func newSecret() (s secret) {
	rand.Read(s[:])
	return s
}

// String returns the secret as sent in `hello`.
func (s secret) String() string { return hex.EncodeToString(s[:]) }

// is reports whether text is the secret, in constant time.
func (s secret) is(text string) bool {
	return subtle.ConstantTimeCompare([]byte(text), []byte(s.String())) == 1
}
