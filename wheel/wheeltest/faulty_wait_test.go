package wheeltest

import (
	"bytes"
	"context"
	"runtime"
	"time"
)

// running records that the calling goroutine runs the function of x, until end is called.
func (s *sample) running(x *sampleTimer) (end func()) {
	here := goroutine()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.calls == nil {
		s.calls = map[string]*sampleTimer{}
	}
	s.calls[here] = x
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.calls, here)
	}
}

// goroutine returns the beginning of the goroutine's stack trace, "goroutine 7 ".
func goroutine() string {
	text := make([]byte, 64)
	text = text[:runtime.Stack(text, false)]
	return string(text[:bytes.IndexByte(text, '[')])
}

// wait waits until none of the running functions is accepted by match, unless the caller is one of
// them.
func (s *sample) wait(ctx context.Context, match func(*sampleTimer) bool) error {
	if s.fault == "does not wait" {
		return nil
	}
	for here := goroutine(); ; {
		s.mu.Lock()
		found, inside := false, s.calls[here] != nil
		for _, x := range s.calls {
			found = found || match(x)
		}
		s.mu.Unlock()
		if !found || inside {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(s.tick):
		}
	}
}

func (s *sample) Shutdown(ctx context.Context) error {
	s.Close()
	return s.wait(ctx, func(*sampleTimer) bool { return true })
}
