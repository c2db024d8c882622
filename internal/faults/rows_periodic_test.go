//go:build linux

package faults

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/worker"
)

// run is one run of a periodic task.
type run struct {
	key string
	due time.Time
}

// runLog has the calls of the runs of periodic tasks, and the runs that were found waiting.
type runLog struct {
	mu      sync.Mutex
	calls   map[run][]*call
	waiting map[run]bool
}

// ServeHTTP answers a run after a time in which its worker may be killed.
func (l *runLog) ServeHTTP(_ http.ResponseWriter, q *http.Request) {
	c := &call{at: time.Now()}
	key, _ := url.PathUnescape(q.Header.Get(worker.HeaderKey))
	due, _ := time.Parse(time.RFC3339Nano, q.Header.Get(worker.HeaderDue))
	_, _ = io.Copy(io.Discard, q.Body)
	l.mu.Lock()
	l.calls[run{key, due}] = append(l.calls[run{key, due}], c)
	l.mu.Unlock()
	select {
	case <-q.Context().Done():
	case <-time.After(150 * time.Millisecond):
	}
	l.mu.Lock()
	c.end, c.ok = time.Now(), q.Context().Err() == nil
	l.mu.Unlock()
}

// periodicWorkersKilled kills workers in the middle of series of periodic tasks. Every run that was pending is called until
// it succeeds, no other run is called, and no run is called again after its success unless a worker was killed then.
func periodicWorkersKilled(s *scene) {
	const every, series = time.Second, 20
	lease, kills := pick(2*time.Second, time.Second), pick(3, 50)
	s.withRedis()
	w, ctx := s.wheel(0), s.t.Context()
	args := []string{"--lease", lease.String()}
	ws := s.crew(2, args...)
	l := &runLog{calls: map[run][]*call{}, waiting: map[run]bool{}}
	server := httptest.NewServer(l)
	defer server.Close()
	first := time.Now().Add(leadTime).Truncate(time.Millisecond)
	keys := make([]string, series)
	for i := range keys {
		keys[i] = fmt.Sprint("series-", i)
		task := rediswheel.HTTP(server.URL, nil)
		task.Every = every
		if err := w.AddTask(ctx, keys[i], task, first.Add(time.Duration(i)*every/series)); err != nil {
			s.t.Fatal(err)
		}
	}
	over := length(time.Duration(kills+5) * every)
	look := func(until time.Time) {
		for ; time.Now().Before(until); time.Sleep(emptyEvery) {
			for _, key := range keys {
				i, ok, err := w.Get(ctx, key)
				if err != nil || !ok {
					s.t.Fatalf("%s is not there: %v", key, err)
				}
				l.waiting[run{key, i.Due}] = true
			}
		}
	}
	for i := range kills {
		look(first.Add(over*time.Duration(i+1)/time.Duration(kills+2) + s.between(0, every/2)))
		place := s.rand.IntN(len(ws))
		s.fault(func() { s.kill(ws[place]) })
		ws[place] = s.launch(append([]string{"--allow-private"}, args...)...)
	}
	look(first.Add(over))
	for _, key := range keys {
		if ok, err := w.RemoveTask(ctx, key); err != nil || !ok {
			s.t.Errorf("removing %s: %v, %v", key, ok, err)
		}
	}
	removed := time.Now()
	s.awaitEmpty(giveUp)
	for _, p := range ws {
		p.terminate() // after the calls that run
	}
	s.judgeRuns(l, every, lease, removed)
}

// judgeRuns reports what is wrong with the calls of periodic tasks that were removed at the given time.
func (s *scene) judgeRuns(l *runLog, every, lease time.Duration, removed time.Time) {
	var lost, early, doubled, skipped []string
	dues := map[string][]time.Time{}
	done := map[run]*call{} // the last success
	again, latest := 0, time.Duration(0)
	pause := 2 * s.hitch.longest()
	for r, calls := range l.calls {
		text := r.key + " at " + r.due.Format("05.000")
		dues[r.key] = append(dues[r.key], r.due)
		successes := 0
		for _, c := range calls {
			if c.at.Before(r.due) {
				early = append(early, text)
			}
			if !c.ok {
				continue
			}
			if successes++; successes > 1 && !s.killedBetween(done[r].at, done[r].end.Add(restMax+pause)) {
				doubled = append(doubled, text)
			}
			done[r] = c
		}
		again += len(calls) - 1
		latest = max(latest, calls[len(calls)-1].at.Sub(r.due))
	}
	for r := range l.waiting {
		if done[r] == nil && r.due.Before(removed.Add(-lease-recovery-pause)) {
			lost = append(lost, r.key+" at "+r.due.Format("05.000"))
		}
	}
	for key, list := range dues {
		slices.SortFunc(list, time.Time.Compare)
		for i, due := range list[1:] {
			before, step := done[run{key, list[i]}], due.Sub(list[i])
			if before == nil || step%every != 0 || due.Add(-every).After(before.end.Add(every/4+pause)) {
				skipped = append(skipped, fmt.Sprintf("%s: %v after %s", key, step, list[i].Format("05.000")))
			}
		}
		if last := list[len(list)-1]; last.Before(removed.Add(-every - lease - recovery - pause)) {
			lost = append(lost, key+" after "+last.Format("05.000"))
		}
	}
	s.say("%d runs of %d series, %d called again, at most %.1f s late", len(l.calls), len(dues), again, latest.Seconds())
	s.list("lost", lost)
	s.list("called early", early)
	s.list("called twice", doubled)
	s.list("skipped or off the grid", skipped)
	if limit, slack := 2*lease+recovery, s.hitch.slack(latest); latest > limit+slack {
		s.t.Errorf("a run was called %.2f s late, at most %v are allowed (and %.2f s for a busy machine)", latest.Seconds(), limit, slack.Seconds())
	}
}

// killedBetween reports whether a worker was killed between two times.
func (s *scene) killedBetween(from, to time.Time) bool {
	return slices.ContainsFunc(s.stops, func(i interruption) bool { return i.at.After(from) && i.at.Before(to) })
}
