package scenario

// Text is a text in a scenario: one string for all languages, or one for each language. The zero
// Text is an absent text.
type Text struct {
	Plain string
	Langs []LangText // texts by language, ordered en, zh, then by name; if there are any, Plain is not used
}

// LangText is a text in one language.
type LangText struct{ Lang, Text string }

// In returns the text in language lang or, if there is none, in English. If there is no English text
// either, it returns the first text.
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

// IsZero reports whether there is no text.
func (t Text) IsZero() bool { return t.Plain == "" && len(t.Langs) == 0 }
