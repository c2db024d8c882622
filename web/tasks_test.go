package web

import (
	"context"
	"encoding/base64"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/wheelscope/wheelscope/internal/redistest"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
)

// tasksServer returns the URL of a server on loopback that lists the tasks of a wheel, and the wheel.
func tasksServer(t *testing.T, c Config) (string, *rediswheel.Wheel) {
	t.Helper()
	w := redistest.Must(rediswheel.Open(t.Context(), redistest.Embedded(t), rediswheel.Options{Shards: 2}))(t)
	store := sim.NewStore(sim.StoreOptions{})
	t.Cleanup(store.Close)
	c.Addr, c.Store = "127.0.0.1:0", store
	c.Tasks = func(ctx context.Context, _ string) (f TaskFigures, err error) {
		f.Stats, err = w.Stats(ctx)
		return f, err
	}
	c.OpenWheel = func(context.Context, string) (*rediswheel.Wheel, error) { return w, nil }
	s := redistest.Must(New(c))(t)
	if err := s.Listen(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve() }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		_ = s.Shutdown(ctx)
		<-ended
		http.DefaultClient.CloseIdleConnections()
	})
	return s.URL(), w
}

// request sends a request and returns the status and the body of the final answer.
func request(t *testing.T, method, address string, form url.Values, headers ...string) (int, string) {
	t.Helper()
	r := redistest.Must(http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(form.Encode())))(t)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res := redistest.Must(http.DefaultClient.Do(r))(t)
	defer res.Body.Close()
	return res.StatusCode, string(redistest.Must(io.ReadAll(res.Body))(t))
}

// The page lists tasks by state and prefix, page by page, and its forms retry, run and remove them.
func TestTasksPage(t *testing.T) {
	server, w := tasksServer(t, Config{})
	b := w.NewBulk(t.Context(), rediswheel.BulkOptions{})
	at := time.Now().Add(time.Hour)
	for _, key := range []string{"a1", "a2", "b<1>"} {
		info := rediswheel.Info{Key: key, State: rediswheel.Dead, Task: rediswheel.HTTP("http://user:secret@example.org/"+key, nil), Due: at, At: at, Attempts: 3, Reason: "answered 500"}
		if err := b.Restore(info); err != nil {
			t.Fatal(err)
		}
	}
	for i := range tasksShown + 1 {
		if err := b.Add("w"+string(rune('A'+i)), rediswheel.Call("h", nil), at.Add(time.Duration(i)*time.Second)); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := b.Close(); err != nil {
		t.Fatal(err)
	}
	page := func(query string) *goquery.Document {
		t.Helper()
		code, body := request(t, "GET", server+tasksPath+query, nil)
		if code != http.StatusOK || strings.Contains(body, "secret") {
			t.Fatalf("%s: %d %s", query, code, body)
		}
		return redistest.Must(goquery.NewDocumentFromReader(strings.NewReader(body)))(t)
	}
	if rows := page("?state=dead&prefix=a").Find("tbody tr"); rows.Length() != 2 || !strings.Contains(rows.Text(), "answered 500") {
		t.Errorf("dead: %q", rows.Text())
	}
	first := page("?state=waiting")
	more, _ := first.Find(`main > p > a`).Attr("href")
	if n := first.Find("tbody tr").Length(); n != tasksShown || more == "" {
		t.Fatalf("%d waiting, then %q", n, more)
	}
	if n := page("?" + strings.SplitN(more, "?", 2)[1]).Find("tbody tr").Length(); n != 1 {
		t.Errorf("%d on the second page", n)
	}
	if link := redistest.Must(goquery.NewDocumentFromReader(strings.NewReader(second(request(t, "GET", server+"/worker", nil)))))(t).Find(`a[href^="/worker/tasks"]`); link.Length() != 1 {
		t.Error("the page /worker has no link to the list")
	}
	do := func(what, key string, headers ...string) int {
		t.Helper()
		form := url.Values{"do": {what}, "key": {base64.RawURLEncoding.EncodeToString([]byte(key))}, "state": {"dead"}}
		code, _ := request(t, "POST", server+tasksPath+"?state=dead", form, headers...)
		return code
	}
	for _, refused := range [][]string{nil, {"Origin", "https://evil.example"}, {"Origin", "null"}, {"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}} {
		if code := do("remove", "a1", refused...); code != http.StatusForbidden {
			t.Errorf("%q: %d", refused, code)
		}
	}
	for what, key := range map[string]string{"retry": "a1", "run": "a2", "remove": "b<1>"} {
		if code := do(what, key, "Origin", server, "Sec-Fetch-Site", "same-origin"); code != http.StatusOK {
			t.Errorf("%s: %d", what, code)
		}
	}
	if code := do("remove", "b<1>", "Origin", server); code != http.StatusConflict {
		t.Errorf("a task that is not there: %d", code)
	}
	if st := redistest.Must(w.Stats(t.Context()))(t); st.Dead != 0 || st.Retrying != 1 || st.Waiting != tasksShown+2 || st.Removed != 1 {
		t.Errorf("%+v", st)
	}
}

func second(_ int, body string) string { return body }

// Without a token, tasks are listed on loopback only if clients can't address the server by other hosts.
func TestTasksNeedATokenOrLoopback(t *testing.T) {
	public := Config{HostAllow: []string{"lab.example.org"}}
	for name, x := range map[string]struct {
		c    Config
		want int
	}{"loopback": {Config{}, 200}, "behind a proxy": {public, 404}, "with a token": {Config{HostAllow: public.HostAllow, Token: "0123456789abcdef"}, 200}} {
		server, _ := tasksServer(t, x.c)
		if code, body := request(t, "GET", server+tasksPath, nil, "Authorization", "Bearer 0123456789abcdef"); code != x.want {
			t.Errorf("%s: %d %s", name, code, body)
		}
		if code, body := request(t, "GET", server+"/worker", nil, "Authorization", "Bearer 0123456789abcdef"); code != 200 || strings.Contains(body, tasksPath) != (x.want == 200) {
			t.Errorf("%s: /worker %d has the link: %v", name, code, !(x.want == 200))
		}
	}
}
