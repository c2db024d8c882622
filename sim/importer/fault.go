package importer

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/wheelscope/wheelscope/internal/say"
)

// Fault is one thing that is wrong with a file.
type Fault struct {
	Line    int64  // from 1; 0: of the file as a whole
	Path    string // of the field in the line; "" where none can be named
	Message say.Message

	lines []int64 // of a workload's operations, which the message may name
}

// operation is how planning names an operation in a message.
var operation = regexp.MustCompile(`workload\.ops\[(\d+)\]`)

// Error is the fault in English, in one line.
func (f *Fault) Error() string { return f.In("en") }

// In is the fault in a language of the page.
func (f *Fault) In(lang string) string {
	text := operation.ReplaceAllStringFunc(f.Message.In(lang), func(path string) string {
		i, err := strconv.Atoi(operation.FindStringSubmatch(path)[1])
		if err != nil || i >= len(f.lines) {
			return path
		}
		return say.Of("line %d", f.lines[i]).In(lang)
	})
	if f.Path != "" {
		text = f.Path + ": " + text
	}
	if f.Line > 0 {
		text = say.Of("line %d: %s", f.Line, text).In(lang)
	}
	return text
}

// Faults are what is wrong with the lines of a file; a line may have several.
type Faults struct {
	List  []*Fault // the first FaultsMax
	Count int64    // of all of them
}

// Error lists the faults in one line.
func (f *Faults) Error() string {
	var lines []string
	for _, fault := range f.List {
		lines = append(lines, fault.Error())
	}
	text := strings.Join(lines, "; ")
	if f.Count > 1 {
		text = fmt.Sprintf("%d faults: %s", f.Count, text)
	}
	if more := f.Count - int64(len(f.List)); more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	return text
}

// add notes a fault of a line.
func (f *Faults) add(line int64, path string, message say.Message) {
	if f.Count++; len(f.List) < FaultsMax {
		f.List = append(f.List, &Fault{Line: line, Path: path, Message: message})
	}
}

// orNil is the faults as an error: nil where there are none.
func (f *Faults) orNil() error {
	if f.Count == 0 {
		return nil
	}
	return f
}

// refuse makes a fault of the file as a whole.
func refuse(format string, args ...any) *Fault { return &Fault{Message: say.Of(format, args...)} }

// readError takes a fault of the file out of the errors around it; another error stays
// as it is.
func readError(err error) error {
	if fault, ok := errors.AsType[*Fault](err); ok {
		return fault
	}
	return err
}

// quoted puts a user's text into a message: on one line, cut short.
func quoted(text string) string {
	const most = 60
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return fmt.Sprintf("%q", text)
}
