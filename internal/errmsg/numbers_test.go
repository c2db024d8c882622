package errmsg

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// The functions find the same verbs and numbers in random texts as regular expressions do.
func TestVerbsAndNumbers(t *testing.T) {
	verb, number := regexp.MustCompile(`%[+#.0-9]*[a-zA-Z]`), regexp.MustCompile(`-?\d+(\.\d+)?`)
	const letters = "%%%+#.0123--asZ {é"
	draw := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var b strings.Builder
		for range draw.IntN(9) {
			b.WriteByte(letters[draw.IntN(len(letters))])
		}
		text := b.String()
		if got, want := verbsOf(text), verb.FindAllString(text, -1); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%q has the verbs %q, want %q", text, got, want)
		}
		key, numbers := numbersOf(text)
		if want := number.FindAllString(text, -1); fmt.Sprint(numbers) != fmt.Sprint(want) || key != number.ReplaceAllString(text, "%d") {
			t.Fatalf("%q has the numbers %q, want %q; key %q", text, numbers, want, key)
		}
	}
}
