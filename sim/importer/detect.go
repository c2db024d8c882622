package importer

import (
	"bytes"
	"cmp"
	"regexp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/wheelscope/wheelscope/internal/texts"
	"github.com/wheelscope/wheelscope/sim/tracefile"
	"github.com/wheelscope/wheelscope/wheel/timer/recording"
)

// kindOf returns the kind of a file that begins with head, or a fault that explains why the file cannot be
// read.
func kindOf(head []byte) (Kind, *Fault) {
	if bytes.HasPrefix(head, []byte(recording.Magic)) {
		return KindRecorded, nil
	}
	text := bytes.TrimLeft(bytes.TrimPrefix(head, byteOrderMark), " \t\r\n")
	if fault := foreign(head, text); fault != nil {
		return "", fault
	}
	switch {
	case len(text) == 0:
		return "", refuse("the file begins with %s; expected one of: %s", quoted(firstWords(head)), whatIsRead)
	case kernelTask.Match(text):
		return KindLinux, nil
	case text[0] == '<':
		return KindPlayer, nil
	case bytes.HasPrefix(text, []byte("[{")):
		return KindPerfetto, nil
	case text[0] == '{':
		return kindOfObject(text), nil
	}
	rows := fromFirstRow(text)
	first, _, _ := bytes.Cut(rows, []byte("\n"))
	first = bytes.TrimSpace(first)
	columns := columnsOf(string(first))
	switch {
	case bytes.HasPrefix(rows, []byte("{")):
		return kindOfObject(rows), nil
	case columns.has("at") && (columns.has("id") || columns.has("timer") || columns.has("op")):
		return KindTable, nil
	case kernelText.Match(text):
		return KindLinux, nil
	}
	if bytes.HasPrefix(text, []byte("Timer List Version")) || bytes.HasPrefix(text, []byte("CPU ")) && bytes.Contains(first, []byte("jiffies ")) {
		return "", refuse("this is a list of pending timers, which does not tell when they were scheduled; the events timer:* of trace-cmd or perf can be opened")
	}
	if columns.has("tick") && columns.has("lane") && columns.has("cost") {
		return "", refuse("this is a table of costs, which does not contain the workload: open the trace, or the scenario")
	}
	return "", refuse("the file begins with %s; expected one of: %s", quoted(cmp.Or(firstWords(first), firstWords(text))), whatIsRead)
}

// IsScenario reports whether a file that begins with head should be parsed as a scenario. It also returns true if
// the file is of an unknown kind or cannot be read, so that the user sees the errors of the scenario parser. It
// returns false for a file compressed with gzip.
func IsScenario(head []byte) bool {
	if tracefile.Packed(head) {
		return false
	}
	kind, fault := kindOf(head[:min(len(head), lookBytes)])
	return fault != nil || kind == KindScenario
}

// mappedKind is like kindOf for a workload whose columns are renamed by WorkloadOptions.Map. It returns
// KindLines if the file begins with a JSON object, and KindTable otherwise.
func mappedKind(head []byte) (Kind, *Fault) {
	text := bytes.TrimLeft(bytes.TrimPrefix(head, byteOrderMark), " \t\r\n")
	if fault := foreign(head, text); fault != nil {
		return "", fault
	}
	if bytes.HasPrefix(fromFirstRow(text), []byte("{")) {
		return KindLines, nil
	}
	return KindTable, nil
}

// NotTrace returns a message if head, the beginning of a file, shows that the file is not a trace in JSON Lines.
// The message says what the file is and which command reads it. For a trace, a file of an unknown kind or a file
// compressed with gzip, NotTrace returns "".
func NotTrace(head []byte) string {
	if tracefile.Packed(head) {
		return ""
	}
	head = head[:min(len(head), lookBytes)]
	kind, fault := kindOf(head)
	switch {
	case fault != nil:
		return ""
	case kind == KindScenario && scenarioNames.Match(head):
		return "this is a scenario, not a trace; wheelscope run writes its trace"
	case kind == KindPlayer || kind == KindPerfetto:
		return "this is not a trace as JSON Lines; wheelscope import verifies it"
	case kind == KindTable || kind == KindLines || kind == KindRecorded || kind == KindLinux:
		return "this is a workload, not a trace; wheelscope import makes a scenario of it"
	}
	return ""
}

// scenarioNames matches the name of a field that only scenarios have.
var scenarioNames = regexp.MustCompile(`"(lanes|workload)"\s*:`)

// whatIsRead lists the kinds of files that can be read, for messages.
const whatIsRead = "a scenario (JSON), a trace (JSON Lines, or HTML or Perfetto JSON that Wheelscope wrote), a workload (CSV with at, op, id, delay, or JSON Lines), a recording by package timer, Linux timer events (text)"

// foreign returns a fault if the file is empty, is not text, or has a known format that cannot be read.
// Otherwise it returns nil. head is the beginning of the file, and text is head without its byte order mark
// and leading space.
func foreign(head, text []byte) *Fault {
	for _, f := range foreignFormats {
		if bytes.HasPrefix(head, []byte(f.magic)) {
			return &Fault{Message: f.message}
		}
	}
	switch {
	case len(text) == 0 && len(head) < lookBytes:
		return refuse("the file is empty")
	case tracefile.Packed(head):
		return refuse("the file is packed twice; expected once")
	case bytes.IndexByte(head, 0) >= 0:
		return refuse("the file is not text; expected %s", whatIsRead)
	}
	return nil
}

// foreignFormats lists file formats that cannot be read: the first bytes of such a file, and the message for
// the user.
var foreignFormats = []struct {
	magic   string
	message texts.Message
}{
	{"\x17\x08\x44tracing", texts.Newf("this is trace-cmd's own format: trace-cmd report writes it as text, which can be opened")},
	{"PERFILE2", texts.Newf("this is perf's own format (perf.data): perf script writes it as text, which can be opened")},
	{"go 1.", texts.Newf("this is a Go execution trace, which has no events of timers, so it cannot be converted; a program's own timers are recorded by sim/simtest")},
	{"\xc1\x1f\xfc\xc1", texts.Newf("this is a trace in the Common Trace Format, which cannot be converted; trace-cmd and perf record timer events that can be opened")},
	{"\xc1\xfc\x1f\xc1", texts.Newf("this is a trace in the Common Trace Format, which cannot be converted; trace-cmd and perf record timer events that can be opened")},
	{"SQLite format 3", texts.Newf("this is an SQLite database: sqlite3 -csv -header writes a query's rows as CSV, which can be opened")},
	{"PK\x03\x04", texts.Newf("this is a zip file or a spreadsheet: a spreadsheet saved as CSV can be opened")},
	{"PAR1", texts.Newf("this is a Parquet file: its rows written as CSV can be opened")},
	{"\x28\xb5\x2f\xfd", texts.Newf("the file is packed by zstd: zstd -d unpacks it")},
	{"\xfd7zXZ", texts.Newf("the file is packed by xz: xz -d unpacks it")},
	{"BZh", texts.Newf("the file is packed by bzip2: bzip2 -d unpacks it")},
	{"\xff\xfe", texts.Newf("the text is in UTF-16; expected UTF-8")},
	{"\xfe\xff", texts.Newf("the text is in UTF-16; expected UTF-8")},
}

// isSeparatorLine reports whether line names the separator of a table, as spreadsheets do in the first line: "sep=;".
func isSeparatorLine(line []byte) bool {
	return len(line) == len("sep=;") && bytes.HasPrefix(line, []byte("sep="))
}

// fromFirstRow returns text without leading blank lines and comments, and without a line that names the separator.
func fromFirstRow(text []byte) []byte {
	for line := range bytes.Lines(text) {
		if row := bytes.TrimSpace(line); len(row) > 0 && row[0] != '#' && !isSeparatorLine(row) {
			break
		}
		text = text[len(line):]
	}
	return bytes.TrimLeft(text, " \t")
}

// kindOfObject returns the kind of a file that begins with text, which is the start of a JSON object. It
// determines the kind from the names of the object's fields.
func kindOfObject(text []byte) Kind {
	names := map[string]bool{}
	dec := jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if _, err := dec.ReadToken(); err != nil {
		return KindScenario
	}
	for dec.PeekKind() == '"' {
		name, err := dec.ReadToken()
		if err != nil {
			break
		}
		word := name.String()
		if word == "kind" || word == "scenario" {
			return KindTrace
		}
		names[word] = true
		if dec.SkipValue() != nil {
			break
		}
	}
	switch {
	case names["traceEvents"] || names["displayTimeUnit"] || names["metadata"]:
		return KindPerfetto
	case names["workload"] || names["lanes"]:
		return KindScenario
	case names["at"] || names["op"] || names["delay"]: // any one of them may be missing in the first line
		return KindLines
	}
	return KindScenario
}

// columns holds the column names of a table in order.
type columns []string

func (c columns) has(name string) bool { return c.index(name) >= 0 }

func (c columns) index(name string) int {
	for i, n := range c {
		if n == name {
			return i
		}
	}
	return -1
}

// columnsOf returns the column names in line, the header row of a table.
func columnsOf(line string) columns {
	var c columns
	for _, name := range strings.Split(line, string(separatorOf(line))) {
		c = append(c, strings.ToLower(strings.Trim(strings.TrimSpace(name), `"`)))
	}
	return c
}

// separatorOf returns the column separator of line: a comma, a semicolon or a tab. Which of them a
// spreadsheet writes depends on its language.
func separatorOf(line string) rune {
	for _, r := range ",;\t" {
		if strings.ContainsRune(line, r) {
			return r
		}
	}
	return ','
}

// firstWords returns the first 40 bytes of line, or all of a shorter line, to be quoted in a message.
func firstWords(line []byte) string {
	const most = 40
	if len(line) > most {
		line = line[:most]
	}
	return strings.ToValidUTF8(string(line), "�")
}
