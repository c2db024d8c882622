package session

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"testing"

	"github.com/benbjohnson/clock"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/cursor"
	"github.com/wheelscope/wheelscope/sim/engine"
	"github.com/wheelscope/wheelscope/sim/program"
)

// beforehand is a session that calls do before it shows a run that it opens.
type beforehand struct {
	*Session
	do func()
}

func (b beforehand) Detail(lanes []*engine.Lane) int {
	b.do()
	return b.Session.Detail(lanes)
}

// A run that a session waits for is kept, however many others are opened meanwhile.
func TestWhatIsOpenedIsKept(t *testing.T) {
	store := sim.NewStore(sim.StoreOptions{})
	defer store.Close()
	books := NewLibrary(store, nil)
	p, err := books.Program("three-slots")
	if err != nil {
		t.Fatal(err)
	}
	run, err := store.Open(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	s := &Session{library: books, ctx: t.Context()}
	s.runner = cursor.NewRunner(clock.NewMock(), beforehand{s, func() {
		for n := range sim.StoreRunsMax + 1 {
			p, err := program.Load(fmt.Appendf(nil, `{"wheelscope":1,"until":%d,"lanes":[{"algorithm":"heap"}],"workload":{}}`, n))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := store.Open(t.Context(), p); err != nil {
				t.Fatal(err)
			}
		}
	}})
	if err := s.open(s.runner.Context(), run, sim.EndOf(3)); err != nil {
		t.Fatal(err)
	}
	if _, ok := store.Lookup(run.Digest()); !ok {
		t.Error("what is shown has gone")
	}
}

// Closing a page while it plays is not an error and not logged.
func TestEndedSessionLogsNoError(t *testing.T) {
	var log bytes.Buffer
	ctx, end := context.WithCancel(t.Context())
	s := &Session{log: slog.New(slog.NewTextHandler(&log, nil)), ctx: ctx}
	end()
	s.OnError(context.Canceled)
	if log.Len() > 0 {
		t.Errorf("logged %q", log.String())
	}
}
