//go:build unix

package web

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// BenchmarkHeldKeys has 20 sessions send 30 commands a second each, like a held key, and reports
// the gaps between the frames of another session that plays.
func BenchmarkHeldKeys(b *testing.B) {
	for _, key := range []string{"step", "event", "back", "seek", "find"} {
		b.Run(key, func(b *testing.B) {
			benchLoad(b, loadPlan{Players: 1, Keys: 20, Key: key})
		})
	}
}

// BenchmarkPlayers reports the gaps between the frames of many sessions, and of many viewers of one
// session.
func BenchmarkPlayers(b *testing.B) {
	b.Run("1", func(b *testing.B) { benchLoad(b, loadPlan{Players: 1}) })
	b.Run("150", func(b *testing.B) { benchLoad(b, loadPlan{Players: 150}) })
	b.Run("200", func(b *testing.B) { benchLoad(b, loadPlan{Players: 200}) })
	b.Run("viewers", func(b *testing.B) { benchLoad(b, loadPlan{Players: 1, Viewers: protocol.SocketsMax - 1}) })
}

// loadTime is the time for which a load is measured.
const loadTime = 8 * time.Second

// benchLoad starts a server and its clients, which run in another process.
func benchLoad(b *testing.B, p loadPlan) {
	store := sim.NewStore(sim.StoreOptions{})
	defer store.Close()
	s, err := New(Config{Addr: "127.0.0.1:0", Store: store})
	if err != nil {
		b.Fatal(err)
	}
	if err := s.Listen(); err != nil {
		b.Fatal(err)
	}
	go s.Serve()
	defer s.Shutdown(context.Background())
	p.Addr, p.Seconds = s.ln.Addr().String(), loadTime.Seconds()
	var r loadResult
	spent := cpuTime(b)
	for b.Loop() {
		r = playLoad(b, p)
	}
	spent = cpuTime(b) - spent
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(r.P99, "p99-ms")
	b.ReportMetric(r.Max, "max-ms")
	b.ReportMetric(r.FPS, "frames/s")
	b.ReportMetric(r.LeastFPS, "least-frames/s")
	b.ReportMetric(r.MBps, "MB/s")
	b.ReportMetric(r.States, "states/s")
	b.ReportMetric(spent.Seconds()/float64(b.N), "server-cpu-s/op")
	if p.Keys > 0 {
		b.ReportMetric(r.Acks, "acks/s")
		b.ReportMetric(r.KeyP99, "p99-ack-ms")
	}
}

// playLoad runs a plan in another process.
func playLoad(b *testing.B, p loadPlan) (r loadResult) {
	plan, err := json.Marshal(p)
	if err != nil {
		b.Fatal(err)
	}
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), loadEnv+"="+string(plan))
	var said strings.Builder
	c.Stderr = &said
	out, err := c.Output()
	if err == nil {
		err = json.Unmarshal(out, &r)
	}
	if err != nil {
		b.Fatalf("%v\n%s", err, said.String())
	}
	return r
}

// cpuTime returns the processor time used by this process without its children.
func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
