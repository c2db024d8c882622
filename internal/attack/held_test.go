//go:build linux

package attack

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// Attacks that the server already resisted before this suite existed, run against the real server.

// raw sends bytes on a new connection and reads the first response. It returns nil if the server
// closed the connection without one.
func raw(t *testing.T, s *server, text string) *http.Response {
	t.Helper()
	conn, err := net.DialTimeout("tcp", s.addr, dialWait)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(answerMax))
	io.WriteString(conn, text)
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		if e := net.Error(nil); errors.As(err, &e) && e.Timeout() {
			t.Errorf("no answer within %s to %.200q", answerMax, text)
		}
		return nil
	}
	body, _ := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	res.Body = io.NopCloser(bytes.NewReader(body))
	return res
}

var foreignHosts = []string{"evil.example", "evil.example:8080", "127.0.0.1.evil.example", "localhost.evil.example", "evillocalhost", "a.localhost", "a.b.localhost.",
	"rbndr.us", "7f000001.c0a80001.rbndr.us", "localhost@evil.example", "evil.example#localhost", "2130706433", "0177.0.0.1", "0x7f.1", "127.1", "[::ffff:8.8.8.8]", "8.8.8.8", ""}

func TestForeignHosts(t *testing.T) {
	s := serve(t)
	for _, host := range foreignHosts {
		for _, path := range []string{"/", "/ws", "/trace", "http://" + host + "/"} {
			if path == "http:///" {
				continue
			}
			res := raw(t, s, "GET "+path+" HTTP/1.1\r\nHost: "+host+"\r\nConnection: close\r\n\r\n")
			if res != nil && res.StatusCode != http.StatusForbidden && res.StatusCode != http.StatusBadRequest {
				t.Errorf("host %q, %s: %s", host, path, res.Status)
			}
		}
	}
}

func TestForeignOrigins(t *testing.T) {
	s := serve(t)
	_, port, _ := strings.Cut(s.addr, ":")
	for _, origin := range []string{"null", "http://evil.example", "https://evil.example", "http://127.0.0.1.evil.example", "http://localhost.evil.example:" + port, "http://localhost:1", "http://127.0.0.1:1",
		"https://" + s.addr, "ftp://" + s.addr, "file://", "data:", "http://", "http://127.0.0.1", "http://" + s.addr + "@evil.example", "http://evil.example#" + s.addr, "http://evil.example/" + s.addr, "http://[::1]:" + port, "chrome-extension://abc"} {
		upgrade := "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
		for _, request := range []string{"GET /ws?scenario=three-slots HTTP/1.1\r\n" + upgrade, "POST /api/import?name=a.json HTTP/1.1\r\nContent-Length: 2\r\n"} {
			res := raw(t, s, request+"Host: "+s.addr+"\r\nOrigin: "+origin+"\r\n\r\n{}")
			if res == nil || res.StatusCode != http.StatusForbidden {
				t.Errorf("origin %q, %.12s: %v, want 403", origin, request, res)
			}
		}
	}
}

// TestSmuggling sends requests that two HTTP implementations could parse differently.
func TestSmuggling(t *testing.T) {
	s := serve(t)
	const inner = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
	for _, headers := range []string{
		"Content-Length: 4\r\nContent-Length: 40\r\n", "Content-Length: 4, 40\r\n", "Content-Length: +4\r\n", "Content-Length: -1\r\n", "Content-Length: 0x4\r\n", "Content-Length: 99999999999999999999\r\n",
		"Transfer-Encoding: xchunked\r\n", "Transfer-Encoding: chunked, identity\r\n", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "Transfer-Encoding : chunked\r\n", "Transfer-Encoding: \x0bchunked\r\n",
		"Bad Header: 1\r\n", "X: a\x00b\r\n", ": empty\r\n", "Host: other\r\n",
	} {
		res := raw(t, s, "POST /api/import?name=a.json HTTP/1.1\r\nHost: "+s.addr+"\r\n"+headers+"\r\n"+inner)
		if res != nil && (res.StatusCode < 400 || res.StatusCode == http.StatusNotFound) {
			t.Errorf("headers %q: %s", headers, res.Status)
		}
	}
}

func TestTraversal(t *testing.T) {
	s := serve(t)
	for _, path := range []string{"/static/../../go.mod", "/static/../../../../../../etc/passwd", "/static/%2e%2e/%2e%2e/%2e%2e/etc/passwd", "/static/..%2f..%2f..%2fetc/passwd", "/static/..%5c..%5cetc%5cpasswd",
		"/static//etc/passwd", "/static/%00", "/static/....//....//etc/passwd", "/static/%252e%252e/etc/passwd", "//etc/passwd", "/algorithms/../../etc/passwd", "/algorithms/..%2f..%2fetc%2fpasswd", "/?scenario=../../etc/passwd", "/?scenario=/etc/passwd"} {
		res := raw(t, s, "GET "+path+" HTTP/1.1\r\nHost: "+s.addr+"\r\nConnection: close\r\n\r\n")
		if res == nil {
			continue
		}
		body, _ := io.ReadAll(res.Body)
		if bytes.Contains(body, []byte("root:x:")) || bytes.Contains(body, []byte("module github.com")) || res.StatusCode == http.StatusOK {
			t.Errorf("%s: %s, %d bytes", path, res.Status, len(body))
		}
	}
}

// TestInjection puts line breaks and HTML into every name that is part of a response.
func TestInjection(t *testing.T) {
	s := serve(t)
	const evil = "\r\nSet-Cookie: evil=1\r\n\r\n<script>evil()</script>"
	escaped := url.QueryEscape(evil)
	for _, path := range []string{"/?scenario=" + escaped, "/?lang=" + escaped, "/?scenario=three-slots&t=" + escaped, "/algorithms/" + url.PathEscape(evil), "/trace?run=" + escaped, "/trace?run=" + digest(t, "three-slots") + "&as=" + escaped,
		"/picture?run=" + escaped, "/api/compare?run=" + escaped, "/api/life?run=x&id=" + escaped, "/ws?session=" + escaped, "/" + url.PathEscape(evil)} {
		checkAnswer(t, path, raw(t, s, "GET "+path+" HTTP/1.1\r\nHost: "+s.addr+"\r\nConnection: close\r\n\r\n"))
	}
	socket, err := openSocket(t.Context(), s.addr, "/ws?scenario=three-slots")
	if err != nil {
		t.Fatal(err)
	}
	defer socket.close()
	if err := socket.greet(); err != nil {
		t.Fatal(err)
	}
	scenario := fmt.Sprintf(`{"wheelscope":1,"name":%[1]q,"title":%[1]q,"until":9,"lanes":[{"algorithm":"simple","slots":8}],"workload":{"ops":[{"at":0,"op":"schedule","timer":%[1]q,"delay":5}]}}`, evil)
	if err := socket.ask(`"do":"load","tick":3,"scenario":` + scenario); err != nil {
		var refusal *ackError
		if errors.As(err, &refusal) {
			return // such names are refused
		}
		t.Fatal(err)
	}
	for _, path := range []string{"/picture?as=svg&t=3&run=", "/trace?as=html&run=", "/scenario?run="} {
		res := raw(t, s, "GET "+path+socket.run+" HTTP/1.1\r\nHost: "+s.addr+"\r\nConnection: close\r\n\r\n")
		if res != nil && strings.Contains(res.Header.Get("Content-Type"), "json") {
			res.Body = http.NoBody // not rendered by a browser: X-Content-Type-Options
		}
		checkAnswer(t, path, res)
	}
}

// checkAnswer fails the test if a response has a header or an element of the attacker.
func checkAnswer(t *testing.T, path string, res *http.Response) {
	t.Helper()
	if res == nil {
		return
	}
	if len(res.Cookies()) > 0 {
		t.Errorf("%.60s sets a cookie", path)
	}
	body, _ := io.ReadAll(res.Body)
	if bytes.Contains(body, []byte("<script>evil")) && !strings.HasPrefix(res.Header.Get("Content-Type"), "text/plain") {
		t.Errorf("%.60s has the attacker's element in it: %s, %s", path, res.Status, res.Header.Get("Content-Type"))
	}
	if len(body) > 0 && res.Header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("%.60s: a browser may take %s for HTML", path, res.Header.Get("Content-Type"))
	}
}

// malformed are frames that violate the protocol, as bytes.
var malformed = map[string]string{
	"reserved bit":            "\xF1\x80\x00\x00\x00\x00",
	"reserved opcode":         "\x83\x80\x00\x00\x00\x00",
	"no mask":                 "\x81\x02{}",
	"long ping":               "\x89\xFE\x00\x7E\x00\x00\x00\x00" + strings.Repeat("x", 126),
	"ping in fragments":       "\x09\x80\x00\x00\x00\x00",
	"continuation of nothing": "\x80\x80\x00\x00\x00\x00",
	"message in a message":    "\x01\x80\x00\x00\x00\x00\x01\x80\x00\x00\x00\x00",
	"no UTF-8":                "\x81\x82\x00\x00\x00\x00\xFF\xFE",
	"2^63 bytes":              "\x81\xFF\x80\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00",
	"2^62 bytes":              "\x81\xFF\x40\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00",
	"close with one byte":     "\x88\x81\x00\x00\x00\x00\x01",
	"binary":                  "\x82\x80\x00\x00\x00\x00",
}

// malformedInput sends malformed frames, deeply nested JSON and compression bombs.
func malformedInput(c *trial) {
	files := [][]byte{[]byte(strings.Repeat("[", 15<<20)), packedBomb(" "), packedBomb("["), packedBomb("\n"), packedBomb(`{"seq":1,"tick":0}` + "\n")}
	c.begin()
	for name, frame := range malformed {
		if k := c.session(); k != nil {
			io.WriteString(k.conn, frame)
			c.awaitRefusal(k, name)
		}
	}
	deep := strings.Repeat(`{"a":[`, 10_000)
	for _, fields := range []string{`"do":"load","scenario":` + deep, `"do":"load","scenario":` + deep + strings.Repeat("]}", 10_000), `"do":"load","text":"` + strings.Repeat("[", 60_000) + `"`} {
		if k := c.session(); k != nil {
			k.command(fields)
			c.awaitRefusal(k, "deep JSON")
		}
	}
	each(len(files), func(i int) {
		res, err := c.request(c.ctx, http.MethodPost, "/api/import?name=a.json.gz", bytes.NewReader(files[i]))
		if err == nil {
			c.t.Errorf("file %d was imported: %s", i, res.Status)
			res.Body.Close()
		}
	})
}

// awaitRefusal reads until a command is refused or the socket is closed, and records the outcome.
func (c *trial) awaitRefusal(k *client, what string) {
	began := time.Now()
	k.conn.SetReadDeadline(began.Add(answerMax))
	for {
		message, err := k.next()
		if err != nil {
			c.note(what, time.Since(began), cutIsClosed(err))
			return
		}
		if kindOf(message) != "ack" {
			continue
		}
		_, refusal := k.note(message)
		if refusal == nil {
			c.t.Errorf("%s was acknowledged", what)
		}
		c.note(what, time.Since(began), refusal)
		return
	}
}

// packedBomb is a gigabyte of the same text, compressed: one member many times.
func packedBomb(text string) []byte {
	const member = 16 << 20
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, strings.Repeat(text, member/len(text)))
	w.Close()
	return bytes.Repeat(b.Bytes(), 1<<30/member)
}
