package importer

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/wheelscope/wheelscope/internal/texts"
)

// Fault is an error in an imported file.
type Fault struct {
	Line    int64  // line number, counting from 1; 0 means that the fault concerns the file as a whole
	Path    string // path of the field within the line; "" means the whole line
	Message texts.Message
	Same    int64 // number of further lines with the same path and message

	text string // Message in English; set by Faults.add

	// lines[i] is the line number of operation i. If lines is not nil, In replaces the path of each operation in
	// Message with the operation's line number.
	lines []int64
}

// operation matches the path of an operation in errors returned by package program, such as
// "workload.ops[3].delay".
var operation = regexp.MustCompile(`workload\.ops\[(\d+)\]`)

// Error returns the line number, the path and the message on one line, in English.
func (f *Fault) Error() string { return f.In(nil) }

// In returns the message on one line, preceded by the line number and the path, in the language of catalogue
// c or, if c is nil, in English.
func (f *Fault) In(c texts.Catalogue) string {
	text := operation.ReplaceAllStringFunc(f.Message.In(c), func(path string) string {
		i, err := strconv.Atoi(operation.FindStringSubmatch(path)[1])
		if err != nil || i >= len(f.lines) {
			return path
		}
		return texts.Newf("line %d", f.lines[i]).In(c)
	})
	if f.Path != "" {
		text = f.Path + ": " + text
	}
	if f.Same > 0 {
		text = texts.Newf("%s (%d lines)", text, f.Same+1).In(c)
	}
	if f.Line > 0 {
		text = texts.Newf("line %d: %s", f.Line, text).In(c)
	}
	return text
}

// Faults is an error that lists the faults in the lines of a file. A line may have several.
type Faults struct {
	List  []*Fault // the first FaultsMax faults
	Count int64    // number of faults, including those not in List
}

// Error returns one line of English that gives the faults in List and the number of faults not in List.
func (f *Faults) Error() string { return f.In(nil) }

// In is like Error, in the language of catalogue c, or in English if c is nil.
func (f *Faults) In(c texts.Catalogue) string {
	var lines []string
	for _, fault := range f.List {
		lines = append(lines, fault.In(c))
	}
	text := strings.Join(lines, "; ")
	if f.Count > 1 {
		text = texts.Newf("%d faults: %s", f.Count, text).In(c)
	}
	more := f.Count
	for _, fault := range f.List {
		more -= fault.Same + 1
	}
	if more > 0 {
		text += texts.Newf("; and %d more", more).In(c)
	}
	return text
}

// add adds a fault in the given line. path is the path of the field within the line. A fault that is in the list is
// counted there.
func (f *Faults) add(line int64, path string, message texts.Message) {
	f.Count++
	text := message.String()
	for _, other := range f.List {
		if other.Path == path && other.text == text {
			other.Same++
			return
		}
	}
	if len(f.List) < FaultsMax {
		f.List = append(f.List, &Fault{Line: line, Path: path, Message: message, text: text})
	}
}

// orNil returns f as an error, or nil if f contains no faults.
func (f *Faults) orNil() error {
	if f.Count == 0 {
		return nil
	}
	return f
}

// refuse returns a fault that has no line number and so concerns the file as a whole, unless the caller adds a line
// number. format is the English format of the message, and args are its arguments.
func refuse(format string, args ...any) *Fault { return &Fault{Message: texts.Newf(format, args...)} }

// readError returns the *Fault in the error tree of err, or err itself if there is none. It discards any text
// that wrapping errors added to the message of the Fault.
func readError(err error) error {
	if fault, ok := errors.AsType[*Fault](err); ok {
		return fault
	}
	return err
}

// quoted returns text in the form used in messages: in quotes, on one line, and shortened to 60 bytes.
func quoted(text string) string {
	const most = 60
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return fmt.Sprintf("%q", text)
}
