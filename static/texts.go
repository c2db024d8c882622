package static

import (
	"embed"
	"fmt"
	"io/fs"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/wheelscope/wheelscope/internal/texts"
)

// messageFiles contains the texts that only Go code reads (messages/*.json) and the translations of error messages
// (errors/*.json). textFiles contains the texts of pages (*.json) and of the article (learn/*.json). There is a folder
// per language and a file per subject, which maps keys to texts. Package texts describes how {name} in a text is
// replaced. The keys of error messages are English formats, so there are none in English.
//
//go:embed texts/*/messages/*.json texts/*/errors/*.json
var messageFiles embed.FS

// Languages lists the languages of the texts; the first is the default.
var Languages = []string{"en", "zh"}

// readTexts reads the texts of all Languages and returns a catalogue for each language, keyed by language. The texts of
// a language are in the files of from whose names match pattern after the verb %s has been replaced with the language.
func readTexts(from fs.FS, pattern string) (map[string]texts.Catalogue, error) {
	all := map[string]texts.Catalogue{}
	for _, lang := range Languages {
		names, err := fs.Glob(from, fmt.Sprintf(pattern, lang))
		if err != nil {
			return nil, err
		}
		all[lang] = texts.Catalogue{}
		for _, name := range names {
			if err := addTexts(all[lang], from, name); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return all, nil
}

// addTexts adds to c the texts in the named file of from. It returns an error if c already contains one of the keys.
func addTexts(c texts.Catalogue, from fs.FS, name string) error {
	data, err := fs.ReadFile(from, name)
	if err != nil {
		return err
	}
	var added texts.Catalogue
	if err := json.Unmarshal(data, &added); err != nil {
		return err
	}
	for key, text := range added {
		if _, ok := c[key]; ok {
			return fmt.Errorf("%s is in another file, too", key)
		}
		c[key] = text
	}
	return nil
}

// lazyTexts returns a function that returns the texts in the language lang, or in English if lang is not one of
// Languages. When the function is called for the first time, it reads the texts of all languages from the files that
// match pattern, in which the verb %s is replaced with the language. The function then panics if a file is invalid; a
// test reads every file.
func lazyTexts(from fs.FS, pattern string) func(lang string) texts.Catalogue {
	read := sync.OnceValue(func() map[string]texts.Catalogue {
		all, err := readTexts(from, pattern)
		if err != nil {
			panic("static: " + err.Error())
		}
		return all
	})
	return func(lang string) texts.Catalogue {
		if t, ok := read()[lang]; ok {
			return t
		}
		return read()[Languages[0]]
	}
}

var pageTexts, messages, article = lazyTexts(textFiles, "texts/%s/*.json"), lazyTexts(messageFiles, "texts/%s/*/*.json"), lazyTexts(textFiles, "texts/%s/learn/*.json")

// Texts returns the texts of pages in the language lang, or in English if lang is unknown. They are sent with
// every page. The map is shared and must not be changed.
func Texts(lang string) texts.Catalogue { return pageTexts(lang) }

// InEach returns the text of m in each of the Languages, keyed by language.
func InEach(m texts.Message) map[string]string {
	all := make(map[string]string, len(Languages))
	for _, lang := range Languages {
		all[lang] = messages(lang).Say(m)
	}
	return all
}

// Messages returns the texts that only Go code uses, and the translations of error messages, in the language lang, or in
// English if lang is unknown. The map is shared and must not be changed.
func Messages(lang string) texts.Catalogue { return messages(lang) }

// Article returns the texts of the page /learn in the language lang, or in English if lang is unknown. The map is
// shared and must not be changed.
func Article(lang string) texts.Catalogue { return article(lang) }
