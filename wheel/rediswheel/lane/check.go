package lane

import (
	"fmt"
	"maps"
	"slices"
)

// sets maps the key of each sorted set in Redis to its members and their scores.
type sets map[string]map[string]float64

func (s sets) add(key, member string, score int64) {
	if s[key] == nil {
		s[key] = map[string]float64{}
	}
	s[key][member] = float64(score)
}

// Check returns an error if the state of the lane is inconsistent or differs from the sorted sets of the
// server.
func (l *Lane) Check() error {
	if l.err != nil {
		return l.err
	}
	live, held := 0, 0
	for i := range l.tasks {
		t := &l.tasks[i]
		if !t.used {
			continue
		}
		held++
		if !t.marked {
			live++
		}
		if !slices.Contains(l.tasksAt(t.level, t.slot), uint32(i)) {
			return fmt.Errorf("lane: task %d is not where it says, level %d slot %d", t.id, t.level, t.slot)
		}
	}
	placed := 0
	for k, p := range l.places {
		placed += len(p.tasks)
		if k > 0 && l.places[k-1].compare(p) >= 0 || p.level == levelSlices && !slices.IsSortedFunc(p.tasks, l.compare) {
			return fmt.Errorf("lane: level %d slot %d is out of order", p.level, p.slot)
		}
	}
	if live != l.live || held != l.held || placed != held {
		return fmt.Errorf("lane: %d live, %d held, %d placed; counted %d and %d", live, held, placed, l.live, l.held)
	}
	return l.rule.check()
}

// compareSets returns an error if the sorted sets of the server differ from want, the sets that the server should have
// according to the state of the lane. It ignores sets of the server whose keys are in others.
func (l *Lane) compareSets(want sets, others ...string) error {
	got := sets{}
	for _, d := range l.server.dump() {
		if d.kind != "zset" || slices.Contains(others, d.key) {
			continue
		}
		got[d.key] = map[string]float64{}
		for k, m := range d.members {
			got[d.key][m] = d.scores[k]
		}
	}
	for _, key := range slices.Sorted(maps.Keys(got)) {
		if !maps.Equal(got[key], want[key]) {
			return fmt.Errorf("lane: key %s holds %v, noted are %v", key, got[key], want[key])
		}
	}
	if len(got) != len(want) {
		return fmt.Errorf("lane: %d sorted sets, noted are %d", len(got), len(want))
	}
	return nil
}

func (r *published) check() error {
	want := sets{}
	for i := range r.l.tasks {
		if t := &r.l.tasks[i]; t.used && t.level == levelSlices {
			want.add(publishedSliceKey(sliceTime(int64(t.slot)/minute)), t.member, t.score)
		}
	}
	return r.l.compareSets(want)
}

func (r *corrected) check() error {
	want := sets{}
	for i := range r.l.tasks {
		t := &r.l.tasks[i]
		switch {
		case !t.used:
		case t.level == levelSlices:
			number := nameOf(t.slot / uint32(minute))
			want.add(prefix+":slice:"+number, t.member, t.score)
			want.add(prefix+":minutes", number, int64(t.slot)/minute)
		case t.slot == slotFlight:
			want.add(prefix+":leases", t.key, t.at/nsMilli)
		case t.slot == slotRetry:
			want.add(prefix+":retries", t.key, t.at/nsMilli)
		}
	}
	return r.l.compareSets(want, prefix+":dead")
}
