package redis

// suspects is how many more suspects a worker may hold: one at a time, over all its shards.
// A task that kills its workers takes what stands beside it along, and each death counts as
// an attempt of all of them. Handed out one by one after the second, they part: the killer
// dies alone of its kind until it is given up, and no other suspect is.
type suspects chan struct{}

// take takes what is left, 0 or 1.
func (s suspects) take() int {
	select {
	case <-s:
		return 1
	default:
		return 0
	}
}

// give gives back what was taken.
func (s suspects) give(n int) {
	for range n {
		s <- struct{}{}
	}
}
