//go:build linux

package faults

import (
	"context"
	"strconv"
	"strings"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/internal/redistest"
)

// noFault is the baseline for the other cases.
func noFault(s *scene) {
	s.withRedis()
	s.wheel(0)
	s.crew(3)
	s.steady(length(5 * time.Second))
	s.finish(limits{})
}

// redisSuspended stops the Redis process for longer than clients wait for a reply and continues it.
// No worker dies, so no lease lapses: the lease is longer than the fault.
func redisSuspended(s *scene) {
	stop := pick(4500*time.Millisecond, 10*time.Second)
	s.withRedis()
	s.wheel(0)
	s.crew(3, "--lease", pick("9s", "30s"))
	first := s.steady(length(9 * time.Second))
	until(first.Add(s.between(time.Second, 2*time.Second)))
	s.fault(func() { s.suspendRedis(stop) })
	s.finish(limits{affected: stop + recovery})
}

func (s *scene) suspendRedis(d time.Duration) {
	s.server.Suspend()
	time.Sleep(d)
	s.server.Resume()
}

// clientsKilled repeatedly closes all connections by CLIENT KILL.
func clientsKilled(s *scene) {
	span, every := pick(4*time.Second, 20*time.Second), pick(50*time.Millisecond, 200*time.Millisecond)
	s.withRedis()
	s.wheel(0)
	s.crew(3, "--lease", pick("9s", "30s"))
	first := s.steady(length(7 * time.Second))
	until(first.Add(s.between(500*time.Millisecond, 1500*time.Millisecond)))
	admin := s.server.Client()
	s.fault(func() {
		for end := time.Now().Add(span); time.Now().Before(end); time.Sleep(every) {
			if err := admin.ClientKillByFilter(context.Background(), "TYPE", "normal", "SKIPME", "yes").Err(); err != nil {
				s.t.Fatal(err)
			}
		}
	})
	s.finish(limits{affected: recovery})
}

// repliesLost cuts connections of a slow network, so that Redis runs many scripts whose replies are
// never received.
func repliesLost(s *scene) {
	span, every := pick(3*time.Second, 20*time.Second), pick(500*time.Millisecond, time.Second)
	s.withRedis()
	s.wheel(0)
	proxy := redistest.StartProxy(s.t, s.server.Addr)
	s.addr = proxy.Addr
	s.crew(2, "--lease", pick("9s", "30s"))
	s.addr = s.server.Addr
	proxy.Delay(20 * time.Millisecond)
	first := s.steady(length(6 * time.Second))
	until(first.Add(s.between(500*time.Millisecond, 1500*time.Millisecond)))
	s.fault(func() {
		for end := time.Now().Add(span); time.Now().Before(end); time.Sleep(every) {
			proxy.Cut()
		}
	})
	s.finish(limits{affected: recovery})
}

// redisKilled kills a Redis that saves every write and starts it again.
func redisKilled(s *scene) {
	s.server = redistest.StartKept(s.t)
	s.addr = s.server.Addr
	s.wheel(0)
	s.crew(2, "--lease", "9s")
	first := s.steady(length(6 * time.Second))
	down := s.between(500*time.Millisecond, 1500*time.Millisecond)
	for range pick(1, 10) {
		until(first.Add(time.Second))
		s.fault(func() {
			s.server.Kill()
			time.Sleep(down)
			s.server.Restart()
		})
		first = time.Now().Add(3 * time.Second)
	}
	s.finish(limits{affected: down + recovery})
}

// dataShards is the number of shards of a wheel whose Redis loses its data.
const dataShards = 4

// flushed deletes all data of a Redis; its connections stay open.
func flushed(s *scene) {
	losesData(s, func() {
		if err := s.server.Client().FlushAll(context.Background()).Err(); err != nil {
			s.t.Fatal(err)
		}
	})
	n, last := s.logged(failure)
	if n == 0 {
		s.t.Error("no worker logged an error: the loss of data is not reported")
	}
	s.say("%d error lines (%.120s)", n, last)
}

// restartedEmpty restarts a Redis without persistence.
func restartedEmpty(s *scene) {
	losesData(s, func() {
		s.server.Kill()
		s.server.Restart()
	})
	all, last := s.logged(failure)
	away, _ := s.logged(failure, "no Redis at")
	if !s.lossLogged() {
		s.t.Errorf("the loss of data is not reported: the workers' %d error lines are about the connection alone", all)
	}
	s.say("%d error lines, %d of the connection (%.120s)", all, away, last)
}

// lossLogged reports whether a worker has logged an error that is not about the connection alone.
func (s *scene) lossLogged() bool {
	all, _ := s.logged(failure)
	away, _ := s.logged(failure, "no Redis at")
	return all > away
}

// losesData makes Redis lose its data while workers and a producer use a wheel of four shards. Then
// the wheel is first used by a command that does not know the number of shards, and the workers are
// replaced by others that do not know it either. Tasks that were added successfully since then are
// delivered.
func losesData(s *scene, lose func()) {
	const lease = 3 * time.Second
	s.withRedis()
	s.wheel(dataShards)
	before := s.crew(2, "--lease", lease.String())
	p := s.produce("task", pick(30, rateFull), length(7*time.Second), time.Second)
	time.Sleep(s.between(1500*time.Millisecond, 2500*time.Millisecond))
	var sent time.Time // time of the first add after the loss
	s.fault(func() {
		lose()
		sent = time.Now()
		text, err := s.command("task", "add", "command", s.receiver.url())
		if err != nil {
			s.t.Errorf("task add after the loss: %.200s", text)
		}
		s.noteCommand("command", sent)
		time.Sleep(1500 * time.Millisecond)
		awaitUntil(startWait, s.lossLogged) // a busy machine takes longer; the test case checks the log
		after := s.launch("--allow-private", "--lease", lease.String())
		for _, w := range before {
			w.terminate()
		}
		after.await()
	})
	p.wait()
	s.forget(sent)
	s.opened = nil // a changed number of shards is not a fault here
	s.finish(limits{affected: lease + recovery})
}

// noteCommand records a task that the command line added, due at once.
func (s *scene) noteCommand(key string, sent time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	s.tasks[key] = &task{due: sent, sent: sent, added: now, tries: 1}
}

// idle counts the commands of idle workers, and adds a task at the end.
func idle(s *scene) {
	const shards, span, commandsMax = 16, 5 * time.Second, 100
	s.withRedis()
	s.wheel(shards)
	s.crew(3)
	time.Sleep(time.Second)
	c := s.server.Client()
	before, scripts := processed(c), scriptsRun(c)
	time.Sleep(span)
	perSecond := float64(processed(c)-before) / span.Seconds()
	s.say("%.0f commands/s, %.0f scripts/s", perSecond, float64(scriptsRun(c)-scripts)/span.Seconds())
	if perSecond > commandsMax {
		s.t.Errorf("3 idle workers on %d shards send %.0f commands per second, at most %d are allowed", shards, perSecond, commandsMax)
	}
	s.produce("task", 10, time.Second, 200*time.Millisecond).wait()
	s.finish(limits{})
}

// scriptsPerTask counts the scripts of six workers on one wheel.
func scriptsPerTask(s *scene) {
	const n, perSecond, scriptsMax = 600, 300, 4
	s.withRedis()
	s.wheel(0)
	s.crew(6)
	c := s.server.Client()
	s.preload("task", n, n*time.Second/perSecond, to(s.receiver.url()))
	before := scriptsRun(c)
	s.finish(limits{})
	perTask := float64(scriptsRun(c)-before) / float64(n)
	s.say("%.1f scripts per task", perTask)
	if perTask > scriptsMax {
		s.t.Errorf("6 workers run %.1f scripts per task, at most %d are allowed", perTask, scriptsMax)
	}
}

// processed returns the number of commands that a server has run, including those of scripts.
func processed(c *goredis.Client) int {
	return infoNumber(c, "stats", "total_commands_processed:")
}

// scriptsRun returns the number of scripts that a server has run.
func scriptsRun(c *goredis.Client) int {
	return infoNumber(c, "commandstats", "cmdstat_evalsha:calls=") + infoNumber(c, "commandstats", "cmdstat_eval:calls=")
}

func infoNumber(c *goredis.Client, section, field string) int {
	_, rest, _ := strings.Cut(c.Info(context.Background(), section).Val(), field)
	end := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
	n, _ := strconv.Atoi(rest[:max(end, 0)])
	return n
}
