package engine

// poolMax is the maximum number of engines in a Pool.
const poolMax = 4

// Pool holds recently used engines of one run, ordered by last use, and at most one spent engine, which
// must not be run but whose memory can be reused. A Pool is not safe for concurrent use.
type Pool struct {
	Most    int64 // maximum memory in bytes; if it is exceeded, only the most recently used engine is kept
	engines []*Engine
	spent   *Engine // discarded engine whose memory can be reused; nil if there is none
}

// Take removes the engine with the highest tick in [after, upTo] from the pool and returns it as e. If there is none,
// e is nil, and the caller must create an engine, which will take need bytes. The caller can then reuse the memory of
// spent: the pool's spent engine or, if the pool has none and no room for need bytes, its least recently used engine.
// If there is no engine to reuse, spent is nil.
func (p *Pool) Take(after, upTo, need int64) (e, spent *Engine) {
	best := -1
	for k, e := range p.engines {
		if t := e.At(); t >= after && t <= upTo && (best < 0 || t > p.engines[best].At()) {
			best = k
		}
	}
	if best >= 0 {
		e = p.engines[best]
		p.engines = append(p.engines[:best], p.engines[best+1:]...)
		return e, nil
	}
	if p.spent == nil && len(p.engines) > 0 && p.Bytes()+need > p.Most {
		p.evict()
	}
	spent, p.spent = p.spent, nil
	return nil, spent
}

// Put adds e to the pool as the most recently used engine. e.Memory must be set. If the pool then exceeds its
// limits, Put removes the least recently used engines; it may keep one of them as the spent engine, whose memory Take
// returns for reuse.
func (p *Pool) Put(e *Engine) {
	p.engines = append(p.engines, e)
	if len(p.engines) > poolMax {
		p.evict()
	}
	for p.Bytes() > p.Most && (p.spent != nil || len(p.engines) > 1) {
		if p.spent == nil {
			p.evict()
		}
		p.spent.Release()
		p.spent = nil
	}
}

// Reuse puts e, an engine that is no longer needed, into the pool as its spent engine, which Take returns so that its
// memory can be reused. If the pool already has a spent engine or no room for e, Reuse does nothing and returns false.
func (p *Pool) Reuse(e *Engine) bool {
	if p.spent != nil || p.Bytes()+e.Memory.Bytes() > p.Most {
		return false
	}
	p.spent = e
	return true
}

// evict makes the least recently used engine the spent engine, which is kept only for its memory. It releases the
// previous spent engine, if any.
func (p *Pool) evict() {
	if p.spent != nil {
		p.spent.Release()
	}
	p.spent = p.engines[0]
	p.engines = append(p.engines[:0], p.engines[1:]...)
}

// Drop releases all engines. It reports whether the pool had any.
func (p *Pool) Drop() bool {
	if p.spent != nil {
		p.engines = append(p.engines, p.spent)
	}
	for _, e := range p.engines {
		e.Release()
	}
	had := len(p.engines) > 0
	p.engines, p.spent = nil, nil
	return had
}

// Bytes returns the memory in bytes that is reserved for the engines in the pool.
func (p *Pool) Bytes() (n int64) {
	for _, e := range p.engines {
		n += e.Memory.Bytes()
	}
	if p.spent != nil {
		n += p.spent.Memory.Bytes()
	}
	return n
}
