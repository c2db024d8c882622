package scenario

// Text is a title, summary or question in a scenario: one string for all languages, or one string per language.
// The zero Text means that the scenario does not have it.
type Text struct {
	Plain string
	Langs []LangText // texts by language: en, zh, then the others by name; if not empty, Plain is ignored
}

// LangText is a string, Text, in the language with the tag Lang, such as "en".
type LangText struct{ Lang, Text string }

// In returns the text in language lang. If there is none, it returns the text in English or, if that is
// missing too, in the first language of t. If t has one string for all languages, In returns that string.
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

// IsZero reports whether the text is absent.
func (t Text) IsZero() bool { return t.Plain == "" && len(t.Langs) == 0 }
