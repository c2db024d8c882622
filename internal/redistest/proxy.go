package redistest

import (
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Proxy is a TCP proxy that simulates a failing network between clients and a server: it can cut connections,
// even in the middle of a message, and delay data.
type Proxy struct {
	Addr   string
	target string
	listen net.Listener
	delay  atomic.Int64 // delay, in nanoseconds, before each piece of data is forwarded
	pumps  sync.WaitGroup

	mu    sync.Mutex
	conns map[net.Conn]struct{}
	shut  bool // whether stop has been called
}

// StartProxy starts a proxy in front of the server at address target. The proxy is stopped at the end of
// the test.
func StartProxy(t testing.TB, target string) *Proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{Addr: l.Addr().String(), target: target, listen: l, conns: map[net.Conn]struct{}{}}
	p.pumps.Go(p.accept)
	t.Cleanup(p.stop)
	return p
}

// Delay sets how long each piece of data is delayed before it is forwarded, in both directions.
func (p *Proxy) Delay(d time.Duration) { p.delay.Store(int64(d)) }

// Cut closes all open connections and returns the number of clients that were connected. New connections
// are still accepted.
func (p *Proxy) Cut() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		_ = c.Close()
	}
	return len(p.conns) / 2
}

func (p *Proxy) stop() {
	p.mu.Lock()
	p.shut = true
	p.mu.Unlock()
	_ = p.listen.Close()
	p.Cut()
	p.pumps.Wait()
}

func (p *Proxy) accept() {
	for {
		client, err := p.listen.Accept()
		if err != nil {
			return
		}
		server, err := net.DialTimeout("tcp", p.target, time.Second)
		if err != nil {
			_ = client.Close()
			continue
		}
		if p.keep(client, server) {
			p.pumps.Go(func() { p.pump(client, server) })
			p.pumps.Go(func() { p.pump(server, client) })
		}
	}
}

// keep registers two connections, one with a client and one with the server, so that Cut can close them. If
// the proxy has been stopped, keep closes them itself and returns false.
func (p *Proxy) keep(pair ...net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range pair {
		if p.shut {
			_ = c.Close()
			continue
		}
		p.conns[c] = struct{}{}
	}
	return !p.shut
}

// pump forwards data from src to dst until one of the two connections is closed, and then closes the other.
func (p *Proxy) pump(src, dst net.Conn) {
	_, _ = io.Copy(slow{dst, &p.delay}, src)
	_ = src.Close()
	_ = dst.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.conns, src)
	delete(p.conns, dst)
}

// slow is a connection that delays each write.
type slow struct {
	net.Conn
	delay *atomic.Int64
}

func (s slow) Write(b []byte) (int, error) {
	time.Sleep(time.Duration(s.delay.Load()))
	return s.Conn.Write(b)
}
