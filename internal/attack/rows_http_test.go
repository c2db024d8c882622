//go:build linux

package attack

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

// manyTraces downloads a run of two million timers many times concurrently.
func manyTraces(c *trial) {
	k, err := c.load(millions("traces", spread, timersMax))
	if err != nil {
		return
	}
	ctx, cancel := c.during()
	defer cancel()
	var bytes atomic.Int64
	each(40, func(int) { bytes.Add(c.download(ctx, "/trace?as=csv&run="+k.run, 0)) })
	c.figure("%d MB downloaded", bytes.Load()>>20)
}

// foreignImages imitates images on a page of another site: it requests known runs under many names
// of the loopback address, with the headers of a cross-site request. All requests must be refused.
func foreignImages(c *trial) {
	_, port, _ := strings.Cut(c.addr, ":")
	var paths []string
	for _, name := range []string{"twelve-rings", "hundred-thousand", "heartbeats"} {
		run := digest(c.t, name)
		paths = append(paths, "/?t=9&scenario="+name, "/trace?as=csv&run="+run, "/picture?as=svg&size=4096&t=5000&run="+run, "/api/compare?run="+run)
	}
	ctx, cancel := c.during()
	defer cancel()
	var served [3]atomic.Int64
	each(40, func(i int) {
		host, site := fmt.Sprintf("a%d.localhost:%s", i, port), "cross-site"
		switch i % 4 {
		case 2: // under the server's own name the headers still name the other site
			host = c.addr
		case 3:
			host, site = c.addr, "same-site"
		}
		for _, path := range paths {
			if c.download(ctx, path, 0, "Host", host, "Sec-Fetch-Site", site, "Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "image") > 0 {
				served[max(0, i%4-1)].Add(1)
			}
		}
	})
	for i, from := range []string{"a host that ends in .localhost", "a page of another site", "a page of the same site on another port"} {
		if n := served[i].Load(); n > 0 {
			c.t.Errorf("%d images were served to %s", n, from)
		}
	}
}

// manyPictures requests the largest picture many times concurrently; half of the clients do not
// wait for it.
func manyPictures(c *trial) {
	k := c.socket("/ws?scenario=hundred-thousand&t=30000")
	if k == nil {
		return
	}
	go k.drain()
	hasty, cancel := context.WithTimeout(c.ctx, time.Second)
	defer cancel()
	each(40, func(i int) {
		path := fmt.Sprintf("/picture?run=%s&as=svg&size=4096&t=%d", k.run, 30000-i)
		if i%2 == 0 {
			c.abandon(hasty, path)
			return
		}
		c.download(c.ctx, path, 0)
	})
}

// manyQuestions requests everything that is computed from a run, many times concurrently.
func manyQuestions(c *trial) {
	k := c.socket("/ws?scenario=hundred-thousand&t=30000")
	if k == nil {
		return
	}
	go k.drain()
	ctx, cancel := c.during()
	defer cancel()
	paths := []string{"/api/digest", "/api/compare", "/api/costs?from=29900&to=30000", "/api/life?id=99999", "/api/quiz?t=30000&seed=1&n=1", "/trace?as=html", "/trace?as=perfetto", "/trace"}
	each(6*len(paths), func(i int) {
		path := paths[i%len(paths)]
		join := "?"
		if strings.Contains(path, "?") {
			join = "&"
		}
		c.download(ctx, path+join+"run="+k.run, 0)
	})
}

// uploadOf sends a file with a number of bytes per second. The body is endless.
type uploadOf struct {
	ctx  context.Context
	rate int
	text []byte
}

func (u *uploadOf) Read(p []byte) (int, error) {
	select {
	case <-u.ctx.Done():
		return 0, io.EOF
	case <-time.After(time.Second):
	}
	n := 0
	for n < min(u.rate, len(p)) {
		n += copy(p[n:min(u.rate, len(p))], u.text)
	}
	return n, nil
}

// slowUploads sends files at one byte per second, first two and then more than the limit of
// concurrent bodies, while another user imports a small file.
func slowUploads(c *trial) {
	ctx, cancel := context.WithTimeout(c.ctx, c.span+2*time.Second)
	defer cancel()
	wave := func(n int) {
		for range n {
			go func() {
				req, _ := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+c.addr+"/api/import?name=slow.json", &uploadOf{ctx, 1, []byte(" ")})
				client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
				if res, err := client.Do(req); err == nil {
					c.note("a slow upload", 0, &statusError{code: res.StatusCode})
					res.Body.Close()
				}
			}()
		}
		time.Sleep(c.span / 2)
	}
	wave(2)
	c.importSmall("beside two slow uploads", 1)
	wave(30)
	c.importSmall("beside thirty slow uploads", 20)
}

// importSmall sends a small file as another user, who retries a second after a 503.
func (c *trial) importSmall(when string, tries int) {
	data := scenarioOf("small", 10, lanesOf(1, `"algorithm":"heap"`), groupOf(3, atOnce, 5))
	for i := range tries {
		if run, err := c.imported(data); err == nil && run != "" {
			c.figure("an import %s succeeds after %d s", when, i)
			return
		}
		time.Sleep(time.Second)
	}
	if c.ctx.Err() == nil {
		c.t.Errorf("%s another user can import no file in %d tries", when, tries)
	}
}

// slowReaders read long responses and frames slowly, or not at all.
func slowReaders(c *trial) {
	began := time.Now()
	k := c.socket("/ws?scenario=hundred-thousand")
	if k == nil {
		return
	}
	go k.drain()
	ctx, cancel := c.during()
	defer cancel()
	for i := range 40 {
		path := []string{"/trace?run=" + k.run, "/trace?as=perfetto&run=" + k.run, "/?scenario=hundred-thousand&t=30000"}[i%3]
		go c.download(ctx, path, 1000)
	}
	each(60, func(i int) {
		p := c.socket("/ws?scenario=hundred-thousand")
		if p == nil {
			return
		}
		c.ask(p, `"do":"play","rate":0`)
		if i%2 == 0 { // the server must keep or drop what it does not read
			for range 200 {
				p.command(`"do":"state"`)
			}
		}
	})
	c.linger(began)
}

// importTrace sends a trace that is refused or verified.
func (c *trial) importTrace(data []byte) {
	if res, err := c.request(c.ctx, http.MethodPost, "/api/import?name=t.jsonl", bytes.NewReader(data)); err == nil {
		res.Body.Close()
	}
}
