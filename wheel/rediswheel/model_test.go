//go:build !race

// A long test of one goroutine, in which the race detector finds nothing; see the Makefile.

package rediswheel_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/engine"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/wheeltesting"
	"pgregory.net/rapid"
)

// model is a shard implemented as a map, with the expected behaviour of every script.
type model struct {
	now   int64
	tasks map[string]*modelTask
	token int64
	limit int // of the dead tasks

	newTurn bool // the next claim with room for one task takes a new task
}

type modelTask struct {
	due      int64
	state    rediswheel.State
	at       int64
	token    int64
	addition int64
	attempts int
	lapses   int
	reason   string
}

func (m *model) add(key string, due int64) bool {
	_, was := m.tasks[key]
	m.tasks[key] = &modelTask{due: due, state: rediswheel.Waiting, at: due}
	return was
}

// due lists the keys of a state that are due, as a claim takes them.
func (m *model) due(state rediswheel.State) []string {
	var keys []string
	for key, t := range m.tasks {
		if t.state == state && t.at <= m.now {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(a, b string) int {
		if d := m.tasks[a].at - m.tasks[b].at; d != 0 {
			return int(d)
		}
		return strings.Compare(a, b)
	})
	return keys
}

// isSuspect reports whether at least two leases of a due task have lapsed since its last result.
func (m *model) isSuspect(key string) bool {
	t := m.tasks[key]
	return t.lapses > 1 || t.lapses == 1 && t.state == rediswheel.InFlight
}

// suspectsIn returns the number of suspects in keys.
func (m *model) suspectsIn(keys []string) (n int) {
	for _, key := range keys {
		if m.isSuspect(key) {
			n++
		}
	}
	return n
}

// lapsed lists the keys whose leases lapsed, with at most the given number of suspects.
func (m *model) lapsed(suspects int) []string {
	return m.eligible(rediswheel.InFlight, suspects)
}

// eligible lists the keys of a state that are due, with at most the given number of suspects.
func (m *model) eligible(state rediswheel.State, suspects int) []string {
	return slices.DeleteFunc(m.due(state), func(key string) bool {
		if !m.isSuspect(key) {
			return false
		}
		suspects--
		return suspects < 0
	})
}

// claim returns the claimed keys and the number of suspects among them.
func (m *model) claim(limit, suspects int, lease int64) (batch []string, suspected int) {
	lapsed, retries, waiting := m.lapsed(suspects), m.due(rediswheel.Retrying), m.due(rediswheel.Waiting)
	batch = append(batch, lapsed[:min((limit+1)/2, len(lapsed))]...)
	room := limit - len(batch)
	turn := room == 1 && len(retries) > 0 && len(waiting) > 0
	retries = m.eligible(rediswheel.Retrying, suspects-m.suspectsIn(batch))
	if turn {
		if m.newTurn {
			retries = nil
		}
		m.newTurn = !m.newTurn
	}
	batch = append(batch, retries[:min((room+1)/2, len(retries))]...)
	batch = append(batch, waiting[:min(limit-len(batch), len(waiting))]...)
	if len(batch) == 0 {
		return nil, 0
	}
	suspected = m.suspectsIn(batch)
	m.token = max(m.token+1, m.now)
	for _, key := range batch {
		t := m.tasks[key]
		if t.state == rediswheel.InFlight {
			t.lapses++
		}
		t.state, t.at, t.token = rediswheel.InFlight, m.now+lease, m.token
		t.addition = cmp.Or(t.addition, m.token)
		t.attempts++
	}
	return batch, suspected
}

func (m *model) held(h engine.ClaimID) *modelTask {
	if t := m.tasks[h.Key]; t != nil && t.state == rediswheel.InFlight && t.token == h.Token {
		return t
	}
	return nil
}

// same returns the task that was claimed, even if a later claim of it is valid now.
func (m *model) same(h engine.ClaimID) *modelTask {
	if t := m.tasks[h.Key]; t != nil && t.addition == h.Addition {
		return t
	}
	return nil
}

func (m *model) markDead(h engine.ClaimID, reason string) bool {
	t := m.held(h)
	if t == nil {
		return false
	}
	t.state, t.at, t.reason, t.lapses = rediswheel.Dead, m.now, reason, 0
	if dead := m.listed(rediswheel.Dead); len(dead) > m.limit {
		delete(m.tasks, dead[0])
	}
	return true
}

// listed lists the keys of a state by instant, then key.
func (m *model) listed(state rediswheel.State) []string {
	all := *m
	all.now = 1 << 60
	return all.due(state)
}

// check compares a shard with the model: each task is in its place only, and there are no other
// keys.
func (m *model) check(t *rapid.T, s engine.Shard, keysLeft []string) {
	ctx := context.Background()
	for _, state := range rediswheel.States {
		found, err := wheeltesting.List(ctx, s, state, engine.Position{}, rediswheel.ListMax)
		if err != nil {
			t.Fatal(err)
		}
		var keys []string
		for _, f := range found {
			keys = append(keys, f.Key)
			want := m.tasks[f.Key]
			if want == nil || want.state != state || want.at != f.At || want.attempts != f.Attempts || want.reason != f.Reason {
				t.Fatalf("%s: %+v, the model has %+v", state, f, want)
			}
			got, ok, err := s.Get(ctx, f.Key)
			if err != nil || !ok || got != f {
				t.Fatalf("get: %+v, list: %+v, %v", got, f, err)
			}
		}
		if want := m.listed(state); !slices.Equal(keys, want) {
			t.Fatalf("%s: %q, the model has %q", state, keys, want)
		}
	}
	m.checkKeys(t, s, keysLeft)
}

// checkKeys checks that the slices are exactly those of the waiting tasks, and that none is empty.
func (m *model) checkKeys(t *rapid.T, s engine.Shard, keys []string) {
	minutes := map[int64]int64{}
	for _, task := range m.tasks {
		if task.state == rediswheel.Waiting {
			minutes[task.due/60_000]++
		}
	}
	st, err := rediswheel.ReadStats(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	counts, slices_ := map[int64]int64{}, 0
	for _, minute := range st.Minutes {
		counts[minute.Minute] = minute.Tasks
	}
	for _, key := range keys {
		if strings.Contains(key, ":slice:") {
			slices_++
		}
	}
	if !maps.Equal(counts, minutes) || slices_ != len(minutes) {
		t.Fatalf("minutes %v and %d slices, the model has %v", counts, slices_, minutes)
	}
	if all := st.Waiting + st.InFlight + st.Retrying + st.Dead; all != int64(len(m.tasks)) {
		t.Fatalf("%d tasks counted, the model has %d", all, len(m.tasks))
	}
}

// Random operations have the same results on a shard and on the model.
func TestShardIsTheModel(t *testing.T) {
	w := wheeltesting.NewClockwork(t)
	rapid.Check(t, func(t *rapid.T) {
		w.Server.FlushAll()
		w.Set(1_700_000_000_000)
		m := &model{now: w.Now, tasks: map[string]*modelTask{}, limit: 1}
		var claims []engine.ClaimID
		key := rapid.Custom(func(t *rapid.T) string { return "k" + strconv.Itoa(rapid.IntRange(0, 7).Draw(t, "n")) })
		t.Repeat(map[string]func(*rapid.T){
			"look": func(t *rapid.T) { m.check(t, w.Shard, w.Server.Keys()) },
			"pass": func(t *rapid.T) {
				m.now += rapid.Int64Range(0, 90_000).Draw(t, "ms")
				w.Set(m.now)
			},
			"add":   func(t *rapid.T) { modelAdd(t, m, w.Shard, key) },
			"claim": func(t *rapid.T) { claims = append(claims, modelClaim(t, m, w.Shard)...) },
			"end": func(t *rapid.T) {
				if len(claims) > 0 {
					modelEnd(t, m, w.Shard, rapid.SampledFrom(claims).Draw(t, "hold"))
				}
			},
			"remove": func(t *rapid.T) {
				k := key.Draw(t, "key")
				_, was := m.tasks[k]
				delete(m.tasks, k)
				if got, err := w.Remove(context.Background(), []string{k}); err != nil || got[0] != was {
					t.Fatalf("remove %s: %v %v, want %v", k, got, err, was)
				}
			},
		})
		m.check(t, w.Shard, w.Server.Keys())
	})
}

func modelAdd(t *rapid.T, m *model, s engine.Shard, key *rapid.Generator[string]) {
	var entries []engine.Entry
	var want []bool
	for _, k := range rapid.SliceOfNDistinct(key, 1, 4, rapid.ID).Draw(t, "keys") {
		e := wheeltesting.Entry(k, m.now+rapid.Int64Range(-70_000, 200_000).Draw(t, "in"))
		entries = append(entries, e)
		if _, was := m.tasks[k]; len(entries) == 1 && !was && rapid.Bool().Draw(t, "new") {
			if ok, err := s.AddNew(context.Background(), e); !ok || err != nil {
				t.Fatalf("add new: %v %v", ok, err)
			}
			m.add(k, e.Due)
		}
		want = append(want, m.add(k, e.Due))
	}
	if got, err := s.Add(context.Background(), entries); err != nil || !slices.Equal(got, want) {
		t.Fatalf("add %v: %v %v, want %v", entries, got, err, want)
	}
	if ok, err := s.AddNew(context.Background(), entries[0]); ok || err != nil {
		t.Fatalf("add new, though it is there: %v %v", ok, err)
	}
}

func modelClaim(t *rapid.T, m *model, s engine.Shard) []engine.ClaimID {
	limit, lease := rapid.IntRange(1, 5).Draw(t, "limit"), rapid.Int64Range(1, 60_000).Draw(t, "lease")
	suspects := rapid.IntRange(0, 2).Draw(t, "suspects")
	want, suspected := m.claim(limit, suspects, lease)
	c, err := s.ClaimLimited(context.Background(), limit, suspects, time.Duration(lease)*time.Millisecond)
	if got := wheeltesting.KeysOf(c); err != nil || !slices.Equal(got, want) || suspectsOf(c) != suspected {
		t.Fatalf("claimed %q, %d suspects, %v, want %q, %d", got, suspectsOf(c), err, want, suspected)
	}
	earliest, left := int64(-1), map[string]bool{}
	if suspects -= suspected; suspects == 0 { // the wait ignores the suspects that were skipped
		for key, task := range m.tasks {
			left[key] = task.at <= m.now && m.isSuspect(key)
		}
	}
	for key, task := range m.tasks {
		if wait := max(task.at-m.now, 0); task.state != rediswheel.Dead && !left[key] && (earliest < 0 || wait < earliest) {
			earliest = wait
		}
	}
	if c.Now != m.now || c.Wait != earliest {
		t.Fatalf("now %d, wait %d, want %d, %d", c.Now, c.Wait, m.now, earliest)
	}
	var claims []engine.ClaimID
	for _, task := range c.Tasks {
		if task.Attempts != m.tasks[task.Key].attempts || task.Token != m.token || task.Addition != m.tasks[task.Key].addition {
			t.Fatalf("%+v, the model has %+v", task, m.tasks[task.Key])
		}
		claims = append(claims, task.ClaimID)
	}
	return claims
}

// modelEnd ends a claim in one of the possible ways, or ends one that never existed.
func modelEnd(t *rapid.T, m *model, s engine.Shard, h engine.ClaimID) {
	ctx, never := context.Background(), engine.ClaimID{Key: h.Key, Token: h.Token + 1<<40}
	task := m.held(h)
	want := []bool{task != nil, false}
	way := rapid.SampledFrom([]string{"ack", "extend", "mark dead", engine.Retried, engine.Deferred}).Draw(t, "way")
	var got []bool
	var err error
	reason := fmt.Sprint("because of ", h.Token)
	switch way {
	case "ack":
		task = m.same(h)
		want[0] = task != nil
		got, err = s.Ack(ctx, []engine.ClaimID{h, never}, nil)
		if task != nil {
			delete(m.tasks, h.Key)
		}
	case "extend":
		got, err = s.Extend(ctx, []engine.ClaimID{h, never}, 5*time.Second)
		if task != nil {
			task.at = m.now + 5000
		}
	case "mark dead":
		var d engine.DeadResult
		d, err = s.MarkDead(ctx, int64(m.limit), []engine.Failed{{ClaimID: h, Reason: reason}, {ClaimID: never}})
		got = d.Marked
		m.markDead(h, reason)
	default:
		wait := rapid.Int64Range(0, 90_000).Draw(t, "wait")
		got, err = s.Later(ctx, way, []engine.Failed{{ClaimID: h, Wait: time.Duration(wait) * time.Millisecond, Reason: reason}, {ClaimID: never}})
		if task != nil {
			task.state, task.at, task.reason = rediswheel.Retrying, m.now+wait, reason
			if way == engine.Deferred {
				task.attempts--
			} else {
				task.lapses = 0
			}
		}
	}
	if err != nil || !slices.Equal(got, want) {
		t.Fatalf("%s of %v: %v %v, want %v", way, h, got, err, want)
	}
}
