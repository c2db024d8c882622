package static

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"sync"
)

// texts/ is the one catalogue of the page's words, a file a subject: key →
// language → text. {name} in a text is filled in where it is shown.
//
//go:embed texts/*.json
var textFiles embed.FS

// Languages of the catalogue; the first is the one to fall back on.
var Languages = []string{"en", "zh"}

// catalogue is read once; a broken file, or a key in two files, is a mistake of the
// build, held by a test.
var catalogue = sync.OnceValue(func() map[string]map[string]string {
	all, err := readTexts(textFiles)
	if err != nil {
		panic("static: " + err.Error())
	}
	return all
})

// readTexts joins the files of texts/.
func readTexts(from fs.FS) (map[string]map[string]string, error) {
	names, err := fs.Glob(from, "texts/*.json")
	if err != nil {
		return nil, err
	}
	all := map[string]map[string]string{}
	for _, name := range names {
		data, err := fs.ReadFile(from, name)
		if err != nil {
			return nil, err
		}
		var c map[string]map[string]string
		if err := json.Unmarshal(data, &c); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for key, text := range c {
			if all[key] != nil {
				return nil, fmt.Errorf("%s: %s is in another file, too", name, key)
			}
			all[key] = text
		}
	}
	return all, nil
}

var byLanguage = sync.OnceValue(func() map[string]map[string]string {
	all := make(map[string]map[string]string, len(Languages))
	for _, lang := range Languages {
		all[lang] = make(map[string]string, len(catalogue()))
		for key, text := range catalogue() {
			all[lang][key] = text[lang]
		}
	}
	return all
})

// Texts is the catalogue in one language; in English where lang is none of
// Languages. The map is shared and must not be changed.
func Texts(lang string) map[string]string {
	if t, ok := byLanguage()[lang]; ok {
		return t
	}
	return byLanguage()[Languages[0]]
}
