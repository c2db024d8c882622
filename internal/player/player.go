// Package player writes a run as one HTML file: the page with the trace, which opens from a disk without
// server or network. It opens in the entry view if that can show the run, and else in the laboratory.
//
// A lecture is one HTML file, too: it has the lecture and the runs of all stops in place of one run and its trace.
//
// The file has three blocks, each compressed by gzip and encoded in base64. The trace is byte for
// byte what "wheelscope run" writes; other programs find it by TraceType. The run has the messages of a session
// about it, as far as they do not depend on the cursor. The kit is the page in both views and languages with its
// scripts, which are those of the server over a socket in the page (static/js/recorded).
//
// Start reading here, then recording.go and kit.go.
package player

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/wheelscope/wheelscope/internal/fairqueue"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/compare"
	"github.com/wheelscope/wheelscope/sim/program"
	"github.com/wheelscope/wheelscope/sim/tracefile"
	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// TraceType is the type of the script element that contains the trace: a .jsonl.gz file in base64,
// possibly with white space around it.
const TraceType = tracefile.Type

// Types of the script elements that contain the recording, the kit and the lecture. Only this package uses them.
const (
	runType = "application/x-wheelscope-run+gzip;base64"
	kitType = "application/x-wheelscope-kit+gzip;base64"

	lectureType = "application/x-wheelscope-lecture+gzip;base64"
)

// EventsMax is the maximum number of events of a run that can be written as an HTML file. The browser must
// hold the text of every event, about 100 bytes each, in memory.
const EventsMax = 2_000_000

// Options holds the initial state of the page, and a function that reports progress.
type Options struct {
	Open     int64            // number of the last event applied when the file is opened; 0 means before the first event
	Note     *Note            // note at the top of the page; nil means none
	Progress func(tick int64) // called from time to time, on the caller's goroutine, with the tick reached; may be nil
}

// Note is shown in a player that was written for a trace that differs from the run of its scenario. It
// describes the first difference.
type Note struct {
	What map[string]string `json:"what"` // description of the difference, by language
	File string            `json:"file"` // first line of the trace that differs from the run
	Run  string            `json:"run"`  // corresponding line of the run
}

// Write writes run to w as one HTML file. It waits until the run has been computed, then runs its program
// twice more: once for the player's data and once for the trace. It returns an error if the run has more than
// EventsMax events, if writing to w fails, or if ctx is done.
func Write(ctx context.Context, w io.Writer, run *sim.Run, o Options) error {
	events, err := Events(ctx, run)
	if err != nil {
		return err
	}
	if events > EventsMax {
		return errTooLong(events)
	}
	p := run.Program()
	entry := events <= protocol.EventsMax && protocol.FitsEntry(p) && o.Note == nil
	r, err := newRecording(ctx, run, o)
	if err != nil {
		return err
	}
	return write(ctx, w, p, r, entry && r.Costed, func(w io.Writer) error {
		_, err := tracefile.Write(ctx, w, p, tracefile.Options{Progress: o.Progress})
		return err
	})
}

// Events waits until run has been computed and returns the number of its events. If there are more than EventsMax, it
// returns a smaller number, above EventsMax: at once if the program shows it, or else when so many are computed.
func Events(ctx context.Context, run *sim.Run) (int64, error) {
	if n := run.Program().Estimate().Events; n > EventsMax {
		return n, nil
	}
	if _, err := run.ChunkOf(ctx, sim.After(EventsMax+1)); err != nil {
		return 0, err
	}
	return run.EventsComputed(), nil
}

// WriteData writes, as JSON, what a page of the static site needs to show run without computing it.
// static/js/site-recorded.js reads it.
func WriteData(ctx context.Context, w io.Writer, run *sim.Run) error {
	if _, err := run.EndSeq(ctx); err != nil {
		return err
	}
	r, err := newRecording(ctx, run, Options{})
	if err != nil {
		return err
	}
	known, err := knowledgeOf(run.Program())
	if err != nil {
		return err
	}
	return json.NewEncoder(w).Encode(map[string]any{"run": r, "knowledge": known})
}

// WriteRecorded writes an HTML player to w for side.Trace, a trace that differs from the run of its scenario.
// side.Trace must not be nil. The player shows the events of the trace and a note that they differ from the
// run, but no costs. WriteRecorded returns an error if writing to w fails, if ctx is done, if the trace has
// more than EventsMax events, or if one of its events contradicts the preceding ones.
func WriteRecorded(ctx context.Context, w io.Writer, side *compare.Side, o Options) error {
	trace, err := compare.NewRecorded(ctx, side)
	if err != nil {
		return err
	}
	r, err := record(ctx, side.Program, trace, o, false)
	if err != nil {
		return err
	}
	r.name(side.Program, trace.Name, trace.Timeline())
	return write(ctx, w, side.Program, r, false, func(w io.Writer) error {
		in, err := side.Trace.Open()
		if err != nil {
			return err
		}
		_, err = io.Copy(w, in)
		return err
	})
}

func errTooLong(events int64) error {
	return fmt.Errorf("html: the run has %d events or more, expected %d or fewer; the trace itself (.jsonl.gz) has no such limit", events, EventsMax)
}

// write writes the HTML file for p to w: the page and its scripts, with the entry view if entry is set, the recording
// r, and a trace, which is the output of the function trace.
func write(ctx context.Context, w io.Writer, p *program.Program, r *recording, entry bool, trace func(io.Writer) error) error {
	kit, err := newKit(ctx, p, entry)
	if err != nil {
		return err
	}
	title := static.Texts("en").Called(p.Scenario.Called("en"))
	return writePage(ctx, w, title, block{"kit", kitType, jsonOf(kit)}, block{"run", runType, jsonOf(r)}, block{"trace", TraceType, trace})
}

// block is a script element with the output of fill; see writeBlock.
type block struct {
	id, kind string
	fill     func(io.Writer) error
}

// writePage writes an HTML file with the given blocks to w.
func writePage(ctx context.Context, w io.Writer, title string, blocks ...block) error {
	out := bufio.NewWriterSize(w, 64<<10)
	out.WriteString(head(title))
	for _, b := range blocks {
		if err := writeBlock(ctx, out, b.id, b.kind, b.fill); err != nil {
			return err
		}
	}
	out.WriteString(tail())
	return out.Flush()
}

func jsonOf(v any) func(io.Writer) error {
	return func(w io.Writer) error { return json.NewEncoder(w).Encode(v) }
}

// writeBlock writes the output of fill, compressed with gzip and encoded in base64, as a script element with
// the given ID. kind is the type of the element, which must be one that browsers do not execute.
func writeBlock(ctx context.Context, out *bufio.Writer, id, kind string, fill func(io.Writer) error) error {
	fmt.Fprintf(out, "<script id=\"%s\" type=\"%s\">", id, kind)
	text := base64.NewEncoder(base64.StdEncoding, out)
	packed := gzip.NewWriter(text)
	if err := fill(&paced{ctx, packed}); err != nil {
		return err
	}
	if err := packed.Close(); err != nil {
		return err
	}
	if err := text.Close(); err != nil {
		return err
	}
	_, err := out.WriteString("</script>\n")
	return err
}

// pieceBytes is the number of bytes compressed between two checks of the context.
const pieceBytes = 64 << 10

// paced is a writer that fails when its context is done, even in the middle of a long Write.
type paced struct {
	ctx context.Context
	to  io.Writer
}

func (p *paced) Write(b []byte) (n int, err error) {
	for piece := range slices.Chunk(b, pieceBytes) {
		if err := fairqueue.Pace(p.ctx); err != nil {
			return n, err
		}
		k, err := p.to.Write(piece)
		n += k
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// policy is the content security policy of the file. It permits only content in the file itself, so the page
// fetches nothing.
const policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'"

// head returns the beginning of an HTML file, which precedes the blocks.
func head(title string) string {
	return fmt.Sprintf(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="%s">
<meta name="generator" content="wheelscope">
<title>%s · Wheelscope</title>
<link rel="icon" href="data:,">
</head>
<body>
<p id="boot" data-failed="This file could not be opened:">Opening…</p>
<noscript><p>This file shows a run of timer algorithms, for which it needs JavaScript.</p></noscript>
`, policy, html.EscapeString(strings.ReplaceAll(title, "\x00", "\uFFFD")))
}

// tail returns the end of an HTML file, which follows the blocks: the script that unpacks them, and the closing tags.
func tail() string {
	text, err := fs.ReadFile(static.FS(), "js/recorded/boot.js")
	if err != nil { // not reached: the file is embedded
		panic("player: " + err.Error())
	}
	return "<script>\n" + string(text) + "</script>\n</body>\n</html>\n"
}
