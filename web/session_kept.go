package web

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/wheelscope/wheelscope/sim"
)

// keptSession is what is kept of a session whose last socket has left: enough to open it
// again where it was, paused. It holds no memory of its run, which is one without viewers
// meanwhile and may be dropped; the session is gone then, too.
type keptSession struct {
	id     string
	secret secret
	run    string // its digest
	at     position
	rate   float64   // of playing; negative: the usual one
	until  time.Time // when it is forgotten
}

// closeReplaced is the code with which the socket of a driver is closed whose place another
// one has taken.
const closeReplaced = 4001

const replacedReason = "another connection drives this session now"

// Why a session can't be joined.
var (
	errNoSession   = errors.New("web: no such session")
	errWrongSecret = errors.New("web: not the secret of the session")
)

// joining is a request for a session that exists already.
type joining struct {
	id      string
	secret  string
	driving bool // the secret was given
}

// allows returns an error if a session with this secret may not be joined so.
func (j joining) allows(s secret) error {
	if j.driving && !s.is(j.secret) {
		return errWrongSecret
	}
	return nil
}

// keep remembers a session that has no sockets for sessionKeep, and removes it from those
// that are open. It is called on the session's goroutine.
func (h *hub) keep(s *session) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closing {
		return
	}
	delete(h.sessions, s.id)
	h.kept.Add(s.id, keptSession{s.id, s.secret, s.run.Digest(), s.position(), s.runner.Playing().Rate, h.clock.Now().Add(sessionKeep)})
	h.books.store.Expect(s.run, sessionKeep)
}

// join returns the session that j asks for; one that was kept is opened again. ctx retains
// its run until that is done.
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
	h.books.store.Look(ctx, run)
	s, err := h.start(run, kept)
	if err == nil {
		h.kept.Remove(j.id)
	}
	return s, err
}

// joinable returns why join would fail, nil if it would not.
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

// recall finds a session that was kept, and its run. It is called with the lock held.
func (h *hub) recall(j joining) (keptSession, *sim.Run, error) {
	kept, ok := h.kept.Peek(j.id)
	if !ok {
		return kept, nil, errNoSession
	}
	run, known := h.books.store.Lookup(kept.run)
	if !known || !h.clock.Now().Before(kept.until) {
		h.kept.Remove(j.id)
		return kept, nil, errNoSession
	}
	return kept, run, j.allows(kept.secret)
}

// secret is what the driver of a session proves itself with: 128 bits that can't be guessed.
type secret [16]byte

func newSecret() (s secret) {
	rand.Read(s[:])
	return s
}

// String is the secret as `hello` contains it.
func (s secret) String() string { return hex.EncodeToString(s[:]) }

// is compares a text with the secret, in a time that does not depend on where they differ.
func (s secret) is(text string) bool {
	return subtle.ConstantTimeCompare([]byte(text), []byte(s.String())) == 1
}

// sessionFault is the answer to a request for which there is no session.
func sessionFault(c echo.Context, id string, err error) error {
	if busy, ok := errors.AsType[errBusy](err); ok {
		return retryLater(c, busy.said)
	}
	switch {
	case errors.Is(err, errNoSession):
		return deny(http.StatusNotFound, "session: %q is not the id of a session; without sockets one is kept for %s at most", clip(id), sessionKeep.String())
	case errors.Is(err, errWrongSecret):
		return deny(http.StatusForbidden, "secret: not that of this session; without a secret it can be viewed")
	}
	return err
}
