//go:build js

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"
	"syscall/js"
	"time"

	"github.com/go-json-experiment/json/v1"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/export"
	"github.com/wheelscope/wheelscope/sim/tracefile"
	"github.com/wheelscope/wheelscope/web/api"
)

// request is a request that the page sends to the engine rather than over HTTP to a server.
type request struct {
	post bool       // whether the method is POST
	path string     // path of the URL, relative to the base path
	text string     // query of the URL, still encoded
	q    url.Values // parameters of the query, parsed from text
	lang string     // language of the response
	body []byte     // body of the request; nil if there is none
	to   *writer    // receives the response
}

// writer passes the response to the page.
type writer struct {
	events js.Value          // JavaScript object in the page with the methods part(bytes) and done(status, headers)
	header map[string]string // header fields of the response, passed to events.done together with the status
	status int
}

// Write passes a part of the response body to the page.
func (w *writer) Write(p []byte) (int, error) {
	w.events.Call("part", bytesOf(p))
	return len(p), nil
}

// bytesOf returns a copy of p as a Uint8Array.
func bytesOf(p []byte) js.Value {
	array := js.Global().Get("Uint8Array").New(len(p))
	js.CopyBytesToJS(array, p)
	return array
}

// execute answers a request from the page. args contains the request's number, method, path, query, language and
// body (or null), followed by the object that receives the response; see writer.events.
func (l *lab) execute(args []js.Value) {
	number := args[0].Int()
	r := &request{post: args[1].String() == "POST", path: args[2].String(), text: args[3].String(),
		to: &writer{events: args[6], header: map[string]string{}, status: 200}}
	r.q = queryOf(r.text)
	r.lang = languageOf(r.q, args[4].String())
	if body := args[5]; !body.IsNull() {
		r.body = make([]byte, body.Length())
		js.CopyBytesToGo(r.body, body)
	}
	ctx, cancel := context.WithCancel(context.Background())
	l.cancels[number] = cancel
	go func() {
		defer delete(l.cancels, number)
		defer cancel()
		if err := l.answer(ctx, r); err != nil {
			refused := refusalOf(err, r.lang)
			r.to.status = int(refused.Kind)
			r.to.header = map[string]string{"Content-Type": "text/plain; charset=utf-8", "Retry-After": strconv.Itoa(int(refused.After / time.Second))}
			io.WriteString(r.to, refused.Line+"\n")
		}
		header := map[string]any{}
		for name, value := range r.to.header {
			header[name] = value
		}
		r.to.events.Call("done", r.to.status, header)
	}()
}

// stop cancels a request that was passed to execute and is not complete yet. args contains the number of the
// request.
func (l *lab) stop(args []js.Value) {
	if cancel := l.cancels[args[0].Int()]; cancel != nil {
		cancel()
	}
}

// refusalOf returns the response to a request that failed with err, in the language lang.
func refusalOf(err error, lang string) api.Refusal {
	r, ok := api.RefusalOf(err, lang)
	if !ok {
		r.Kind, r.Line = 500, err.Error()
	}
	return r
}

// answer writes the response to r. If it returns an error, the caller must write a response that describes
// the error.
func (l *lab) answer(ctx context.Context, r *request) error {
	k, ok := api.RouteOf(r.path)
	switch {
	case ok && !r.post:
		if err := api.CheckParameters(r.path, r.text, k.Parameters); err != nil {
			return err
		}
		value, err := k.Answer(ctx, l.answers, api.Request{Path: r.path, Query: r.q, Lang: r.lang})
		return r.json(value, err)
	case r.path == "/ws":
		r.to.status = 204
		return api.SessionRefused(l.answers, l.hub, r.q)
	case r.post:
		return l.posted(ctx, r)
	case r.path == "/scenario" || r.path == "/trace" || r.path == "/picture":
		return l.file(ctx, r)
	}
	return noSuchPath(r)
}

// noSuchPath returns the error for request r if its path does not exist.
func noSuchPath(r *request) error {
	return texts.Errorf(texts.NotFound, "", "there is nothing at %q", texts.Clip(r.path))
}

// json writes value as JSON, as the response to r. If err is not nil, it returns err instead.
func (r *request) json(value any, err error) error {
	if err != nil {
		return err
	}
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	r.to.header["Content-Type"] = "application/json"
	_, err = r.to.Write(append(data, '\n'))
	return err
}

// posted writes the response to r, a POST request. The body of r contains a file.
func (l *lab) posted(ctx context.Context, r *request) error {
	switch r.path {
	case "/api/estimate":
		value, err := l.answers.Estimate(ctx, r.body, r.lang)
		return r.json(value, err)
	case "/api/try":
		value, err := l.answers.Try(ctx, judge, r.body, r.lang)
		return r.json(value, err)
	case "/api/import":
		o := api.ImportOptions{Name: r.q.Get("name"), From: r.q.Get("from"), Language: r.lang, Own: true}
		if lanes := r.q.Get("lanes"); lanes != "" {
			run, err := l.answers.Run("lanes", lanes)
			if err != nil {
				return err
			}
			o.Lanes = run.Program().Scenario.Lanes
		}
		imported, err := l.answers.Import(ctx, bytes.NewReader(r.body), int64(len(r.body)), o)
		if err == nil && imported.Refused() {
			r.to.status = 422
		}
		return r.json(imported, err)
	}
	return noSuchPath(r)
}

// file responds with a file made from a run: the scenario, a picture or the trace, depending on the path of
// the request. If the query parameter "as" is set in a request for the trace, file responds with the run in
// the format that it names, such as an HTML player.
func (l *lab) file(ctx context.Context, r *request) error {
	run, err := l.answers.Look(ctx, r.q.Get("run"))
	if err != nil {
		return err
	}
	p, as := run.Program(), r.q.Get("as")
	switch {
	case r.path == "/scenario":
		r.attach(run, ".json", "application/json; charset=utf-8")
		_, err := r.to.Write(p.Scenario.AppendFile(nil))
		return err
	case r.path == "/picture":
		return l.picture(ctx, r, run)
	case as == "html":
		return l.player(ctx, r, run)
	}
	ctx, done, err := l.answers.Work(ctx, api.EngineBytes(p))
	if err != nil {
		return err
	}
	defer done()
	f, known := export.Lookup(as)
	switch {
	case known:
		r.attach(run, "."+f.Extension, f.MediaType)
		return export.Write(ctx, r.to, p, f.Name, export.Options{})
	case as != "":
		return texts.Errorf(texts.Invalid, "as", "%q is not one of %s", texts.Clip(as), strings.Join(export.Formats(), ", "))
	}
	r.attach(run, ".jsonl", "application/jsonl; charset=utf-8")
	_, err = tracefile.Write(ctx, r.to, p, tracefile.Options{})
	return err
}

// attach sets the header fields of a file that is made from run: the media type, and the name under which
// the browser saves the file. The name ends in ending, such as ".json".
func (r *request) attach(run *sim.Run, ending, media string) {
	r.to.header["Content-Type"] = media
	r.to.header["Content-Disposition"] = fmt.Sprintf("attachment; filename=%q", api.FileName(run.Program().Scenario.Name, ending))
}
