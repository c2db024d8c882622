package web

import (
	"net/http"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/web/internal/webtest"
)

// viewIn returns the view that a page shows: "entry", or the layout of the laboratory.
func viewIn(body string) string {
	if strings.Contains(body, `<body class="entry"`) {
		return "entry"
	}
	_, layout, _ := strings.Cut(body, `data-layout="`)
	layout, _, _ = strings.Cut(layout, `"`)
	return layout
}

// Links of other sites and of today's users open what they opened before, or the entry view.
func TestLinks(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		for query, want := range map[string]struct{ first, remembered string }{
			"":                           {"entry", "entry"},
			"?lang=zh":                   {"entry", "entry"},
			"?utm_source=elsewhere":      {"entry", "entry"},
			"?view=entry":                {"entry", "entry"},
			"?view=entry&t=3":            {"entry", "entry"},
			"?scenario=ten-slots":        {"entry", "gallery"},
			"?scenario=reach&t=4":        {"entry", "stage"},
			"?scenario=reach&t=4&seq=9":  {"entry", "stage"},
			"?t=3":                       {"entry", "gallery"},
			"?seq=7":                     {"entry", "gallery"},
			"?scenario=ten-slots&run=a1": {"entry", "gallery"},

			"?view=lab":                            {"gallery", "gallery"},
			"?view=gallery":                        {"gallery", "gallery"},
			"?view=stage":                          {"stage", "stage"},
			"?view=stage&lane=levels":              {"stage", "stage"},
			"?scenario=three-slots&view=stage&t=2": {"stage", "stage"},
			"?scenario=ten-slots&view=lab":         {"gallery", "gallery"},

			"?mine=0123456789abcdef":                          {"gallery", "gallery"},
			"?mine=0123456789abcdef&t=3&seq=5":                {"gallery", "gallery"},
			"?mine=0123456789abcdef&view=entry":               {"gallery", "gallery"},
			"?session=0123456789abcdef01234567":               {"gallery", "gallery"},
			"?scenario=ten-slots&embed=1":                     {"gallery", "gallery"},
			"?scenario=ten-slots&embed=1&controls=0&t=3":      {"gallery", "gallery"},
			"?scenario=ten-slots&embed=1&view=entry":          {"gallery", "gallery"},
			"?scenario=ten-slots&follow=2":                    {"gallery", "gallery"},
			"?scenario=ten-slots&lane=tower":                  {"gallery", "gallery"},
			"?scenario=every-algorithm":                       {"stage", "stage"}, // more than four lanes
			"?scenario=hundred-thousand":                      {"stage", "stage"},
			"?scenario=every-algorithm&view=entry":            {"stage", "stage"},
			"?scenario=hundred-thousand&view=gallery&lang=zh": {"gallery", "gallery"},
		} {
			if got := viewIn(h.get("/" + query).body); got != want.first {
				t.Errorf("%s opens in %s, want %s", query, got, want.first)
			}
			if got := viewIn(h.get("/"+query, "Cookie", viewCookie+"=lab").body); got != want.remembered {
				t.Errorf("%s opens in %s for a visitor of the laboratory, want %s", query, got, want.remembered)
			}
		}
	})
}

// The link to the laboratory sets the cookie, and the one back deletes it. Nothing else does.
func TestChosenViewIsRemembered(t *testing.T) {
	inBubble(t, Config{Default: webtest.LoadSmall(t), BasePath: "/below"}, func(t *testing.T, h *harness) {
		entry := pageOf(t, h, "/below/?t=3")
		to, _ := entry.Find("#lab").Attr("href")
		a := h.get(to)
		cookie, err := http.ParseSetCookie(a.header.Get("Set-Cookie"))
		if err != nil || viewIn(a.body) == "entry" || cookie.Value != "lab" || cookie.Path != "/below" || cookie.SameSite != http.SameSiteLaxMode || cookie.MaxAge <= 0 || !strings.Contains(a.body, `data-now="3"`) {
			t.Fatalf("%s: %v, %v", to, cookie, err)
		}
		lab := pageOf(t, h, to)
		back, _ := lab.Find("#simple").Attr("href")
		a = h.get(back, "Cookie", viewCookie+"=lab")
		cookie, err = http.ParseSetCookie(a.header.Get("Set-Cookie"))
		if err != nil || viewIn(a.body) != "entry" || cookie.MaxAge >= 0 || cursorOf(a.body) != "3 28" {
			t.Errorf("%s: %v, %v at %s", back, cookie, err, cursorOf(a.body))
		}
		for _, path := range []string{"/below/", "/below/?view=lab", "/below/?view=entry", "/below/?view=stage", "/below/learn?remember=1"} {
			if set := h.get(path, "Cookie", viewCookie+"=lab").header.Get("Set-Cookie"); set != "" {
				t.Errorf("%s sets %s", path, set)
			}
		}
	})
}

// The entry view works without scripts: its buttons are links, and each leads to the position that it names.
func TestEntryViewWithoutScripts(t *testing.T) {
	inBubble(t, Config{Default: webtest.LoadSmall(t)}, func(t *testing.T, h *harness) {
		for at, want := range map[string]map[string]string{
			"/":                    {"tick-next": "0 8", "tick-back": "0 0", "event-next": "0 1", "step-next": "0 4", "fast": "9 44"},
			"/?view=entry&t=3":     {"tick-next": "4 38", "tick-back": "2 22", "event-back": "3 27", "restart": "0 0"},
			"/?view=entry&seq=7":   {"tick-next": "0 8", "tick-back": "0 0", "event-next": "0 8", "event-back": "0 6"},
			"/?view=entry&t=9":     {"tick-next": "9 44", "event-next": "9 44", "step-next": "9 44"},
			"/?scenario=small&t=0": {"tick-next": "1 12", "tick-back": "0 0", "step-back": "0 4"},
		} {
			page := pageOf(t, h, at)
			for do, cursor := range want {
				href, ok := page.Find("[data-do=" + do + "]").Attr("href")
				if got := cursorOf(h.get(href).body); !ok || got != cursor {
					t.Errorf("%s: %s leads to %s, at %s; want %s", at, do, href, got, cursor)
				}
			}
			if n := page.Find("[role=slider][aria-label=Time]").Length(); n != 1 {
				t.Errorf("%s: %d sliders", at, n)
			}
			if page.Find("section[data-lane] section").Length() != 0 || page.Find("section[data-lane]").Length() != 2 {
				t.Errorf("%s: wrong sections", at)
			}
		}
	})
}

// The sentence of the entry view, in both languages.
func TestSentences(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, h *harness) {
		for at, want := range map[string]string{
			"/":                                  "Nothing is pending yet.",
			"/?view=entry&seq=6":                 "2 starts, due in 2 s: slot 2 in every wheel.",
			"/?view=entry&t=0":                   "15 starts, due in 15 s: rejected, one more round, or a level up.",
			"/?view=entry&t=2":                   "17 starts, due in 15 s: rejected, one more round, or a level up.",
			"/?view=entry&t=5":                   "The hand passes 15: one round less to wait.",
			"/?view=entry&t=10":                  "The inner hand moves on: 15 and 17 move down to slots 5 and 7.",
			"/?view=entry&t=11":                  "11 fires in all 3 wheels, exactly on time.",
			"/?view=entry&t=12":                  "11 fires in all 3 wheels, exactly on time.",
			"/?view=entry&t=17":                  "17 fires in 2 of 3 wheels, exactly on time.",
			"/?view=entry&t=11&lang=zh":          "11 在全部 3 个时间轮中准时触发。",
			"/?scenario=lateness&view=entry&t=9": "",

			"/?scenario=go-zombies&view=entry&t=6":     "40 is put off to 65 ms.",
			"/?scenario=redis-same-key&view=entry&t=0": "",
		} {
			say := pageOf(t, h, at).Find("[role=status]").Text()
			if say = strings.Join(strings.Fields(say), " "); want != "" && say != want || say == "" {
				t.Errorf("%s: %q, want %q", at, say, want)
			}
		}
	})
}
