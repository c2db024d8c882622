package pool

import "testing"

// The queue of a busy pool holds only waiting callbacks, not those that have run.
func TestPoolsQueueIsBoundedByWhatWaits(t *testing.T) {
	p := &Pool{most: 1, workers: 1} // the one worker is this test
	ran := 0
	const waiting, runs = 100, 100_000
	for k := range runs {
		p.Execute(func() {
			if ran != k {
				t.Fatalf("callback %d ran in the place of %d", k, ran)
			}
			ran++
		})
		if k >= waiting {
			p.next()()
		}
	}
	if n := cap(p.queue); n > 8*waiting {
		t.Errorf("%d wait in a queue that holds %d", waiting, n)
	}
	for run := p.next(); run != nil; run = p.next() {
		run()
	}
	if ran != runs {
		t.Errorf("%d of %d ran", ran, runs)
	}
}

// After many callbacks have waited at once, the queue releases its memory.
func TestPoolReleasesMemory(t *testing.T) {
	p := &Pool{most: 1, workers: 1} // the one worker is this test
	const many = 1 << 20
	for range many {
		p.Execute(func() {})
	}
	for waiting := many; waiting > 0; waiting-- {
		if n := cap(p.queue); n > max(32*waiting, queueKept) {
			t.Fatalf("%d wait in a queue that holds %d", waiting, n)
		}
		p.next()()
	}
	if p.next() != nil || cap(p.queue) > queueKept {
		t.Errorf("the empty queue holds %d", cap(p.queue))
	}
}
