package wheel

import "testing"

// Each kind and code has its own name in the trace.
func TestNamesOfKindsAndCodes(t *testing.T) {
	seen := map[string]bool{}
	for k := KindSchedule; k < NumKinds; k++ {
		seen[k.String()] = true
	}
	for c := CodeRange; c < NumCodes; c++ {
		seen["code "+CodeName(c)] = true
	}
	if want := int(NumKinds) - 1 + int(NumCodes) - 1; len(seen) != want || seen[""] || seen["code "] {
		t.Errorf("%d names, want %d", len(seen), want)
	}
	if Kind(200).String() != "" || CodeName(200) != "" {
		t.Error("a number past the last has a name")
	}
}
