package api

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"strings"

	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/web/session"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// OpenSession returns the session for a socket whose URL has the query q, and reports whether the socket is the driver
// of the session, which may move its cursor.
//
// If q names an existing session, OpenSession returns that session. If the session was closed because it had no
// sockets, OpenSession opens it again and makes the store keep its run until ctx is done.
//
// If q names no session, OpenSession opens a new one at the run and position that q selects. It waits until the run has
// been computed up to that position, and returns an error if wait is done before then. The store keeps the run until
// wait is done.
func OpenSession(ctx, wait context.Context, answers *Answers, hub *session.Hub, q url.Values) (*session.Session, bool, error) {
	j, err := joinOf(q)
	if err != nil {
		return nil, false, err
	}
	if j.ID != "" {
		found, err := hub.Join(ctx, j)
		return found, j.Driving, sessionFault(j.ID, err)
	}
	place, err := placeOf(wait, answers, q)
	if err == nil && place.Problem != nil {
		err = place.Problem
	}
	if err != nil {
		return nil, false, err
	}
	opened, err := hub.Open(place.Run, place.At)
	return opened, true, sessionFault("", err)
}

// placeOf returns the run and the position at which a new session begins if the URL of its socket has the query
// q.
func placeOf(ctx context.Context, answers *Answers, q url.Values) (Place, error) {
	if !q.Has("run") {
		return answers.Find(ctx, q)
	}
	run, err := answers.Look(ctx, q.Get("run"))
	if err != nil {
		return Place{}, err
	}
	return FindIn(ctx, run, q)
}

// SessionRefused returns the error that OpenSession would return now for the same answers, hub and q, or nil. It opens
// no session, so it cannot predict every error.
func SessionRefused(answers *Answers, hub *session.Hub, q url.Values) error {
	j, err := joinOf(q)
	switch {
	case err != nil:
		return err
	case j.ID != "":
		return sessionFault(j.ID, hub.Joinable(j))
	case q.Has("run"):
		if _, err := answers.Run("run", q.Get("run")); err != nil {
			return err
		}
	}
	return sessionFault("", hub.Full())
}

// joinOf returns the ID and the secret of the session that q, the query of a URL, asks to join. The ID is "" if q
// requests a new session. Without a secret, the socket joins as a viewer and not as the driver.
func joinOf(q url.Values) (session.Joining, error) {
	j := session.Joining{ID: q.Get("session"), Secret: q.Get("secret"), Driving: q.Has("secret")}
	for _, other := range []string{"scenario", "session"} {
		if q.Has("run") && q.Has(other) {
			return j, texts.Errorf(texts.Invalid, "run", "given beside %s; expected one of them", other)
		}
	}
	if j.Driving && j.ID == "" {
		return j, texts.Errorf(texts.Invalid, "secret", "given without %s", "session")
	}
	return j, nil
}

// sessionFault returns the error to send to a client if opening or joining a session failed with err. It
// returns nil if err is nil. id is the ID of the session to join, or "" for a new session.
func sessionFault(id string, err error) error {
	switch {
	case errors.Is(err, session.ErrNoSession):
		return texts.Errorf(texts.NotFound, "", "session: %q is not the id of a session; a session without sockets is kept for at most %s", texts.Clip(id), protocol.SessionKeep.String())
	case errors.Is(err, session.ErrWrongSecret):
		return texts.Errorf(texts.Forbidden, "", "secret: not the secret of this session, which can be viewed without one")
	}
	return err
}

// FileName returns the name of a file about a scenario: the name of the scenario followed by ending. Each
// character of the name other than an ASCII letter, a digit, "-" and "_" becomes a hyphen. If name is "",
// FileName uses "scenario" instead.
func FileName(name, ending string) string {
	plain := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '-'
	}, name)
	return cmp.Or(plain, "scenario") + ending
}
