package connect

import (
	"strings"
	"testing"
)

// User names and passwords of URLs are never shown, whatever the form of the URL.
func TestRedact(t *testing.T) {
	for text, want := range map[string]string{
		"https://user:pa:ss@host:1/p?q=a@b": "https://xxxxx@host:1/p?q=a@b",
		"https://token@host":                "https://xxxxx@host",
		"https://u:p@q@host/":               "https://xxxxx@host/",
		"https://host/a@b":                  "https://host/a@b",
		"no URL of user@host":               "no URL of user@host",
	} {
		if got := RedactURL(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
	if got := RedactText(`Get "https://u:p@host/x": sent on to https://a@b/`); got != `Get "https://xxxxx@host/x": sent on to https://xxxxx@b/` {
		t.Errorf("%q", got)
	}
}

// A reason is one line of valid text, and bounded.
func TestOneLine(t *testing.T) {
	if got := OneLine("503 \x1b[2Jno\x9b\u202eend\u009b 界"); got != "503 ?[2Jno??end? 界" {
		t.Errorf("what steers a terminal: %q", got)
	}
	if got := OneLine(" a\n\tb \xff "); got != "a b ?" {
		t.Errorf("%q", got)
	}
	if got := OneLine(strings.Repeat("界", 200)); len(got) > reasonMax+3 || !strings.HasSuffix(got, "界…") {
		t.Errorf("%d bytes, %q", len(got), got[len(got)-10:])
	}
}
