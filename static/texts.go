package static

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"sync"

	"github.com/wheelscope/wheelscope/internal/say"
	"github.com/wheelscope/wheelscope/internal/texts"
)

// texts/LANGUAGE/*.json are the texts of pages, texts/LANGUAGE/messages/*.json those that only Go
// code reads, texts/LANGUAGE/learn/*.json that of the article: a file per subject, key → text. Package texts describes how {name} in a text is
// replaced. The keys of texts/LANGUAGE/errors/*.json are English formats, see package say.
//
//go:embed texts/*/*.json texts/*/messages/*.json texts/*/learn/*.json texts/*/errors/*.json
var textFiles embed.FS

// Languages lists the languages of the texts; the first is the default.
var Languages = []string{"en", "zh"}

// readTexts reads the files that match pattern, whose %s is the language, into one catalogue each.
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

// addTexts adds the texts of the file called name to the catalogue to.
func addTexts(to texts.Catalogue, from fs.FS, name string) error {
	data, err := fs.ReadFile(from, name)
	if err != nil {
		return err
	}
	var c texts.Catalogue
	if err := json.Unmarshal(data, &c); err != nil {
		return err
	}
	for key, text := range c {
		if _, ok := to[key]; ok {
			return fmt.Errorf("%s is in another file, too", key)
		}
		to[key] = text
	}
	return nil
}

// once returns a function that reads the files of a pattern at its first call and returns the
// texts in a language, in English if lang is none of Languages. It panics if a file is invalid; a
// test reads every file.
func once(pattern string) func(lang string) texts.Catalogue {
	read := sync.OnceValue(func() map[string]texts.Catalogue {
		all, err := readTexts(textFiles, pattern)
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

var pageTexts, messages, article = once("texts/%s/*.json"), once("texts/%s/messages/*.json"), once("texts/%s/learn/*.json")

// Texts returns the texts of pages in the language lang, which are sent with every page, or those
// in English if lang is unknown. The map is shared and must not be changed.
func Texts(lang string) texts.Catalogue { return pageTexts(lang) }

// InEach returns the message m in each of Languages.
func InEach(m texts.Message) map[string]string {
	all := make(map[string]string, len(Languages))
	for _, lang := range Languages {
		all[lang] = messages(lang).Say(m)
	}
	return all
}

// Messages returns the texts that only Go code reads, in the language lang, as Texts does.
func Messages(lang string) texts.Catalogue { return messages(lang) }

// Article returns the texts of the page /learn in the language lang, as Texts does.
func Article(lang string) texts.Catalogue { return article(lang) }

// chinese returns the catalogue of error messages in Chinese.
var chinese = sync.OnceValue(func() *say.Catalogue { return say.NewCatalogue(once("texts/%s/errors/*.json")("zh")) })

// Errors returns the error messages in the language lang: nil for English, the code's language.
func Errors(lang string) *say.Catalogue {
	if lang == "zh" {
		return chinese()
	}
	return nil
}
