//go:build linux

package attack

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

const (
	controlWait  = 2 * time.Minute // time for a cursor or a comparison that a user waits for
	downloadWait = 10 * time.Minute
)

// control is a scenario that the server must handle with its default settings.
type control struct {
	name     string
	scenario string // JSON of the scenario; "" for a built-in scenario
	until    int64
	formats  []string // format of exports; "" for the trace
	onlyIn   form
}

var allFormats = []string{"", "csv", "perfetto"}

var controls = []control{
	{name: "hundred-thousand", until: 60_000, formats: []string{""}},
	{name: "twelve-rings", until: 10_000, formats: []string{"csv"}},
	{name: "200k-in-one-lane", scenario: millions("control", atOnce, 200_000), until: 1_010_000, formats: []string{"perfetto"}},
	{name: "hundred-thousand", until: 60_000, formats: allFormats, onlyIn: fullOnly},
	{name: "twelve-rings", until: 10_000, formats: allFormats, onlyIn: fullOnly},
	{name: "2M-at-once", scenario: millions("control", atOnce, timersMax), until: 1_010_000, formats: allFormats, onlyIn: fullOnly},
	{name: "2M-poisson", scenario: millions("control", spread, timersMax), until: 1_010_000, formats: allFormats, onlyIn: fullOnly},
}

// TestControl checks that the limits leave room for normal use: large runs load, seek, compare and
// export under the same memory limit.
func TestControl(t *testing.T) {
	for i, k := range controls {
		t.Run(fmt.Sprintf("%s-%d", k.name, i), func(t *testing.T) {
			if k.onlyIn == fullOnly && !*full {
				return
			}
			if !*full {
				t.Parallel()
			}
			k.run(t)
		})
	}
}

func (k *control) run(t *testing.T) {
	s := serve(t)
	ctx, cancel := context.WithTimeout(t.Context(), 3*downloadWait)
	defer cancel()
	began := time.Now()
	scenario := "three-slots"
	if k.scenario == "" {
		scenario = k.name
	}
	socket, err := openSocket(ctx, s.addr, "/ws?scenario="+scenario)
	if err != nil {
		t.Fatal(err)
	}
	defer socket.close()
	socket.wait = controlWait
	if err := socket.greet(); err != nil {
		t.Fatal(err)
	}
	if k.scenario != "" {
		if err := socket.ask(`"do":"load","scenario":` + k.scenario); err != nil {
			t.Fatalf("load: %v", err)
		}
	}
	loaded := time.Since(began)
	for _, tick := range []int64{0, k.until / 2, k.until, k.until / 3} {
		if err := socket.ask(fmt.Sprintf(`"do":"seek","tick":%d`, tick)); err != nil {
			t.Errorf("seek %d: %v", tick, err)
		}
	}
	sought := time.Since(began)
	go socket.drain()
	if err := k.compare(ctx, s, socket.run); err != nil {
		t.Errorf("compare: %v", err)
	}
	compared := time.Since(began)
	var bytes int64
	for _, format := range k.formats {
		n, err := export(ctx, s, socket.run, format)
		bytes += n
		if err != nil {
			t.Errorf("export as %q: %v after %d MB", format, err, n>>20)
		}
	}
	if err := s.healthy(); err != nil {
		t.Error(err)
	}
	peak := max(s.peak.Load(), s.memory("VmHWM"))
	if peak > standard.peakBytes {
		t.Errorf("resident memory reached %d MB, at most %d are allowed", peak>>20, standard.peakBytes>>20)
	}
	t.Logf("%s: loaded %.1f s, sought %.1f s, compared %.1f s, exported %.1f s (%d MB); peak %d MB", k.name, loaded.Seconds(), sought.Seconds(), compared.Seconds(), time.Since(began).Seconds(), bytes>>20, peak>>20)
}

// compare compares the lanes, and retries while the run is computed, as the page does.
func (k *control) compare(ctx context.Context, s *server, run string) error {
	for until := time.Now().Add(controlWait); ; {
		res, err := get(ctx, s, "/api/compare?run="+run)
		if err != nil {
			return err
		}
		data, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil {
			return err
		}
		switch {
		case res.StatusCode == http.StatusOK && bytes.Contains(data, []byte(`"rows":[{`)):
			return nil
		case res.StatusCode != http.StatusServiceUnavailable || time.Now().After(until):
			return fmt.Errorf("%s: %.200s", res.Status, data)
		}
		time.Sleep(time.Second)
	}
}

// export downloads a run in full. An incomplete response is an error: the server then closes the
// connection. A trace must end with its end line.
func export(ctx context.Context, s *server, run, format string) (int64, error) {
	res, err := get(ctx, s, "/trace?run="+run+"&as="+format)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(res.Body, headMax))
		return 0, fmt.Errorf("%s: %s", res.Status, text)
	}
	var bytes int64
	var last []byte
	r := bufio.NewReaderSize(res.Body, 1<<20)
	for {
		line, err := r.ReadSlice('\n')
		bytes += int64(len(line))
		if err == io.EOF {
			break
		}
		if err != nil && err != bufio.ErrBufferFull {
			return bytes, err
		}
		last = append(last[:0], line[:min(len(line), headMax)]...)
	}
	if format == "" && !strings.HasPrefix(string(last), `{"kind":"end"`) {
		return bytes, fmt.Errorf("the last line is %q", last)
	}
	if bytes == 0 {
		return 0, fmt.Errorf("nothing")
	}
	return bytes, nil
}

func get(ctx context.Context, s *server, path string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.addr+path, nil)
	if err != nil {
		return nil, err
	}
	return http.DefaultClient.Do(req)
}
