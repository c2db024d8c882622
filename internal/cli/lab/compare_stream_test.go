package lab

import (
	"io"
	"runtime"
	"testing"
)

// A stream that is too large is refused without taking much more memory than the limit.
func TestCompareReadsStreamsInBoundedMemory(t *testing.T) {
	const most = 32 << 20
	for bytes, refused := range map[int64]bool{0: false, most: false, most + 1: true, 2 * most: true} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		data, err := readSide(io.LimitReader(zeros{}, bytes), "-", most)
		runtime.ReadMemStats(&after)
		if refused != (err != nil) || !refused && int64(len(data)) != bytes {
			t.Errorf("%d bytes: %d read, error %v", bytes, len(data), err)
		}
		if taken := after.TotalAlloc - before.TotalAlloc; taken > most*5/4 {
			t.Errorf("%d bytes: %d were allocated", bytes, taken)
		}
	}
}

// zeros is an endless stream of zeros.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
