package texts

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// zh are the Chinese messages, and chinese is their catalogue.
var (
	zh      = readChinese()
	chinese = Catalogue(zh)
)

func readChinese() map[string]string {
	all := map[string]string{}
	names, _ := filepath.Glob("../../static/texts/zh/errors/*.json")
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err == nil {
			err = json.Unmarshal(data, &all)
		}
		if err != nil {
			panic(err)
		}
	}
	return all
}

// A message in English is formatted by its format, in Chinese by the catalogue's.
func TestErrorMessages(t *testing.T) {
	for _, c := range []struct {
		m      Message
		en, zh string
	}{
		{Newf("%d is not %s", 0, Newf("a whole number between %d and %d", 1, 65536)), "0 is not a whole number between 1 and 65536", "0 不是介于 1 与 65536 之间的整数"},
		{Newf("%s is not one of %s", `"no"`, "simple, rounds"), `"no" is not one of simple, rounds`, `"no" 不是下列之一：simple, rounds`},
		{Newf("missing; expected %s", Newf("one of %s", "simple, rounds")), "missing; expected one of simple, rounds", "缺少；应为下列之一：simple, rounds"},
		{Newf("%q is not one of %s", "a list", "a, b"), `"a list" is not one of a, b`, `"a list" 不是下列之一：a, b`},
		{Newf("%s is not %s", "-3", Newf("a number between %s and %s with at most %d decimals", "0.1", "100", 6)),
			"-3 is not a number between 0.1 and 100 with at most 6 decimals", "-3 不是介于 0.1 与 100 之间、至多 6 位小数的数"},
		{Newf("%v is not 0 or between %v and %.0f ticks a second", 0.05, 0.1, 1e9), "0.05 is not 0 or between 0.1 and 1000000000 ticks a second", "0.05 不是 0，也不在每秒 0.1 到 1000000000 个刻度之间"},
		{Newf("%s is never scheduled before this %s at tick %d; expected the name of a timer", `"a"`, "cancel", 3),
			`"a" is never scheduled before this cancel at tick 3; expected the name of a timer`, `"a" 在刻度 3 的 cancel 之前从未启动；应为某个定时器的名字`},
		{Newf("missing; expected %s", "a list of lanes"), "missing; expected a list of lanes", "缺少；应为泳道列表"},
		{Newf("0 is not 1 or -1"), "0 is not 1 or -1", "0 不是 1 或 -1"},
		{Newf("no such sentence, %d", 7), "no such sentence, 7", "no such sentence, 7"},
	} {
		if got := c.m.String(); got != c.en {
			t.Errorf("English: %q, want %q", got, c.en)
		}
		if got := c.m.In(nil); got != c.en {
			t.Errorf("asked for English: %q, want %q", got, c.en)
		}
		if got := c.m.In(chinese); got != c.zh {
			t.Errorf("Chinese: %q, want %q", got, c.zh)
		}
	}
}

// A translation has the same verbs as its original: equally many, or each by its number.
func TestTranslationsKeepTheVerbs(t *testing.T) {
	hole := regexp.MustCompile(`%(\[\d+\])?s`)
	for en, words := range zh {
		want, got := len(verbs.FindAllString(en, -1)), hole.FindAllString(words, -1)
		if len(got) != want {
			t.Errorf("%q has %d verbs, its Chinese %d: %q", en, want, len(got), words)
		}
		args := make([]any, want)
		for i := range args {
			args[i] = "<" + strconv.Itoa(i) + ">"
		}
		filled := words
		if want > 0 {
			filled = fmt.Sprintf(words, args...)
		}
		for _, arg := range args {
			if strings.Count(filled, arg.(string)) != 1 {
				t.Errorf("%q is filled as %q", en, filled)
			}
		}
		if !regexp.MustCompile(`\p{Han}`).MatchString(words) && words != "cancel" && words != "reset" && words != "workload" {
			t.Errorf("%q has no Chinese: %q", en, words)
		}
	}
}
