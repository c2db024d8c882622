package engine

// poolMax is the maximum number of engines in a Pool.
const poolMax = 4

// Pool holds recently used engines of one run, ordered by last use. A Pool is not safe for concurrent use.
type Pool struct {
	Most    int64 // maximum memory in bytes; if it is exceeded, only the most recently used engine is kept
	engines []*Engine
}

// Take removes the engine with the highest tick in [after, upTo] from the pool and returns it, or nil if there is none.
// The caller must then create an engine, which will take need bytes, so Take also releases the least recently used
// engine if the pool has no room for them.
func (p *Pool) Take(after, upTo, need int64) *Engine {
	best := -1
	for k, e := range p.engines {
		if t := e.At(); t >= after && t <= upTo && (best < 0 || t > p.engines[best].At()) {
			best = k
		}
	}
	if best >= 0 {
		e := p.engines[best]
		p.engines = append(p.engines[:best], p.engines[best+1:]...)
		return e
	}
	if len(p.engines) > 0 && p.Bytes()+need > p.Most {
		p.evict()
	}
	return nil
}

// Put adds e to the pool as the most recently used engine. e.Memory must be set. If the pool then exceeds its
// limits, Put releases the least recently used engines.
func (p *Pool) Put(e *Engine) {
	p.engines = append(p.engines, e)
	for len(p.engines) > poolMax || len(p.engines) > 1 && p.Bytes() > p.Most {
		p.evict()
	}
}

// evict releases the least recently used engine.
func (p *Pool) evict() {
	p.engines[0].Release()
	copy(p.engines, p.engines[1:])
	p.engines[len(p.engines)-1] = nil
	p.engines = p.engines[:len(p.engines)-1]
}

// Drop releases all engines. It reports whether the pool had any.
func (p *Pool) Drop() bool {
	for _, e := range p.engines {
		e.Release()
	}
	had := len(p.engines) > 0
	p.engines = nil
	return had
}

// Bytes returns the memory in bytes that is reserved for the engines in the pool.
func (p *Pool) Bytes() (n int64) {
	for _, e := range p.engines {
		n += e.Memory.Bytes()
	}
	return n
}
