package site

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wheelscope/wheelscope/internal/atomicfile"
	"github.com/wheelscope/wheelscope/internal/player"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/sim/tracefile"
	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/web/api"
	"github.com/wheelscope/wheelscope/web/pages"
	"github.com/wheelscope/wheelscope/web/session"
	"github.com/wheelscope/wheelscope/web/session/protocol"
	"github.com/wheelscope/wheelscope/wheel/algorithms"
)

// Options holds the options of Write.
type Options struct {
	Base   string // path below which the site is served, such as "/wheelscope"; "" means the root of the host
	Engine Engine
}

// site is a site that is being written.
type site struct {
	Options
	dir     string
	pages   *pages.Pages
	library *session.Library
	entries []string // names of the scenarios that have a page in the entry view
	files   []string // names of the files written so far, relative to dir
}

// Write writes a site to the folder dir, which it creates if necessary, and returns the number of files
// written. It replaces existing files with the same names and keeps other files.
func Write(ctx context.Context, dir string, o Options) (files int, err error) {
	store := sim.NewStore(sim.StoreOptions{})
	defer store.Close()
	library := session.NewLibrary(store, nil)
	answers := api.NewAnswers(library)
	defer answers.Shutdown(ctx)
	s := &site{Options: o, dir: dir, pages: pages.New(pages.Options{Base: o.Base, Answers: answers}), library: library}
	for _, step := range []func(context.Context) error{s.assets, s.engine, s.everyPage, s.recordings, s.serviceWorker} {
		if err := step(ctx); err != nil {
			return 0, err
		}
	}
	return len(s.files), nil
}

// write writes data to the named file. name is a slash-separated path relative to the folder of the site.
func (s *site) write(name string, data []byte) error {
	file := filepath.Join(s.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	s.files = append(s.files, name)
	return atomicfile.Write(file, 0o644, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// assets writes the files of package static.
func (s *site) assets(context.Context) error {
	for _, name := range static.Names() {
		data, ok := static.File(name)
		if !ok {
			return fmt.Errorf("site: no file %s", name)
		}
		if err := s.write(static.Path(name), data); err != nil {
			return err
		}
	}
	return nil
}

// engine writes the files of the engine, the Go program that runs in the browser instead of a server.
func (s *site) engine(context.Context) error {
	for _, name := range slices.Sorted(maps.Keys(s.Engine.files)) {
		if err := s.write(s.enginePath(name), s.Engine.files[name]); err != nil {
			return err
		}
	}
	return nil
}

// enginePath returns the path of a file of the engine, relative to the site.
func (s *site) enginePath(name string) string { return path.Join("engine", s.Engine.Digest[:12], name) }

// engineURL returns the URL of the engine file with the given name.
func (s *site) engineURL(name string) string { return s.Base + "/" + s.enginePath(name) }

// languages lists the languages of the pages. Pages in the first language are at the root of the site; those
// in another language are in a folder named after the language.
var languages = static.Languages

// everyPage writes every page, and the lab's page for every scenario, in every language.
func (s *site) everyPage(ctx context.Context) error {
	if err := s.findEntries(); err != nil {
		return err
	}
	for _, lang := range languages {
		for _, p := range pages.Paths() {
			names := []string{p.Name}
			if p.IDs != nil {
				names = names[:0]
				for _, id := range p.IDs() {
					names = append(names, p.Name+id)
				}
			}
			for _, name := range names {
				if err := s.page(ctx, address{path: name, lang: lang}); err != nil {
					return err
				}
			}
		}
		for _, name := range append([]string{""}, scenarios()...) {
			if err := s.page(ctx, address{path: "/", scenario: name, lab: true, lang: lang}); err != nil {
				return err
			}
		}
		for _, name := range s.entries {
			if err := s.page(ctx, address{path: "/", scenario: name, lang: lang}); err != nil {
				return err
			}
		}
	}
	return nil
}

// findEntries sets s.entries.
func (s *site) findEntries() error {
	for _, name := range scenarios() {
		p, err := s.library.Builtin(name)
		if err != nil {
			return err
		}
		if protocol.FitsEntry(p) {
			s.entries = append(s.entries, name)
		}
	}
	return nil
}

// everyScenario returns all scenarios that have a page: the built-in scenarios and, for each algorithm, its
// trial, which is a small scenario that the algorithm's page links to.
func everyScenario() []*library.Scenario {
	all := slices.Clone(library.Builtins())
	for _, a := range algorithms.Catalogue() {
		if t, ok := library.Trial(a.ID); ok {
			all = append(all, t)
		}
	}
	return all
}

// scenarios returns the names of all scenarios that have a page.
func scenarios() (names []string) {
	for _, b := range everyScenario() {
		names = append(names, b.Name)
	}
	return names
}

// page writes the page with the given address.
func (s *site) page(ctx context.Context, a address) error {
	q := url.Values{}
	if a.scenario != "" {
		q.Set("scenario", a.scenario)
	}
	if a.lab || a.scenario != "" {
		q.Set("view", a.view())
	}
	d, err := s.pages.Render(ctx, pages.Request{Path: a.path, Query: q, Lang: a.lang, Site: s.options(a)})
	if err != nil {
		return fmt.Errorf("site: %s%s: %w", a.path, a.scenario, err)
	}
	if d.Problem != nil {
		return fmt.Errorf("site: %s%s: %w", a.path, a.scenario, d.Problem)
	}
	return s.write(path.Join(a.folder(), "index.html"), d.HTML)
}

// Names of the files with a recorded run, which are in the folder of its scenario's page. The page shows
// the run without computing it.
const (
	traceFile = "trace.jsonl"
	dataFile  = "data.json" // name of the file that contains the output of player.WriteData
)

// recordings writes the recorded runs of the scenarios that the engine in the browser cannot run.
func (s *site) recordings(ctx context.Context) error {
	for _, name := range scenarios() {
		if !isRecorded(name) {
			continue
		}
		p, err := s.library.Builtin(name)
		if err != nil {
			return err
		}
		run, err := s.library.Store.Open(ctx, p)
		if err != nil {
			return err
		}
		var trace, data bytes.Buffer
		if _, err := tracefile.Write(ctx, &trace, p, tracefile.Options{}); err != nil {
			return fmt.Errorf("site: %s: %w", name, err)
		}
		if err := player.WriteData(ctx, &data, run); err != nil {
			return fmt.Errorf("site: %s: %w", name, err)
		}
		folder := recordingFolder(name)
		if err := errors.Join(s.write(path.Join(folder, traceFile), trace.Bytes()), s.write(path.Join(folder, dataFile), data.Bytes())); err != nil {
			return err
		}
	}
	return nil
}

// serviceWorker writes the service worker, a script that stores all files of the site in the browser. The
// script fetches fullFile, the larger engine, ownFile, and the pages that are not open last.
func (s *site) serviceWorker(context.Context) error {
	later := []string{s.engineURL(fullFile), s.engineURL(ownFile)}
	var files, pages []string
	for _, name := range s.files {
		page, isPage := strings.CutSuffix(name, "index.html")
		switch url := s.Base + "/" + page; {
		case isPage:
			pages = append(pages, url)
		case !slices.Contains(later, url):
			files = append(files, url)
		}
	}
	slices.Sort(files)
	slices.Sort(pages)
	later = append(pages, later...)
	about, err := json.Marshal(map[string]any{"base": s.Base, "version": static.Hash() + "-" + s.Engine.Digest[:12], "files": files, "later": later})
	if err != nil {
		return err
	}
	text, _ := static.File("js/site/offline.js")
	return s.write("sw.js", slices.Concat([]byte("globalThis.wheelscopeSite = "), about, []byte(";\n"), text))
}
