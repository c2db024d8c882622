package player

import (
	"context"
	"encoding/json"
	"io"
	"maps"

	"github.com/wheelscope/wheelscope/sim"
)

// Lecture is a lecture that WriteLecture writes.
type Lecture struct {
	Title string          // title of the file
	Data  json.RawMessage // the lecture as static/js/learn/lecture.js reads it; its stops name runs by the first 16 digits of their digests
	Runs  []*sim.Run      // the runs of the stops, that of the first stop first
}

// lectureBlock is the content of the block with the lecture.
type lectureBlock struct {
	Lecture json.RawMessage       `json:"lecture"`
	Runs    map[string]*recording `json:"runs"`
}

// WriteLecture writes a lecture to w as one HTML file that plays it. It waits until the runs have been computed, and runs their
// programs once more. The caller checks that the runs have at most EventsMax events together.
func WriteLecture(ctx context.Context, w io.Writer, l Lecture) error {
	kit, err := newKit(ctx, l.Runs[0].Program(), false)
	if err != nil {
		return err
	}
	b := lectureBlock{l.Data, map[string]*recording{}}
	for _, run := range l.Runs {
		if _, err := run.EndSeq(ctx); err != nil {
			return err
		}
		r, err := newRecording(ctx, run, Options{})
		if err != nil {
			return err
		}
		b.Runs[r.Run] = r
		known, err := knowledgeOf(run.Program())
		if err != nil {
			return err
		}
		maps.Copy(kit.Knowledge, known)
	}
	return writePage(ctx, w, l.Title, block{"kit", kitType, jsonOf(kit)}, block{"lecture", lectureType, jsonOf(b)})
}
