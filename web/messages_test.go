package web

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/templates"
	"github.com/wheelscope/wheelscope/web/session"
	"github.com/wheelscope/wheelscope/web/session/protocol"
	"github.com/wheelscope/wheelscope/wheel"
)

// messagesText returns docs/MESSAGES.md, the description for authors of clients.
func messagesText(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("../docs/MESSAGES.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// table returns the rows of the table below a heading: first cell → second cell.
func table(t *testing.T, text, heading string) map[string]string {
	t.Helper()
	_, section, ok := strings.Cut(text, "\n## "+heading+"\n")
	if !ok {
		t.Fatalf("no section %q", heading)
	}
	section, _, _ = strings.Cut(section, "\n## ")
	rows := map[string]string{}
	for line := range strings.Lines(section) {
		cells := strings.Split(line, "|")
		if len(cells) > 4 && strings.HasPrefix(strings.TrimSpace(cells[1]), "`") {
			rows[strings.Trim(cells[1], " `")] = cells[2]
		}
	}
	return rows
}

var quoted = regexp.MustCompile("`([a-z]+)`")

func fieldsOf(cell string) (names []string) {
	for _, m := range quoted.FindAllStringSubmatch(cell, -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	return names
}

// jsonFields returns the field names of a message with those of the objects in it, except the
// fields that every message has and those of the texts below.
func jsonFields(typ reflect.Type) (names []string) {
	for i := range typ.NumField() {
		f := typ.Field(i)
		if f.Type == reflect.TypeFor[protocol.Header]() {
			continue
		}
		if f.Anonymous {
			names = append(names, jsonFields(f.Type)...)
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		names = append(names, name)
		inner := f.Type
		for inner.Kind() == reflect.Slice || inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		if inner.Kind() == reflect.Struct && strings.Contains(inner.PkgPath(), "/wheelscope/web") {
			names = append(names, jsonFields(inner)...)
		}
	}
	slices.Sort(names)
	return names
}

// own is jsonFields without the fields of lanes, which the text describes below the table.
func own(typ reflect.Type) (names []string) {
	for i := range typ.NumField() {
		if f := typ.Field(i); f.Type != reflect.TypeFor[protocol.Header]() {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func TestMessagesTextTellsEveryField(t *testing.T) {
	text := messagesText(t)
	rows := table(t, text, "From the server")
	want := map[string][]string{
		"hello":    jsonFields(reflect.TypeFor[protocol.Hello]()),
		"state":    own(reflect.TypeFor[protocol.State]()),
		"delta":    own(reflect.TypeFor[protocol.Delta]()),
		"player":   jsonFields(reflect.TypeFor[protocol.Player]()),
		"search":   jsonFields(reflect.TypeFor[protocol.Search]()),
		"timeline": jsonFields(reflect.TypeFor[protocol.Timeline]()),
		"ack":      jsonFields(reflect.TypeFor[protocol.Ack]()),
	}
	if len(rows) != len(want) {
		t.Errorf("the table has %d kinds, want %d", len(rows), len(want))
	}
	for kind, fields := range want {
		if got := fieldsOf(rows[kind]); !slices.Equal(got, fields) {
			t.Errorf("%s: the text has %v, the struct %v", kind, got, fields)
		}
	}
}

func TestMessagesTextTellsLanesAndChanges(t *testing.T) {
	text := messagesText(t)
	for what, typ := range map[string]reflect.Type{"LANE": reflect.TypeFor[protocol.StateLane](), "CHANGE": reflect.TypeFor[protocol.ChangedLane]()} {
		_, body, ok := strings.Cut(text, "- "+what+": {")
		body, _, closed := strings.Cut(body, "}")
		if !ok || !closed {
			t.Fatalf("%s is not described", what)
		}
		if got := fieldsOf(body); !slices.Equal(got, own(typ)) {
			t.Errorf("%s: the text has %v, the struct %v", what, got, own(typ))
		}
	}
	row := regexp.MustCompile("`(seq, tick, lane, kind[^`]*)`").FindStringSubmatch(text)
	if row == nil || len(strings.Split(row[1], ", ")) != protocol.RowWidth {
		t.Errorf("a row is described as %q, it has %d integers", row, protocol.RowWidth)
	}
}

func TestMessagesTextTellsEveryCommand(t *testing.T) {
	rows := table(t, messagesText(t), "From the page")
	if len(rows) != len(protocol.CommandFields) {
		t.Errorf("the table has %d commands, want %d", len(rows), len(protocol.CommandFields))
	}
	for do, fields := range protocol.CommandFields {
		want := slices.Sorted(slices.Values(fields))
		if got := fieldsOf(rows[do]); !slices.Equal(got, want) {
			t.Errorf("%s: the text has %v, the table in command.go %v", do, got, want)
		}
	}
}

// The table of numbers has exactly the kinds and codes of package wheel.
func TestMessagesTextHasTheNumbers(t *testing.T) {
	var want strings.Builder
	want.WriteString("\n| number | kind | code |\n|---|---|---|\n")
	cell := func(name string) string {
		if name == "" {
			return ""
		}
		return "`" + name + "`"
	}
	for i := 1; i < int(max(wheel.NumKinds, wheel.Kind(wheel.NumCodes))); i++ {
		fmt.Fprintf(&want, "| %d | %s | %s |\n", i, cell(wheel.Kind(i).String()), cell(wheel.CodeName(uint8(i))))
	}
	want.WriteString("\n## ")
	if !strings.Contains(messagesText(t), want.String()) {
		t.Errorf("the table is not%s", want.String())
	}
}

// The text has the numbers of the limits in the source.
func TestMessagesTextTellsTheLimits(t *testing.T) {
	text := messagesText(t)
	for words, holds := range map[string]bool{
		"at most 2,000 timers":          protocol.LaneTimersMax == 2000,
		"at most 4,000 events":          protocol.FrameEventsMax == 4000,
		"more than 131,072 events":      session.DidEventsMax == 131072 && session.DidInterval.Milliseconds() == 100,
		"more than 512 such pairs":      sim.FlowsMax == 512,
		"first 20 when `rest`":          protocol.PlaceTimersMax == 20 && templates.TimersShown == 20,
		"more than 120 commands":        protocol.CommandsPerSecond == 120,
		"256 answers unread":            session.MessagesWaitingMax == 256,
		"for a message over 64 KiB":     protocol.MessageBytesMax == 64<<10,
		"complete within 10 s":          messageWait.Seconds() == 10,
		"for 150 ms":                    sim.RestDelay.Milliseconds() == 150,
		"longer than 10 s":              writeWait.Seconds() == 10,
		"no sign of life for 60 s":      pongWait.Seconds() == 60,
		"first 16\nhexadecimal digits":  sim.DigestShort == 16,
		"0.1 … 1e9 ticks a second":      sim.RateMin == 0.1 && sim.RateMax == 1e9,
		"at most 60 frames a second":    sim.FrameInterval.Nanoseconds() == 16666666,
		"at most 4 a second":            sim.ProgressInterval.Milliseconds() == 250,
		"15 a row":                      protocol.RowWidth == 15,
		"Every message carries `v` (1)": protocol.Version == 1,
	} {
		if !strings.Contains(text, words) || !holds {
			t.Errorf("%q is missing, or written differently", words)
		}
	}
}
