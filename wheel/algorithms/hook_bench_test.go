package algorithms

import (
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
)

// BenchmarkHook measures a tick with much work, without a hook and with one that returns true.
// Compare with `benchstat -col /hook`.
func BenchmarkHook(b *testing.B) {
	for _, l := range loads() {
		if l.n < hookTimers { // too little work in one tick
			continue
		}
		for name, hook := range map[string]wheel.Hook{"none": nil, "set": func() bool { return true }} {
			b.Run("load="+l.name+"-"+l.what+"/hook="+name, func(b *testing.B) {
				full := l.build(b)
				l.fill(b, full)
				fired := make([]wheel.Expiry, 0, l.n)
				for range b.N {
					b.StopTimer()
					w := full.Clone()
					w.SetHook(hook)
					b.StartTimer()
					fired, _ = w.Advance(l.to, fired[:0], 0)
				}
			})
		}
	}
}
