package sim

// Text is a text as a scenario gives it: one string for every language, or one
// per language. The zero Text is absent.
type Text struct {
	Plain string
	Langs []LangText // when not empty, Plain is not used; en, zh, then others by name
}

// LangText is a text in one language.
type LangText struct{ Lang, Text string }

// In gives the text in a language, or in English, or in whichever there is.
func (t Text) In(lang string) string {
	for _, want := range [...]string{lang, "en"} {
		for _, l := range t.Langs {
			if l.Lang == want {
				return l.Text
			}
		}
	}
	if len(t.Langs) > 0 {
		return t.Langs[0].Text
	}
	return t.Plain
}

// IsZero says whether there is no text.
func (t Text) IsZero() bool { return t.Plain == "" && len(t.Langs) == 0 }
