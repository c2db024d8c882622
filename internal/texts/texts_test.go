package texts

import "testing"

func TestTextsAreFilledIn(t *testing.T) {
	texts := Catalogue{"a": "{n} of {m} {n}"}
	if got := texts.T("a", "n", 3, "m", "x"); got != "3 of x 3" {
		t.Errorf("got %q", got)
	}
	plural := Catalogue{"a": "{n} {n|timer|timers}, {m|x|y}"}
	for n, want := range map[any]string{0: "0 timers, y", 1: "1 timer, y", int64(1): "1 timer, y", 11: "11 timers, y"} {
		if got := plural.T("a", "n", n, "m", 2); got != want {
			t.Errorf("%v: got %q, want %q", n, got, want)
		}
	}
	if got := texts.T("missing"); got != "missing" {
		t.Errorf("a missing text is %q", got)
	}
}

func TestMessages(t *testing.T) {
	c := Catalogue{"all": "{who}: {n} in {parts}", "comma": ", ", "part": "{n} {n|part|parts}"}
	m := Of("all", "who", "a{n}", "n", Count(1312), "parts", NewList("comma", []Message{Of("part", "n", Count(1)), Of("part", "n", 1000)}))
	if got, want := c.Say(m), "a{n}: 1,312 in 1 part, 1000 parts"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := c.Lines([]Message{Of("part", "n", 2), Of("comma")}); len(got) != 2 || got[0] != "2 parts" || got[1] != ", " {
		t.Errorf("%q", got)
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[Count]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1000: "-1,000", -100: "-100"} {
		if got := n.String(); got != want {
			t.Errorf("%d is written %s, want %s", int64(n), got, want)
		}
	}
}
