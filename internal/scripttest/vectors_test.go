package scripttest

import "testing"

// TestVectorsOfPictures computes with the page's scripts the positions that
// templates/vectors_test.go computes in Go.
func TestVectorsOfPictures(t *testing.T) {
	t.Parallel()
	n := newNode(t)
	for _, line := range eval[[]string](n, `(async () => {
		const v = `+string(read(t, "../../templates/testdata/picture-vectors.json"))+`;
		const [g, f, s] = [await load("picture/dial.js"), await load("picture/face.js"), await load("picture/spots.js")];
		const rings = (levels, slots) => f.ringsOf(Array.from({length: levels}, (_, level) => [level, slots, 1]));
		const n = (x) => Math.sign(x) * Math.floor(Math.abs(x) * 1000 + 0.5) / 1000;
		const wrong = [];
		const check = (what, got, want) => { if (JSON.stringify(got) !== JSON.stringify(want)) wrong.push(what + ": " + JSON.stringify(got).slice(0, 200) + " want " + JSON.stringify(want).slice(0, 200)); };
		for (const [level, levels, ...radii] of v.rings) check("ring " + [level, levels], [rings(levels, 1)[level].inner, rings(levels, 1)[level].outer].map(n), radii);
		for (const l of v.labels) {
			const of = [l.Level, l.Levels, l.Slots];
			const ring = rings(l.Levels, l.Slots)[l.Level];
			check("labels " + of, g.slotLabels(ring, l.Level, 0).map(({x, y, slot, side}) => [n(x), n(y), slot, side]), l.Labels);
			if (l.Lead) check("lead " + of, g.leadPath(ring, l.Level), l.Lead);
			check("spans " + of, ["", "16 ms per slot, 256 ms per turn", "每槽 16 ms，每圈 ≈ 68.267 min", "16 ms per slot, ≈ 68.267 min per turn"].flatMap((text) => g.spanLines(l.Level, text, l.Slots === 16)).map(({x, y, side, text, long}) => [x, y, side, text, long]), l.Spans);
		}
		for (const [level, levels, slot, slots, ...paths] of v.paths) check("paths " + [level, levels, slot, slots],
			[f.sector(rings(levels, slots)[level], slot), g.pointerPath(rings(levels, slots), level, slot), f.spokes(rings(levels, Math.min(slots, 16))[level])], paths);
		for (const {Shape, Arity, Levels, Size, Place: [level, slot, count], Spots} of v.spots) {
			const at = s.spotsOf({shape: Shape, arity: Arity, levels: Levels, size: Size, rows: 0, zoom: 1, turns: undefined}, {level, slot, count});
			check("spots " + [Shape, Arity, Size, level, slot, count], Array.from({length: count}, (_, k) => at(k)).map(({x, y, r}) => [n(x), n(y), n(r)]), Spots);
		}
		for (const [hole, text, ...sizes] of v.sizes) check("sizes " + [hole, text], [g.clockSize(hole, text), g.wallSize(hole, text), g.waitingSize(hole, text)].map(String), sizes);
		for (const [clock, waiting, ...sizes] of v.clockRow) check("row " + [clock, waiting], g.flushSizes(clock, waiting).map(String), sizes);
		return wrong.slice(0, 10);
	})()`) {
		t.Error(line)
	}
}
