package session

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"time"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// keptSession is what the hub keeps of a session after its last viewer has left. The session can be opened
// again, paused at its position, unless the store has dropped its run: a keptSession does not retain the run.
type keptSession struct {
	id     string
	secret secret
	run    string // digest of the run
	at     sim.Position
	rate   float64   // playback rate; negative means the default
	until  time.Time // time at which the keptSession expires
}

// Errors returned by Hub.Join and Hub.Joinable.
var (
	ErrNoSession   = errors.New("session: no such session")
	ErrWrongSecret = errors.New("session: not the secret of the session")
)

// Joining is a request to join an existing session.
type Joining struct {
	ID      string // ID of the session
	Secret  string
	Driving bool // whether the request contains a secret, that is, asks to drive the session
}

// allows returns ErrWrongSecret if j contains a secret other than s, the secret of the session, and nil
// otherwise.
func (j Joining) allows(s secret) error {
	if j.Driving && !s.is(j.Secret) {
		return ErrWrongSecret
	}
	return nil
}

// keep removes s, which has no viewers, from the open sessions of the hub, and adds a keptSession for it that expires
// after protocol.SessionKeep. It does nothing if the hub is closing. It is called on the goroutine of s.
func (h *Hub) keep(s *Session) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closing {
		return
	}
	delete(h.sessions, s.id)
	h.kept.Add(s.id, keptSession{s.id, s.secret, s.run.Digest(), s.runner.Position(), s.runner.Playing().Rate, h.Clock.Now().Add(protocol.SessionKeep)})
	h.Library.Store.Expect(s.run, protocol.SessionKeep)
}

// Join returns the session that j requests. If the session has ended for lack of viewers and h.kept still contains it,
// Join opens it again, and makes the store retain its run until ctx is done.
func (h *Hub) Join(ctx context.Context, j Joining) (*Session, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if s, ok := h.sessions[j.ID]; ok {
		return s, j.allows(s.secret)
	}
	kept, run, err := h.recall(j)
	if err != nil {
		return nil, err
	}
	h.Library.Store.Retain(ctx, run)
	s, err := h.start(run, kept)
	if err == nil {
		h.kept.Remove(j.ID)
	}
	return s, err
}

// Joinable returns the error that Join would return for j now, or nil. It does not open the session.
func (h *Hub) Joinable(j Joining) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if s, ok := h.sessions[j.ID]; ok {
		return j.allows(s.secret)
	}
	if _, _, err := h.recall(j); err != nil {
		return err
	}
	return h.busy()
}

// recall returns the keptSession that j requests, which describes a session that has no viewers but can be opened
// again, and the run of that session. It returns ErrNoSession if there is none, if it has expired, or if its run has
// been dropped, and ErrWrongSecret if j contains a wrong secret. h.mu must be held.
func (h *Hub) recall(j Joining) (keptSession, *sim.Run, error) {
	kept, ok := h.kept.Peek(j.ID)
	if !ok {
		return kept, nil, ErrNoSession
	}
	run, known := h.Library.Store.Lookup(kept.run)
	if !known || !h.Clock.Now().Before(kept.until) {
		h.kept.Remove(j.ID)
		return kept, nil, ErrNoSession
	}
	return kept, run, j.allows(kept.secret)
}

// secret is the secret of a session: 128 random bits that authenticate the driver.
type secret [16]byte

func newSecret() (s secret) {
	rand.Read(s[:])
	return s
}

// String returns the secret in hexadecimal, as it is sent to the driver.
func (s secret) String() string { return hex.EncodeToString(s[:]) }

// is reports whether text is the secret in hexadecimal. The comparison takes constant time.
func (s secret) is(text string) bool {
	return subtle.ConstantTimeCompare([]byte(text), []byte(s.String())) == 1
}
