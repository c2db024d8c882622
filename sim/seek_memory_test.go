package sim

import (
	"runtime"
	"testing"

	"github.com/wheelscope/wheelscope/wheel"
)

// What is reserved for a fold is what it takes.
func TestFoldBytes(t *testing.T) {
	p := mustLoad(t, `{"wheelscope":1,"until":2000,"lanes":[{"algorithm":"hierarchical","levels":4,"slots":64}],"workload":{"generate":[
		{"prefix":"t","seed":5,"count":200000,"arrivals":{"dist":"constant","value":0},"delay":{"dist":"uniform","min":100,"max":1000}}]}}`)
	e := newEngine(t, p)
	e.runTo(10)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	s := e.Snapshot(wheel.AllEntries)
	f := wheel.NewFold(&s.Lanes[0].State)
	runtime.GC()
	runtime.ReadMemStats(&after)
	if took, want := int64(after.HeapAlloc)-int64(before.HeapAlloc), foldBytes(e.lanes...); took > want || took < want/2 {
		t.Errorf("a fold takes %d bytes, %d are reserved", took, want)
	}
	runtime.KeepAlive(f)
	runtime.KeepAlive(s)
}
