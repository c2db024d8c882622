// Package player writes a run as one HTML file: the page with the trace, which opens from a disk without
// server or network. It opens in the entry view if that can show the run, and else in the laboratory.
//
// The file has three blocks, each compressed by gzip and encoded in base64. The trace is byte for
// byte what "wheelscope run" writes; other programs find it by TraceType. The score is data that a
// trace does not have: costs, steps, and states to start from. The kit is the page in both
// views and languages with its modules. The modules are those of the server except for two, which are
// explained in static/js/offline.
//
// Start reading here, then score.go and kit.go.
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

// Types of the script elements that contain the score (the player's data except the trace) and the kit (its
// page and modules). Only this package uses them.
const (
	scoreType = "application/x-wheelscope-score+gzip;base64"
	kitType   = "application/x-wheelscope-kit+gzip;base64"
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
	s, err := newScore(ctx, run, o, entry)
	if err != nil {
		return err
	}
	return write(ctx, w, p, s, func(w io.Writer) error {
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

// WriteData writes the data that a page needs in addition to the trace of run, as JSON: the costs, the
// steps, states to start from, and the descriptions of the algorithms. static/js/site-recorded.js reads it.
func WriteData(ctx context.Context, w io.Writer, run *sim.Run) error {
	if _, err := run.EndSeq(ctx); err != nil {
		return err
	}
	s, err := newScore(ctx, run, Options{}, false)
	if err != nil {
		return err
	}
	known, err := knowledgeOf(run.Program())
	if err != nil {
		return err
	}
	return json.NewEncoder(w).Encode(map[string]any{"score": s, "knowledge": known})
}

// WriteRecorded writes an HTML player to w for side.Trace, a trace that differs from the run of its scenario.
// side.Trace must not be nil. The player shows the events of the trace and a note that they differ from the
// run, but no costs. WriteRecorded returns an error if writing to w fails, if ctx is done, if the trace has
// more than EventsMax events, or if one of its events contradicts the preceding ones.
func WriteRecorded(ctx context.Context, w io.Writer, side *compare.Side, o Options) error {
	r, err := compare.NewRecorded(ctx, side)
	if err != nil {
		return err
	}
	s, err := recordedScore(ctx, side.Program, r, o)
	if err != nil {
		return err
	}
	return write(ctx, w, side.Program, s, func(w io.Writer) error {
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

// write writes the HTML file for p to w. The file has three blocks: the page and its modules (see kit), the
// score s, and a trace, which is the output of the function trace.
func write(ctx context.Context, w io.Writer, p *program.Program, s *score, trace func(io.Writer) error) error {
	kit, err := newKit(ctx, p, s.Work != nil)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 64<<10)
	out.WriteString(head(p))
	if err := writeBlock(ctx, out, "kit", kitType, jsonOf(kit)); err != nil {
		return err
	}
	if err := writeBlock(ctx, out, "score", scoreType, jsonOf(s)); err != nil {
		return err
	}
	if err := writeBlock(ctx, out, "trace", TraceType, trace); err != nil {
		return err
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
	packed, err := gzip.NewWriterLevel(text, gzip.BestCompression)
	if err != nil {
		return err
	}
	if err := fill(&paced{ctx, packed}); err != nil {
		return err
	}
	if err := packed.Close(); err != nil {
		return err
	}
	if err := text.Close(); err != nil {
		return err
	}
	_, err = out.WriteString("</script>\n")
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

// head returns the beginning of the HTML file for p, which precedes the three blocks; see write.
func head(p *program.Program) string {
	title := static.Texts("en").Called(p.Scenario.Called("en"))
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

// tail returns the end of the HTML file, which follows the three blocks: the script that unpacks them, and the
// closing tags; see write.
func tail() string {
	text, err := fs.ReadFile(static.FS(), "js/offline/boot.js")
	if err != nil { // not reached: the file is embedded
		panic("player: " + err.Error())
	}
	return "<script>\n" + string(text) + "</script>\n</body>\n</html>\n"
}
