package timer

import "reflect"

// badKey says whether a key can't be found again in a map: it can't be compared (a
// slice, a map, a function, or something that holds one), or is not equal to itself (a
// NaN, or something that holds one).
func badKey(key any) bool {
	switch key.(type) {
	case string, int, int64, uint64, int32, uint32, nil:
		return false
	}
	return !reflect.ValueOf(key).Comparable() || key != key
}
