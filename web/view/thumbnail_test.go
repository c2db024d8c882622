package view

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/internal/testkit"
	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/library"
	"github.com/wheelscope/wheelscope/static"
	"github.com/wheelscope/wheelscope/templates"
	"github.com/wheelscope/wheelscope/web/internal/webtest"
)

var updateThumbnails = flag.Bool("view.thumbnails", false, "write the thumbnails of the built-in scenarios")

// Bounds of the thumbnails of the built-in scenarios, in bytes.
const (
	thumbnailMax  = 56 << 10
	thumbnailsMax = 256 << 10 // of all
)

// The thumbnails of the built-in scenarios show what the page draws of their runs. To write them:
// go test ./web/view -run Thumbnails -view.thumbnails
func TestThumbnails(t *testing.T) {
	total := 0
	for _, g := range library.Groups() {
		for _, e := range g.Entries {
			if data, _ := library.Builtin(e.Name); bytes.Contains(data, []byte(`"count": 100000`)) && !testkit.Full() {
				total += len(e.Thumbnail())
				continue // a run of millions of events
			}
			got := drawThumbnail(t, e)
			if total += len(got); len(got) > thumbnailMax {
				t.Errorf("%s: %d bytes, at most %d", e.Name, len(got), thumbnailMax)
			}
			if *updateThumbnails {
				name := filepath.Join("..", "..", "sim", "library", "thumbnails", e.Name+".svg")
				if err := os.WriteFile(name, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			} else if got != e.Thumbnail() {
				t.Errorf("%s: the thumbnail is not what its run draws; go test ./web/view -run Thumbnails -view.thumbnails", e.Name)
			}
		}
	}
	if total > thumbnailsMax {
		t.Errorf("%d bytes, at most %d", total, thumbnailsMax)
	}
	t.Logf("%d bytes", total)
}

// drawThumbnail returns the picture of an entry, drawn from its run, without words.
func drawThumbnail(t *testing.T, e library.Entry) string {
	t.Helper()
	data, ok := library.Builtin(e.Name)
	if !ok {
		t.Fatalf("%s: not a built-in scenario", e.Name)
	}
	run := webtest.Open(t, string(data))
	p := run.Program()
	k, err := laneIndex(p, e.Lane)
	if err != nil {
		t.Fatalf("%s: %v", e.Name, err)
	}
	snap, err := run.Seek(t.Context(), sim.EndOf(e.Tick), templates.DotsMax)
	if err != nil {
		t.Fatalf("%s: %v", e.Name, err)
	}
	lane := laneForPicture(p, k, &snap.Lanes[k], "en")
	var b bytes.Buffer
	page := &templates.Page{Lang: "en", Texts: static.Texts("en"), Until: p.Until, Now: snap.Tick}
	if err := templates.LanePicture(page, &lane).Render(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	return withoutWords(b.String())
}

var (
	outerElement = regexp.MustCompile(`^\s*<svg[^>]*>|</svg>\s*$`)
	spanGroup    = regexp.MustCompile(`(?s)<g class="spans"[^>]*>.*?</g>`)
	wordElements = regexp.MustCompile(`(?s)<(text|title)\b[^>]*>.*?</(text|title)>`)
	timerElement = regexp.MustCompile(`(?s)<g class="(dot[^"]*|bundle)"[^>]* transform="translate\(([-\d.]+) ([-\d.]+)\)">.*?<circle class="body" r="([-\d.]+)"[^>]*></circle>.*?</g>`)
	heatElement  = regexp.MustCompile(`<path class="heat" data-heat="([\d.]+)" d="([^"]*)"></path>`)
	dataOf       = regexp.MustCompile(` data-[a-z]+="[^"]*"`)
	emptyGroup   = regexp.MustCompile(`<g[^>]*>\s*</g>`)
	colourClass  = regexp.MustCompile(`\bc\d\b|bundle`)
)

// withoutWords removes from a picture everything that a thumbnail is too small for or that depends
// on the language. All timers of one colour and size are one path of points with round ends.
func withoutWords(svg string) string {
	svg = spanGroup.ReplaceAllString(outerElement.ReplaceAllString(svg, ""), "")
	svg = wordElements.ReplaceAllString(svg, "")
	points := map[string][]string{}
	for _, m := range timerElement.FindAllStringSubmatch(svg, -1) {
		r, _ := strconv.ParseFloat(m[4], 64)
		key := fmt.Sprintf(`<path class="timer-point %s" stroke-width="%g"`, colourClass.FindString(m[1]), max(2*r, 5))
		points[key] = append(points[key], "M"+m[2]+" "+m[3]+"h0")
	}
	svg = timerElement.ReplaceAllString(svg, "")
	heats := map[string]string{}
	for _, m := range heatElement.FindAllStringSubmatch(svg, -1) {
		share, _ := strconv.ParseFloat(m[1], 64)
		heats[fmt.Sprintf("%.2f", 0.12+0.88*share/1000)] += m[2]
	}
	svg = heatElement.ReplaceAllString(svg, "")
	svg = dataOf.ReplaceAllString(svg, "")
	for emptyGroup.MatchString(svg) {
		svg = emptyGroup.ReplaceAllString(svg, "")
	}
	var b strings.Builder
	b.WriteString(strings.ReplaceAll(svg, "></path>", "/>"))
	for _, share := range slices.Sorted(maps.Keys(heats)) {
		fmt.Fprintf(&b, `<path class="heat" fill-opacity="%s" d="%s"/>`, share, heats[share])
	}
	for _, key := range slices.SortedFunc(maps.Keys(points), cmp.Compare) {
		fmt.Fprintf(&b, `%s d="%s"/>`, key, strings.Join(points[key], ""))
	}
	return strings.ReplaceAll(b.String(), "></circle>", "/>") + "\n"
}
