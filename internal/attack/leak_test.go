//go:build linux

package attack

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime"
	"runtime/pprof"
	"strings"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/web"
	"go.uber.org/goleak"
)

// leaks are attacks after which a server in this process must have no more goroutines and
// descriptors than before. Their names are those of the suite.
var leaks = []string{"row07-pictures", "slow-readers", "half-open", "row00-find-slot", "row03-foreign-images", "row05-unfinished-messages", "row09-held-keys", "row16-slow-uploads", "slow-writers"}

const (
	leakWait       = time.Minute // time for goroutines and descriptors to end after the attack
	goroutineSlack = 4           // a first pass that is being stopped, and an idle connection
)

// TestLeaks attacks a server in this process. The processes of TestAttacks reveal descriptors, but
// not goroutines.
func TestLeaks(t *testing.T) {
	names := leaks
	if !*full {
		names = names[:3]
	}
	for _, a := range attacks {
		for _, name := range names {
			if a.name == name {
				t.Run(name, func(t *testing.T) { checkLeaks(t, a) })
			}
		}
	}
}

func checkLeaks(t *testing.T, a attack) {
	outside := goleak.IgnoreCurrent()
	s, stop := serveHere(t)
	ctx, cancel := context.WithTimeout(t.Context(), caseMax)
	defer cancel()
	c := newTrial(ctx, t, s, spanShort)
	if err := s.healthy(); err != nil { // opens descriptors that are opened only once
		t.Fatal(err)
	}
	goroutines, files := runtime.NumGoroutine(), s.files()
	began := time.Now()
	a.run(c)
	c.linger(began)
	c.disconnect()
	most := runtime.NumGoroutine()
	for until := time.Now().Add(leakWait); time.Now().Before(until); time.Sleep(sampleEvery) {
		if runtime.NumGoroutine() <= goroutines+goroutineSlack && s.files() <= files+fileSlack {
			break
		}
	}
	if n := runtime.NumGoroutine(); n > goroutines+goroutineSlack {
		var stacks strings.Builder
		pprof.Lookup("goroutine").WriteTo(&stacks, 1)
		t.Errorf("%s after the attack %d goroutines run, %d before:\n%.4000s", leakWait, n, goroutines, stacks.String())
	}
	if n := s.files(); n > files+fileSlack {
		t.Errorf("%s after the attack %d descriptors are open, %d before", leakWait, n, files)
	}
	stop()
	goleak.VerifyNone(t, outside)
	t.Logf("%d goroutines before, %d during, %d after; attackers: %s", goroutines, most, runtime.NumGoroutine(), c.summary())
}

// serveHere starts a server in this process, which stop ends.
func serveHere(t *testing.T) (s *server, stop func()) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	store := sim.NewStore(sim.StoreOptions{})
	ours, err := web.New(web.Config{Addr: ln.Addr().String(), Store: store, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- ours.ServeOn(ln) }()
	s = &server{addr: ln.Addr().String(), pid: os.Getpid(), log: &firstBytes{}, done: make(chan struct{})}
	return s, func() {
		ctx, cancel := context.WithTimeout(context.Background(), stopMax)
		defer cancel()
		if err := ours.Shutdown(ctx); err != nil {
			t.Errorf("shutdown: %v", err)
		}
		if err := <-served; err != nil {
			t.Error(err)
		}
		store.Close()
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	}
}
