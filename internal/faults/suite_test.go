//go:build linux

package faults

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// faultCase is one case of the suite.
type faultCase struct {
	name string
	run  func(s *scene)
}

// cases is the suite. A name begins with the number of the row, if it is one.
var cases = []faultCase{
	{"no-fault", noFault},
	{"row01-redis-suspended", redisSuspended},
	{"row01-clients-killed", clientsKilled},
	{"row01-replies-lost", repliesLost},
	{"row02-flushed", flushed},
	{"row02-restarted-empty", restartedEmpty},
	{"row03-dead-letters", deadLetters},
	{"row04-hanging-receiver", hangingReceiver},
	{"row05-burst-of-long-calls", burstOfLongCalls},
	{"row06-removed-while-held", removedWhileHeld},
	{"row07-killed-twice", killedTwice},
	{"row08-lease-lapsed", leaseLapsed},
	{"row09-many-callers", manyCallers},
	{"row10-cluster-master-killed", clusterMasterKilled},
	{"row11-spread-over-nodes", spreadOverNodes},
	{"row12-handlers", handlers},
	{"row12-handlers-far", handlersFar},
	{"row13-policy-of-one-worker", policyOfOneWorker},
	{"row14-sigterm-while-hanging", sigtermWhileRedisHangs},
	{"row15-worker-suspended", workerSuspended},
	{"row16-idle", idle},
	{"row17-scripts-per-task", scriptsPerTask},
	{"row18-redis-absent-at-start", redisAbsentAtStart},
	{"row18-demoted-master", demotedMaster},
	{"row19-receiver-down", receiverDown},
	{"row19-receiver-answers-500", receiverAnswers500},
	{"receiver-stalls", receiverStalls},
	{"workers-killed", workersKilled},
	{"workers-killed-periodic", periodicWorkersKilled},
	{"poisoned-task", poisonedTask},
	{"redis-killed", redisKilled},
}

// TestFaults runs the suite, in the short form several cases concurrently.
func TestFaults(t *testing.T) {
	first := *seed
	if first == 0 {
		first = rand.Uint64N(1 << 32)
	}
	t.Logf("-faults.seed %d -faults.seeds %d", first, *seeds)
	for _, c := range cases {
		for i := range *seeds {
			name := c.name
			if *seeds > 1 {
				name = fmt.Sprintf("%s/seed-%d", c.name, first+uint64(i))
			}
			t.Run(name, func(t *testing.T) {
				if !*full {
					t.Parallel()
				}
				s := newScene(t, name, first+uint64(i))
				defer s.report()
				c.run(s)

			})
		}
	}
}

// limits are the maximum delays of successful calls, for the tasks that the fault affected and for
// the others.
type limits struct {
	affected time.Duration
	rest     time.Duration // 0: restMax
	again    time.Duration // allowed in addition to affected for each call after the first that a kill ended, up to deathsMax
}

// deathsMax is the maximum number of workers that can die while they hold one task, whatever their
// concurrency. After 11 claims (suspectAttemptsMax in the worker) it is called alone, and after 5
// further deaths (lapsesMax) it becomes dead.
const deathsMax = 11 + 5

// delay returns the maximum delay of a task that the fault affected. cut is the number of its calls
// that a kill ended.
func (l limits) delay(cut int) time.Duration {
	return l.affected + l.again*time.Duration(min(max(cut, 1), deathsMax)-1)
}

const (
	emptyEvery = 50 * time.Millisecond
	giveUp     = 8 * time.Second // time after the bounds until missing tasks count as lost
	slackMax   = 2 * time.Second
	slackShort = 4 * time.Second // added to each bound in the short form, which runs on any machine beside other tests
	listMax    = 5               // number of errors of one kind that are listed
)

// finish waits until all tasks are delivered and Redis is empty, and compares the results with the
// limits.
func (s *scene) finish(l limits) {
	s.t.Helper()
	if l.rest == 0 {
		l.rest = restMax
	}
	s.awaitDeliveries(max(l.delay(deathsMax), l.rest))
	s.awaitEmpty(giveUp + *patience)
	s.verdict = s.evidence().judge()
	v := s.verdict
	if v.unreplicated > 0 {
		s.say("%d lost or repeated by an asynchronous failover", v.unreplicated)
	}
	if most := unreplicatedMax(s.hitch.slack(0)); v.unreplicated > most {
		s.t.Errorf("%d tasks were lost or repeated about the instant of the failover, at most %d are plausible", v.unreplicated, most)
	}
	s.list("lost", v.lost)
	s.list("called early", v.early)
	s.list("called twice", v.repeated)
	for cut, late := range v.cut {
		s.checkDelay(fmt.Sprintf("affected by the fault, %d of whose calls a kill ended,", cut), late, l.delay(cut))
	}
	s.checkDelay("not affected by the fault", v.rest.at(1), l.rest)
}

// checkDelay compares the longest delay of a group of tasks with its limit.
func (s *scene) checkDelay(group string, late, limit time.Duration) {
	s.t.Helper()
	if slack := s.hitch.slack(late); late > limit+slack {
		s.t.Errorf("a task %s was delivered %.2f s late, at most %v are allowed (and %.2f s for a busy machine); latest of all: %s", group, late.Seconds(), limit, slack.Seconds(), s.verdict.latest)
	}
}

func (s *scene) list(what string, which []string) {
	s.t.Helper()
	if len(which) > 0 {
		slices.Sort(which)
		s.t.Errorf("%d tasks %s, such as:\n%s", len(which), what, strings.Join(which[:min(len(which), listMax)], "\n"))
	}
}

func (s *scene) evidence() *evidence {
	s.mu.Lock()
	defer s.mu.Unlock()
	tasks := make(map[string]*task, len(s.tasks))
	for key, t := range s.tasks {
		one := *t
		tasks[key] = &one
	}
	return &evidence{tasks, s.log.of, slices.Clone(s.spans), slices.Clone(s.stops), slices.Clone(s.unreplicated)}
}

// awaitDeliveries waits until each task is delivered or has exceeded its bound.
func (s *scene) awaitDeliveries(bound time.Duration) {
	last := time.Now()
	e := s.evidence()
	for _, t := range e.tasks {
		last = later(last, t.due)
	}
	for limit := last.Add(bound + giveUp + *patience); time.Now().Before(limit); {
		began := time.Now()
		if v := s.evidence().judge(); v.delivered+v.vanished == v.tasks {
			return
		}
		time.Sleep(max(emptyEvery, 5*time.Since(began))) // checking 100,000 tasks takes a while
	}
}

// awaitEmpty waits until Redis has no tasks, since any task in it may be called again.
func (s *scene) awaitEmpty(most time.Duration) {
	s.t.Helper()
	var left string
	for limit := time.Now().Add(most); time.Now().Before(limit); time.Sleep(emptyEvery) {
		ctx, cancel := context.WithTimeout(s.t.Context(), time.Second)
		st, err := s.wheel(0).Stats(ctx)
		cancel()
		if err == nil && st.Waiting+st.InFlight+st.Retrying+st.Dead == 0 {
			return
		}
		left = fmt.Sprintf("%d waiting, %d in flight, %d retrying, %d dead (%v)", st.Waiting, st.InFlight, st.Retrying, st.Dead, err)
	}
	s.t.Errorf("Redis still holds tasks: %s", left)
}

// The results so far, one line per case.
var (
	tableMu sync.Mutex
	table   []string
)

const tableHead = "case                              took   tasks   lost early twice excused  refused  late p99/max s: affected    others  hitch      notes"

// report adds the case to the table.
func (s *scene) report() {
	v := s.verdict
	line := fmt.Sprintf("%-32s %5.1fs", s.name, time.Since(s.began).Seconds())
	if v != nil {
		line += fmt.Sprintf(" %7d %6d %5d %5d %7d %8d %25s %9s", v.tasks, len(v.lost), len(v.early), len(v.repeated), v.excused, v.refused, v.affected, v.rest)
	} else {
		line += strings.Repeat(" ", 81)
	}
	line += fmt.Sprintf(" %5.2fs %2.0f%%  %s", s.hitch.longest().Seconds(), 100*s.hitch.share(), strings.Join(s.notes, "; "))
	if s.t.Failed() {
		line += "  FAILED"
	}
	s.t.Log(line)
	tableMu.Lock()
	defer tableMu.Unlock()
	table = append(table, line)
}

// printTable prints the results of all cases.
func printTable() {
	if len(table) < 2 {
		return
	}
	slices.Sort(table)
	fmt.Fprintln(os.Stdout, tableHead)
	for _, line := range table {
		fmt.Fprintln(os.Stdout, line)
	}
}
