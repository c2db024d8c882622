package session

import (
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/cursor"
	"github.com/wheelscope/wheelscope/web/internal/webtest"
)

// connected is a connection that counts what its session asks of it.
type connected struct{ greeted, replaced int }

func (c *connected) Greeted()  { c.greeted++ }
func (c *connected) Replaced() { c.replaced++ }

// withSession calls test in a bubble with a session on a small run, without a network.
func withSession(t *testing.T, test func(t *testing.T, h *Hub, s *Session)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		store := sim.NewStore(sim.StoreOptions{})
		defer store.Close()
		books := NewLibrary(store, webtest.LoadSmall(t))
		run, err := store.Open(t.Context(), books.Given)
		if err != nil {
			t.Fatal(err)
		}
		h := NewHub(Options{Clock: clock.New(), Library: books, Log: slog.New(slog.DiscardHandler)})
		s, err := h.Open(run, sim.EndOf(3))
		if err != nil {
			t.Fatal(err)
		}
		test(t, h, s)
		h.Close()
		h.End()
		h.Wait()
	})
}

// received returns the messages that wait, without the headers that they have in common.
func received(v *Viewer) (list []string) {
	synctest.Wait()
	for {
		data, ok := v.Next()
		if !ok {
			return list
		}
		list = append(list, string(data))
	}
}

// kinds returns the kinds of messages.
func kinds(list []string) string {
	var b strings.Builder
	for _, m := range list {
		_, rest, _ := strings.Cut(m, `"kind":"`)
		kind, _, _ := strings.Cut(rest, `"`)
		b.WriteString(kind + " ")
	}
	return b.String()
}

// A session works without a network: commands in, messages out. Another driver replaces the first.
func TestSessionWithoutANetwork(t *testing.T) {
	withSession(t, func(t *testing.T, h *Hub, s *Session) {
		var first, second connected
		v := s.View(true, "en", &first)
		if err := v.Join(); err != nil {
			t.Fatal(err)
		}
		if got := kinds(received(v)); !strings.HasPrefix(got, "hello player state ") || first.greeted != 1 {
			t.Errorf("%s, greeted %d times", got, first.greeted)
		}
		v.Command([]byte(`{"v":1,"id":7,"do":"step","by":"tick","n":1}`))
		if got := received(v); kinds(got) != "delta ack " || !strings.Contains(got[1], `"ack":7`) {
			t.Errorf("%s", got)
		}
		other := s.View(true, "zh", &second)
		if err := other.Join(); err != nil {
			t.Fatal(err)
		}
		if got := kinds(received(other)); !strings.HasPrefix(got, "hello ") || first.replaced != 1 || second.replaced != 0 {
			t.Errorf("%s, replaced %d and %d times", got, first.replaced, second.replaced)
		}
		other.Leave()
		synctest.Wait()
		if open, kept := h.Counts(); open != 0 || kept != 1 {
			t.Errorf("%d sessions are open, %d kept", open, kept)
		}
		if reason, failed := other.Ending(); reason != "the session has ended" || failed {
			t.Errorf("%q, failed: %v", reason, failed)
		}
	})
}

// A session that no viewer joins ends, and takes no commands after that.
func TestSessionWithoutAViewerEnds(t *testing.T) {
	withSession(t, func(t *testing.T, h *Hub, s *Session) {
		if _, ok := h.Find(s.id); !ok || len(s.id) != 24 {
			t.Errorf("session %q is not found", s.id)
		}
		s.Abandon()
		synctest.Wait()
		if _, ok := h.Find(s.id); ok {
			t.Error("it stays after its end")
		}
		if err := s.Do(func() {}); !errors.Is(err, cursor.ErrRunnerEnded) {
			t.Errorf("an ended session takes a command: %v", err)
		}
	})
}

// However often viewers fall behind and catch up, there is one state per interval.
func TestStatesForLateViewersAreRare(t *testing.T) {
	withSession(t, func(t *testing.T, h *Hub, s *Session) {
		v := s.View(true, "en", &connected{})
		if err := v.Join(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		received(v)
		start := time.Now()
		for n := range 5 {
			s.Do(v.markBehind)
			synctest.Wait()
			for range 10 {
				v.CatchUp()
			}
			messages := received(v)
			for len(messages) == 0 && time.Since(start) < time.Minute {
				time.Sleep(time.Millisecond)
				messages = received(v)
			}
			if got, want := time.Since(start), time.Duration(n)*stateInterval; got != want || kinds(messages) != "state " {
				t.Errorf("state %d comes after %v, want %v", n, got, want)
			}
		}
		if time.Sleep(10 * time.Second); len(received(v)) > 0 {
			t.Error("more states follow")
		}
	})
}
