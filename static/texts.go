package static

import (
	_ "embed"
	"encoding/json"
	"sync"
)

// texts.json is the one catalogue of the page's words: key → language → text.
// {name} in a text is filled in where it is shown.
//
//go:embed texts.json
var textsJSON []byte

// Languages of the catalogue; the first is the one to fall back on.
var Languages = []string{"en", "zh"}

// catalogue is read once; a broken file is a mistake of the build, held by a test.
var catalogue = sync.OnceValue(func() map[string]map[string]string {
	var c map[string]map[string]string
	if err := json.Unmarshal(textsJSON, &c); err != nil {
		panic("static: texts.json: " + err.Error())
	}
	return c
})

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
