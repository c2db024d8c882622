package lecture

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/quiz"
)

// Limits on a lecture. The page has the same limits (static/js/lecture/file.js).
const (
	Version        = 1
	BytesMax       = 1 << 20 // size of a file, with the scenarios in it
	StopsMax       = 100
	ScenariosMax   = 16  // scenarios in the file
	LanesMax       = 32  // lanes that a stop shows
	FactsMax       = 16  // facts of a stop
	OptionsMax     = 4   // options of a question
	TitleRunesMax  = 120 // length of a title
	NoteRunesMax   = 240 // length of the note, the question and the explanation of its answer
	ScriptRunesMax = 4000
	NameRunesMax   = 64 // length of a timer's, a lane's and a fact's name
)

// kind is the value of the field "kind", which tells a lecture from other files of the program.
const kind = "lecture"

//go:embed lectures/*.json
var files embed.FS

// builtinNames lists the names of the built-in lectures in display order.
var builtinNames = []string{"timing-wheels", "five-faults"}

// Words maps a language, "en" or "zh", to a text in that language. In a file, a string is a text for all languages.
type Words map[string]string

// UnmarshalJSONFrom implements [json.UnmarshalerFrom].
func (w *Words) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if d.PeekKind() == '"' {
		var text string
		err := json.UnmarshalDecode(d, &text)
		*w = Words{"en": text}
		return err
	}
	byLanguage := map[string]string{}
	err := json.UnmarshalDecode(d, &byLanguage)
	*w = byLanguage
	return err
}

// In returns the text in language lang, or the English text if there is none in that language.
func (w Words) In(lang string) string {
	if text, ok := w[lang]; ok {
		return text
	}
	return w["en"]
}

// Lecture is a list of stops.
type Lecture struct {
	Name      string                    `json:"-"` // name of a built-in lecture, or ""
	Version   int                       `json:"wheelscope"`
	Kind      string                    `json:"kind"`
	Title     Words                     `json:"title"`
	Summary   Words                     `json:"summary,omitempty"`
	Scenarios map[string]jsontext.Value `json:"scenarios,omitempty"` // scenarios of the stops that name a run, by the digest of the run
	Stops     []Stop                    `json:"stops"`
}

// Stop is one instant of a run: the end of tick Tick, or the state after event Seq, or, without both, the state before the first
// event. {NAME} in a text is replaced by the answer to Facts[NAME].
type Stop struct {
	Scenario string   `json:"scenario,omitempty"` // name of a built-in scenario, or "" if Run is given
	Run      string   `json:"run,omitempty"`      // digest of the run of one of Lecture.Scenarios
	Tick     *int64   `json:"tick,omitempty"`
	Seq      *int64   `json:"seq,omitempty"`
	Edit     *Edit    `json:"edit,omitempty"`   // operation that is added to the scenario
	View     string   `json:"view,omitempty"`   // "gallery" (the default), "stage" or "compare"
	Lane     string   `json:"lane,omitempty"`   // ID of the lane in focus
	Lanes    []string `json:"lanes,omitempty"`  // IDs of the lanes to show; empty means all
	Follow   string   `json:"follow,omitempty"` // name of the followed timer
	Title    Words    `json:"title"`
	Note     Words    `json:"note"`               // one or two sentences on the stage
	Script   Words    `json:"script,omitempty"`   // what the presenter's window shows besides
	Question Words    `json:"question,omitempty"` // text of the question Ask
	Why      Words    `json:"why,omitempty"`      // explanation shown after the answer
	Queries
}

// Queries are the queries of a stop about its run. Those without a tick of their own refer to the stop's.
type Queries struct {
	Facts   map[string]quiz.Query `json:"facts,omitempty"`
	Ask     *quiz.Query           `json:"ask,omitempty"`     // the question, or nil if the stop has none
	Options []string              `json:"options,omitempty"` // values to choose from; empty means those that quiz.Quiz.Offer returns
}

// Edit is an operation that is added to the scenario of a stop, at the stop's instant, in the form of workload.ops without "at".
type Edit jsontext.Value

// MarshalJSONTo implements [json.MarshalerTo].
func (e Edit) MarshalJSONTo(enc *jsontext.Encoder) error { return enc.WriteValue(jsontext.Value(e)) }

// UnmarshalJSONFrom implements [json.UnmarshalerFrom].
func (e *Edit) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	v, err := d.ReadValue()
	*e = Edit(v.Clone())
	return err
}

// At returns the tick that queries of s without a tick of their own refer to: −1 is the state before the first event.
func (s *Stop) At() int64 {
	if s.Tick == nil {
		return -1
	}
	return *s.Tick
}

// Builtins returns the built-in lectures in display order. It panics if an embedded file is invalid; a test checks every file.
var Builtins = sync.OnceValue(func() []*Lecture {
	list := make([]*Lecture, 0, len(builtinNames))
	for _, name := range builtinNames {
		l, err := Read(Data(name))
		if err != nil {
			panic(fmt.Sprintf("lecture: %s: %v", name, err))
		}
		l.Name = name
		list = append(list, l)
	}
	return list
})

// Data returns the file of a built-in lecture, or nil if there is none with this name.
func Data(name string) []byte {
	if !slices.Contains(builtinNames, name) {
		return nil
	}
	data, _ := files.ReadFile(path.Join("lectures", name+".json"))
	return data
}

// Begins reports whether head, the beginning of a file, is that of a lecture. Read may refuse it nevertheless.
func Begins(head []byte) bool {
	d := jsontext.NewDecoder(bytes.NewReader(head))
	if t, err := d.ReadToken(); err != nil || t.Kind() != '{' {
		return false
	}
	for {
		name, err := d.ReadToken()
		if err != nil || name.Kind() != '"' {
			return false
		}
		isKind := name.String() == "kind"
		v, err := d.ReadValue()
		if err != nil || isKind {
			return err == nil && string(v) == strconv.Quote(kind)
		}
	}
}

// Read reads a lecture and checks everything that does not depend on a run. The error is a *[texts.Error] with the path of the
// field.
func Read(data []byte) (*Lecture, error) {
	if len(data) > BytesMax {
		return nil, faultIn("", "%d bytes; expected a lecture of at most %d", len(data), BytesMax)
	}
	l := &Lecture{}
	if err := json.Unmarshal(data, l, json.RejectUnknownMembers(true)); err != nil {
		return nil, jsonFault(err)
	}
	switch {
	case l.Version != Version:
		return nil, faultIn("wheelscope", "%d is not the version of a lecture that is understood here, %d", l.Version, Version)
	case l.Kind != kind:
		return nil, faultIn("kind", "%q is not %q", texts.Clip(l.Kind), kind)
	case len(l.Stops) == 0 || len(l.Stops) > StopsMax:
		return nil, faultIn("stops", "%d stops; expected 1 to %d", len(l.Stops), StopsMax)
	case len(l.Scenarios) > ScenariosMax:
		return nil, faultIn("scenarios", "%d scenarios; expected at most %d", len(l.Scenarios), ScenariosMax)
	}
	if err := checkText("title", l.Title, TitleRunesMax, true); err != nil {
		return nil, err
	}
	if err := checkText("summary", l.Summary, NoteRunesMax, false); err != nil {
		return nil, err
	}
	for i := range l.Stops {
		if err := l.Stops[i].check(l); err != nil {
			return nil, texts.Below(StopPath(i), err)
		}
	}
	return l, nil
}

// jsonFault returns the error for a text that the JSON decoder refuses.
func jsonFault(err error) *texts.Error {
	where := ""
	if semantic, ok := errors.AsType[*json.SemanticError](err); ok {
		where = pathOf(semantic.JSONPointer)
	}
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		where = pathOf(syntax.JSONPointer)
	}
	if errors.Is(err, json.ErrUnknownName) {
		return faultIn(where, "%q is not a field that is known here", texts.Clip(where))
	}
	return faultIn(where, "the text is not a lecture: %s", texts.Clip(err.Error()))
}

// pathOf converts a JSON pointer such as /stops/2/tick to a path such as stops[2].tick.
func pathOf(p jsontext.Pointer) string {
	var b strings.Builder
	for token := range p.Tokens() {
		switch {
		case token != "" && strings.Trim(token, "0123456789") == "":
			b.WriteString("[" + token + "]")
		case b.Len() > 0:
			b.WriteString("." + token)
		default:
			b.WriteString(token)
		}
	}
	return b.String()
}

// StopPath returns the path of stop i in errors.
func StopPath(i int) string { return fmt.Sprintf("stops[%d]", i) }

func faultIn(path, format string, args ...any) *texts.Error {
	return texts.Errorf(texts.Invalid, path, format, args...)
}

// check checks what can be checked without a run.
func (s *Stop) check(l *Lecture) *texts.Error {
	if (s.Scenario == "") == (s.Run == "") {
		return faultIn("scenario", "a stop names either a built-in scenario, or the run of a scenario in the file")
	}
	if _, ok := l.Scenarios[s.Run]; s.Run != "" && !ok {
		return faultIn("run", "%q is not one of the scenarios in the file", texts.Clip(s.Run))
	}
	if s.Tick != nil && s.Seq != nil {
		return faultIn("seq", "a stop is at a tick or at an event, not at both")
	}
	if s.Edit != nil && s.Tick == nil {
		return faultIn("edit", "an operation is added at a tick; the stop has none")
	}
	if !slices.Contains([]string{"", "gallery", "stage", "compare"}, s.View) {
		return faultIn("view", "%q is not one of %s", texts.Clip(s.View), "gallery, stage, compare")
	}
	if len(s.Lanes) > LanesMax {
		return faultIn("lanes", "%d lanes; expected at most %d", len(s.Lanes), LanesMax)
	}
	if s.Lane != "" && len(s.Lanes) > 0 && !slices.Contains(s.Lanes, s.Lane) {
		return faultIn("lane", "%q is not one of the lanes that the stop shows", texts.Clip(s.Lane))
	}
	if (s.Ask == nil) != (len(s.Question) == 0) {
		return faultIn("question", "a question has its text, question, and what is asked, ask")
	}
	if err := s.Queries.check(); err != nil {
		return err
	}
	for _, t := range []struct {
		path   string
		words  Words
		max    int
		needed bool
	}{
		{"title", s.Title, TitleRunesMax, true}, {"note", s.Note, NoteRunesMax, true}, {"script", s.Script, ScriptRunesMax, false},
		{"question", s.Question, NoteRunesMax, false}, {"why", s.Why, NoteRunesMax, false},
	} {
		if err := checkText(t.path, t.words, t.max, t.needed); err != nil {
			return err
		}
	}
	return nil
}

// check checks the number of queries and the lengths of names.
func (q *Queries) check() *texts.Error {
	if len(q.Facts) > FactsMax {
		return faultIn("facts", "%d facts; expected at most %d", len(q.Facts), FactsMax)
	}
	if len(q.Options) > OptionsMax {
		return faultIn("options", "%d options; expected at most %d", len(q.Options), OptionsMax)
	}
	for name := range q.Facts {
		if utf8.RuneCountInString(name) > NameRunesMax {
			return faultIn("facts", "%q has more than %d letters", texts.Clip(name), NameRunesMax)
		}
	}
	return nil
}

// checkText checks the length of a text in each language.
func checkText(path string, w Words, max int, needed bool) *texts.Error {
	if needed && w.In("en") == "" {
		return faultIn(path, "missing; expected %s", "a text, or one for each language")
	}
	for lang, text := range w {
		if n := utf8.RuneCountInString(text); n > max {
			return faultIn(path+"."+lang, "%d letters; expected at most %d", n, max)
		}
	}
	return nil
}
