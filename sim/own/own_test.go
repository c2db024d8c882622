package own

import (
	"context"
	"testing"
)

// list is a right wheel without a structure.
type list struct {
	now  int64
	dues map[int64]int64
	keys []int64
}

func newList(start int64, _ Params) Wheel { return &list{now: start, dues: map[int64]int64{}} }

func (l *list) Schedule(key, due int64) bool {
	l.dues[key] = due
	l.keys = append(l.keys, key)
	return true
}

func (l *list) Cancel(key int64) bool {
	_, ok := l.dues[key]
	delete(l.dues, key)
	return ok
}

func (l *list) Advance(to int64) (fired []int64) {
	for ; l.now < to; l.now++ {
		rest := l.keys[:0]
		for _, k := range l.keys {
			due, ok := l.dues[k]
			switch {
			case !ok:
			case due <= l.now+1:
				fired = append(fired, k)
				delete(l.dues, k)
			default:
				rest = append(rest, k)
			}
		}
		l.keys = rest
	}
	return fired
}

func TestRightWheels(t *testing.T) {
	r, err := Try(context.Background(), newList, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.Groups {
		t.Log(&r.Groups[i])
	}
	if g := r.First(); g != nil || r.Score != 100 {
		t.Fatalf("score %d\n%v", r.Score, g)
	}
}
