//go:build linux

package faults

import (
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"github.com/wheelscope/wheelscope/internal/redistest"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
)

// burstOfLongCalls has two workers that can run all tasks concurrently.
func burstOfLongCalls(s *scene) {
	s.withRedis()
	s.wheel(0)
	s.receiver.behave(behavior{delay: 3 * time.Second})
	s.crew(2, "--concurrency", "64", "--per-host", "64")
	s.preload("task", 100, 0, to(s.receiver.url()))
	s.finish(limits{})
}

// removedWhileHeld removes and reschedules tasks that are due but whose callbacks have not begun,
// since all slots of the worker are taken.
func removedWhileHeld(s *scene) {
	const slots, later = 4, 3 * time.Second
	s.withRedis()
	s.wheel(0)
	s.receiver.behave(behavior{hanging: true})
	s.worker("--concurrency", "4", "--per-host", "4")
	s.preload("task", 2*slots, time.Millisecond, to(s.receiver.url()))
	awaitUntil(startWait, func() bool { return s.log.underWay() == slots })
	time.Sleep(500 * time.Millisecond) // time in which a worker would claim tasks that it cannot call
	begun, which := s.log.keys(), 0
	if len(begun) > slots {
		s.t.Fatalf("%d callbacks began on a worker with %d slots", len(begun), slots)
	}
	for key, t := range s.tasks {
		if begun[key] {
			continue
		}
		if which++; which%2 == 1 {
			if text, err := s.command("task", "remove", key); err != nil {
				s.t.Fatalf("task remove: %s", text)
			}
			t.apart = true
			continue
		}
		t.sent, t.due = time.Now(), time.Now().Add(later) // at the earliest
		if text, err := s.command("task", "add", key, s.receiver.url(), "--in", later.String()); err != nil {
			s.t.Fatalf("task add: %s", text)
		}
		t.added = time.Now()
	}
	s.receiver.behave(behavior{delay: time.Second})
	s.finish(limits{rest: restMax + time.Second}) // the command takes part of a second
	for key, t := range s.tasks {
		if n := len(s.log.of(key)); t.apart && n > 0 {
			s.t.Errorf("%s was removed before its callback began, and then called %d times", key, n)
		}
	}
}

// killedTwice kills a worker with many tasks in flight, and then the worker that claimed them.
func killedTwice(s *scene) {
	const lease = 2 * time.Second
	n := pick(150, 500)
	s.withRedis()
	s.wheel(0)
	s.receiver.behave(behavior{hanging: true})
	args := []string{"--lease", lease.String(), "--concurrency", "500", "--per-host", "500", "--callback-time", "60s"}
	first := s.preload("task", n, 10*time.Millisecond, to(s.receiver.url()))
	for range 2 {
		w := s.worker(args...)
		awaitUntil(5*lease, func() bool { return s.log.underWay() >= n })
		s.kill(w)
		awaitUntil(closeSlack, func() bool { return s.log.underWay() == 0 }) // the receiver has noticed
	}
	s.receiver.behave(behavior{})
	killed := time.Now()
	s.crew(2, args...)
	s.spans = append(s.spans, span{first, killed})
	s.awaitDeliveries(lease + recovery)
	took := time.Since(killed)
	s.say("all delivered %.1f s after the second kill", took.Seconds())
	if most := lease + recovery; took > most+s.hitch.slack(took) {
		s.t.Errorf("the tasks of a worker that was killed twice were delivered after %.1f s, at most %v are allowed", took.Seconds(), most)
	}
	s.finish(limits{affected: time.Since(first)})
}

// leaseLapsed suspends Redis for longer than the leases of callbacks that are in flight and
// succeed.
func leaseLapsed(s *scene) {
	s.withRedis()
	s.wheel(0)
	s.receiver.behave(behavior{delay: 7 * time.Second})
	s.worker("--lease", "2s", "--callback-time", "20s", "--per-host", "64")
	first := s.preload("task", 50, 10*time.Millisecond, to(s.receiver.url()))
	until(first.Add(s.between(500*time.Millisecond, 1500*time.Millisecond)))
	s.suspendRedis(4 * time.Second)
	s.finish(limits{})
}

// manyCallers adds one task per add, first from few callers and then from so many at the same
// instants that their tasks are added in batches. A caller waits between two tasks, so that the
// workers can deliver them. Without the wait the tasks of all callers would be due within a third
// of a second.
func manyCallers(s *scene) {
	const (
		callers = 128
		wait    = 10 * time.Millisecond
	)
	s.withRedis()
	s.wheel(0)
	s.crew(2)
	p := s.produce("task", pick(200, 2000), pick(time.Second, 40*time.Second), 500*time.Millisecond)
	p.adds.Wait()
	var all sync.WaitGroup
	start := time.Now()
	for c := range callers {
		all.Go(func() {
			for i := range pick(4, 160) {
				until(start.Add(time.Duration(i) * wait))
				p.add(fmt.Sprint("caller-", c, "-", i))
			}
		})
	}
	all.Wait()
	p.wait()
	s.finish(limits{})
}

// handlers has tasks with a handler that only one of three workers has. That worker may not call
// the URLs of the other tasks.
func handlers(s *scene) { withHandlers(s, 0) }

// handlersFar is the same with a slow network between the workers and Redis, so that much happens
// between the end of a script and the arrival of its reply.
func handlersFar(s *scene) { withHandlers(s, 30*time.Millisecond) }

func withHandlers(s *scene, delay time.Duration) {
	s.withRedis()
	s.wheel(0)
	if delay > 0 {
		proxy := redistest.StartProxy(s.t, s.addr)
		proxy.Delay(delay)
		s.addr = proxy.Addr
	}
	s.crew(2)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), handlerEnv+"="+s.addr)
	s.start(cmd).await()
	s.addr = s.server.Addr
	over := length(5 * time.Second)
	s.preload("handler", int(over.Seconds())*rate()/2, over, rediswheel.Task{Handler: handlerName, Body: []byte(s.receiver.url())})
	s.preload("callback", int(over.Seconds())*rate()/2, over, to(s.receiver.url()))
	l := limits{}
	if delay > 0 {
		l.rest = 3 * restMax // a task may be refused several times, each with two round trips
	}
	s.finish(l)
}

// policyOfOneWorker has three workers, one of which may not call the receiver.
func policyOfOneWorker(s *scene) {
	const lease = 3 * time.Second
	s.withRedis()
	s.wheel(0)
	s.crew(2, "--lease", lease.String())
	s.launch("--lease", lease.String()).await()
	over := length(5 * time.Second)
	s.fault(func() {
		s.steady(over)
		time.Sleep(over)
	})
	s.finish(limits{affected: lease + recovery})
}

// sigtermWhileRedisHangs ends a busy worker while Redis does not answer.
func sigtermWhileRedisHangs(s *scene) {
	const grace, lease = 2 * time.Second, 4 * time.Second
	s.withRedis()
	s.wheel(0)
	s.receiver.behave(behavior{delay: pick(200*time.Millisecond, 50*time.Millisecond)})
	w := s.worker("--grace", grace.String(), "--lease", lease.String(), "--concurrency", "500")
	first := s.steady(length(8 * time.Second))
	until(first.Add(s.between(time.Second, 2*time.Second)))
	s.fault(func() {
		s.interrupted(false) // calls that ended while Redis hangs may be repeated
		s.server.Suspend()
		time.Sleep(500 * time.Millisecond)
		s.interrupted(false)
		took := w.terminate()
		s.say("ended %.1f s after SIGTERM", took.Seconds())
		if most := grace + recovery; took > most+s.hitch.slack(took) {
			s.t.Errorf("the worker ended %.1f s after SIGTERM, at most %v are allowed with --grace %v", took.Seconds(), most, grace)
		}
		s.server.Resume()
		s.worker("--lease", lease.String(), "--concurrency", "500")
	})
	s.finish(limits{affected: s.longestFault() + lease + recovery})
}

func (s *scene) longestFault() (d time.Duration) {
	for _, f := range s.spans {
		d = max(d, f.to.Sub(f.from))
	}
	return d
}

// workerSuspended stops one of two workers for longer than its lease, while it waits for callbacks
// that succeed.
func workerSuspended(s *scene) {
	const lease, warningsMax = 2 * time.Second, 3
	stop := pick(5*time.Second, 30*time.Second)
	s.withRedis()
	s.wheel(0)
	s.receiver.behave(behavior{delay: pick(time.Second, 200*time.Millisecond)})
	ws := s.crew(2, "--lease", lease.String(), "--callback-time", "3s", "--concurrency", pick("100", "500"))
	first := s.steady(length(8 * time.Second))
	until(first.Add(s.between(1500*time.Millisecond, 2*time.Second)))
	s.fault(func() { s.suspend(ws[0], stop) })
	s.finish(limits{affected: stop + recovery})
	all, last := ws[0].log.count(warning)
	again, _ := ws[0].log.count(warning, "to be tried again")
	s.say("%d warnings", all)
	if again > 0 || all > warningsMax {
		s.t.Errorf("the worker that was suspended logged %d warnings, %d of them that tasks of another worker are to be tried again, such as: %s", all, again, last)
	}
}

// workersKilled kills workers and starts others. A task that is called again may be hit by the next
// kill as well, and then waits for a lease once more. With many kills, a task may also be held by
// two workers that are killed before they call it.
func workersKilled(s *scene) {
	lease := pick(2*time.Second, time.Second)
	kills := pick(4, 50)
	s.withRedis()
	s.wheel(0)
	args := []string{"--lease", lease.String()}
	ws := s.crew(3, args...)
	s.receiver.behave(behavior{delay: pick(300*time.Millisecond, 20*time.Millisecond)})
	over := length(6 * time.Second)
	first := s.steady(over)
	for i := range kills {
		until(first.Add(over * time.Duration(i+1) / time.Duration(kills+1)))
		place := s.rand.IntN(len(ws))
		time.Sleep(s.between(0, 200*time.Millisecond))
		s.fault(func() { s.kill(ws[place]) })
		ws[place] = s.launch(append([]string{"--allow-private"}, args...)...)
	}
	s.say("%d kills", kills)
	s.finish(limits{affected: pick[time.Duration](1, 2)*lease + recovery, again: lease})
}

// redisAbsentAtStart starts a worker before Redis.
func redisAbsentAtStart(s *scene) {
	s.withRedis()
	s.server.Kill()
	w := s.launch("--allow-private")
	time.Sleep(s.between(6*time.Second, 7*time.Second))
	if !w.alive() {
		s.t.Fatalf("the worker ended as Redis was not reachable: %s", w.log.first())
	}
	s.server.Restart()
	w.await()
	s.steady(length(2 * time.Second))
	s.finish(limits{})
	w.signal(syscall.SIGTERM)
	<-w.ended
}
