//go:build linux

package faults

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// deadLetters makes more tasks dead than a shard keeps. None may be deleted without a log line.
func deadLetters(s *scene) {
	n := pick(10_400, tasksFull)
	s.withRedis()
	s.wheel(0)
	s.receiver.behave(behavior{status: 500})
	first := s.preload("task", n, 10*time.Millisecond, to(s.receiver.url()))
	s.crew(2, "--attempts", "1", "--concurrency", "32")
	var dead, dropped, left int64
	for limit := time.Now().Add(pick(40*time.Second, 2*time.Minute)); time.Now().Before(limit); time.Sleep(2 * emptyEvery) {
		st, err := s.wheel(0).Stats(context.Background())
		if err != nil {
			s.t.Fatal(err)
		}
		dead, dropped, left = st.Dead, st.Dropped, st.Waiting+st.InFlight+st.Retrying
		if left == 0 {
			break
		}
	}
	s.say("%d dead, %d dropped", dead, dropped)
	if lines, _ := s.logged("drop"); dropped > 0 && lines == 0 {
		s.t.Errorf("%d dead tasks were dropped, and no worker logged it", dropped)
	}
	if dead+dropped != int64(n) || left > 0 {
		s.t.Errorf("%d tasks dead, %d dropped, %d left, %d were added", dead, dropped, left, n)
	}
	s.receiver.behave(behavior{})
	dying := time.Since(first)
	if text, err := s.command("task", "retry", "--all"); err != nil {
		s.t.Fatalf("task retry --all: %.200s", text)
	}
	s.finish(limits{affected: dying + time.Minute, rest: dying + time.Minute})
}

// hangingReceiver has tasks for a receiver that hangs and tasks for one that answers.
func hangingReceiver(s *scene) {
	n, callback := pick(150, 600), pick(2*time.Second, 10*time.Second)
	s.withRedis()
	s.wheel(0)
	bad := startReceiver(s.t, "127.0.0.2", s.log)
	bad.behave(behavior{hanging: true})
	s.crew(2, "--concurrency", "16", "--callback-time", callback.String(), "--retry", "500ms", "--retry-max", "1s", "--attempts", "1000")
	began := s.preload("hanging", n, 0, to(bad.url()))
	for _, t := range s.tasks {
		t.apart = true
	}
	over := length(6 * time.Second)
	first := s.preload("good", int(over.Seconds())*pick(40, rateFull), over, to(s.receiver.url()))
	until(first.Add(over))
	for limit := time.Now().Add(restMax + giveUp + *patience); s.evidence().judge().delivered < s.evidence().judge().tasks && time.Now().Before(limit); {
		time.Sleep(emptyEvery)
	}
	v := s.evidence().judge()
	s.say("%d of %d tasks delivered while the other receiver hung", v.delivered, v.tasks)
	if v.delivered < v.tasks {
		s.t.Errorf("%d of %d tasks of a receiver that answers were not delivered while another did not", v.tasks-v.delivered, v.tasks)
	}
	if late := v.rest.at(1); late > restMax+s.hitch.slack(late) {
		s.t.Errorf("a task of a receiver that answers was delivered %.2f s late, at most %v are allowed", late.Seconds(), restMax)
	}
	s.say("at most %.2f s late", v.rest.at(1).Seconds())
	bad.behave(behavior{})
	s.spans = append(s.spans, span{began, time.Now()})
	for _, t := range s.tasks {
		t.apart = false
	}
	s.finish(limits{affected: time.Since(began) + 30*time.Second})
}

// receiverDown closes the receiver's address for a time.
func receiverDown(s *scene) { receiverFails(s, s.receiver.down, s.receiver.up) }

// receiverAnswers500 makes the receiver refuse all callbacks for a time.
func receiverAnswers500(s *scene) {
	receiverFails(s, func() { s.receiver.behave(behavior{status: 500}) }, func() { s.receiver.behave(behavior{}) })
}

// receiverFails makes all callbacks fail for a time. The log has one line per cause and interval,
// not one per task.
func receiverFails(s *scene, fail, recover func()) {
	const retryMax = time.Second
	down, linesMax := pick(4*time.Second, 30*time.Second), pick(10, 40)
	s.withRedis()
	s.wheel(0)
	ws := s.crew(2, "--retry", "200ms", "--retry-max", retryMax.String(), "--attempts", "1000")
	first := s.steady(length(7 * time.Second))
	until(first.Add(s.between(time.Second, 1500*time.Millisecond)))
	s.fault(func() {
		fail()
		time.Sleep(down)
		recover()
	})
	s.finish(limits{affected: down + retryMax + recovery})
	var counts []string
	for _, w := range ws {
		n, last := w.log.count("level=")
		counts = append(counts, fmt.Sprint(n))
		if n > linesMax {
			s.t.Errorf("%s logged %d lines while callbacks failed for %v, at most %d are allowed, such as: %s", w.name, n, down, linesMax, last)
		}
	}
	s.say("lines logged: %s", strings.Join(counts, ", "))
}

// receiverStalls makes the receiver answer nothing for a second, repeatedly. Tasks that wait for a
// slot of a worker meanwhile are given back and claimed again.
func receiverStalls(s *scene) {
	const stall = time.Second
	s.withRedis()
	s.wheel(0)
	s.crew(2, "--concurrency", "16")
	over := pick(8*time.Second, 2*tasksFull*time.Second/rateFull)
	first := s.preload("task", int(over.Seconds())*pick(3*rateShort, rateFull/2), over, to(s.receiver.url()))
	s.fault(func() {
		until(first.Add(s.between(500*time.Millisecond, time.Second)))
		for time.Since(first) < over-stall {
			s.receiver.behave(behavior{hanging: true})
			time.Sleep(stall)
			s.receiver.behave(behavior{})
			time.Sleep(stall / 2)
		}
	})
	// The bound allows a task to wait through several stalls: it may be put back in each.
	s.finish(limits{affected: s.longestFault() + recovery})
}
