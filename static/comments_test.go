package static

import (
	"strings"
	"testing"
)

func TestWithoutComments(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"js/a.js", "// one\n/** two\n * three */\nf(); // four\n", "\n\n\nf(); // four\n"},
		{"js/a.js", "  /** @type {any} */ (x).y = 1;\n  /** @type {any} */\n", "  /** @type {any} */ (x).y = 1;\n\n"},
		{"js/a.js", "f(`\n// text\n/* text */\n`);\n// one\n", "f(`\n// text\n/* text */\n`);\n\n"},
		{"js/vendor/a.js", "// one\n", "// one\n"},
		{"css/a.css", "/* one\n   two */\n.a { b: c; } /* three */\n", "\n\n.a { b: c; } /* three */\n"},
		{"knowledge/a.json", "// one\n", "// one\n"},
	} {
		if got := string(withoutComments(c.name, []byte(c.text))); got != c.want {
			t.Errorf("%s: %q becomes %q, want %q", c.name, c.text, got, c.want)
		}
	}
}

// TestServedLines compares each file with the served one: each line is unchanged, or it was a
// comment and is empty.
func TestServedLines(t *testing.T) {
	walk(func(name string, data []byte) {
		served, _ := File(name)
		was, is := strings.Split(string(data), "\n"), strings.Split(string(served), "\n")
		if len(was) != len(is) {
			t.Errorf("%s: %d lines are served as %d", name, len(was), len(is))
			return
		}
		inside := false
		for i, line := range was {
			text := strings.TrimSpace(line)
			inside = inside || strings.HasPrefix(text, "/*")
			if is[i] != line && !inside && !strings.HasPrefix(text, "//") {
				t.Errorf("%s:%d: %q is served as %q", name, i+1, line, is[i])
			}
			if strings.HasSuffix(text, "*/") {
				inside = false
			}
		}
	})
}
