package lane

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/wheelscope/wheelscope/internal/redistest"
	"github.com/wheelscope/wheelscope/wheel/rediswheel"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/engine"
	"github.com/wheelscope/wheelscope/wheel/rediswheel/internal/wheeltesting"
)

// serverPair is an embedded and a real server on which the same operations are run. The real
// one's clock can't be set, so the embedded one's is set to the instant at which the real
// script ran, which is in its reply or in the keys that it wrote.
type serverPair struct {
	t        *testing.T
	real     *goredis.Client
	embedded *server
	shards   [2]engine.Shard // real, embedded
	claims   []engine.ClaimID
	draw     *rand.Rand
}

func newPair(t *testing.T, seed uint64) *serverPair {
	p := &serverPair{t: t, real: redistest.Start(t).Client(), embedded: &server{}, draw: rand.New(rand.NewPCG(seed, 1))}
	p.embedded.set(time.Now().UnixNano())
	p.shards = [2]engine.Shard{{Redis: p.real, Prefix: prefix}, {Redis: p.embedded, Prefix: prefix}}
	return p
}

// both runs a call on the real server, sets the embedded one's clock to the instant of
// that call (0: not relevant), runs it there, and compares the replies and the keys.
func (p *serverPair) both(what string, call func(engine.Shard) (any, error), instant func(reply any) int64) any {
	p.t.Helper()
	want, err := call(p.shards[0])
	if err != nil {
		p.t.Fatalf("%s: %v", what, err)
	}
	if ms := instant(want); ms != 0 {
		p.embedded.set(ms * nsMilli)
	}
	got, err := call(p.shards[1])
	if err != nil {
		p.t.Fatalf("%s, embedded: %v", what, err)
	}
	if !reflect.DeepEqual(got, want) {
		p.t.Fatalf("%s: the embedded server replies\n%+v\nthe real one\n%+v", what, got, want)
	}
	p.compareKeys(what)
	return want
}

func never0(any) int64 { return 0 }

// scoreOf returns the score of the first of claims that is in a real sorted set, or 0.
func (p *serverPair) scoreOf(set string, claims []engine.ClaimID) int64 {
	for _, h := range claims {
		if score, err := p.real.ZScore(context.Background(), prefix+set, h.Key).Result(); err == nil {
			return int64(score)
		}
	}
	return 0
}

// compareKeys compares every key of the two servers, with its type and contents.
func (p *serverPair) compareKeys(what string) {
	p.t.Helper()
	want, got := p.realKeys(), map[string]string{}
	for _, d := range p.embedded.dump() {
		got[d.key] = contents(d)
	}
	if !maps.Equal(got, want) {
		p.t.Fatalf("after %s the embedded server holds\n%v\nthe real one\n%v", what, got, want)
	}
}

// contents formats what a key holds, independent of the server's order.
func contents(d dumped) string {
	var list []string
	for k := range d.members {
		switch {
		case d.kind == "zset":
			list = append(list, fmt.Sprintf("%s=%v", d.members[k], d.scores[k]))
		case d.kind == "hash" && k%2 == 0:
			list = append(list, d.members[k]+"="+d.members[k+1])
		case d.kind == "set":
			list = append(list, d.members[k])
		}
	}
	slices.Sort(list)
	return d.kind + " " + strings.Join(list, "\n")
}

func (p *serverPair) realKeys() map[string]string {
	ctx, all := context.Background(), map[string]string{}
	for _, key := range p.real.Keys(ctx, "*").Val() {
		d := dumped{key: key, kind: p.real.Type(ctx, key).Val()}
		switch d.kind {
		case "set":
			d.members = p.real.SMembers(ctx, key).Val()
		case "zset":
			for _, z := range p.real.ZRangeWithScores(ctx, key, 0, -1).Val() {
				d.members, d.scores = append(d.members, z.Member.(string)), append(d.scores, z.Score)
			}
		case "hash":
			for f, v := range p.real.HGetAll(ctx, key).Val() {
				d.members = append(d.members, f, v)
			}
		}
		all[key] = contents(d)
	}
	return all
}

// key returns one of a few keys, so that operations use the same ones.
func (p *serverPair) key() string { return fmt.Sprintf("k%d", p.draw.IntN(12)) }

// randomClaims returns some of the claims made so far, including expired and replaced ones, and
// one that was never made.
func (p *serverPair) randomClaims() []engine.ClaimID {
	list := []engine.ClaimID{{Key: "absent", Token: 7}}
	for _, h := range p.claims {
		if p.draw.IntN(2) == 0 && !slices.ContainsFunc(list, func(o engine.ClaimID) bool { return o.Key == h.Key }) {
			list = append(list, h)
		}
	}
	return list
}

// step runs one random operation on both servers.
func (p *serverPair) step() {
	ctx := context.Background()
	switch p.draw.IntN(9) {
	case 0, 1, 2:
		p.add(ctx)
	case 3:
		keys := []string{p.key()}
		p.both("remove", func(s engine.Shard) (any, error) { return s.Remove(ctx, keys) }, never0)
	case 4, 5:
		p.claim(ctx)
	case 6:
		claims := p.randomClaims()
		counts := []engine.Count{{Field: "late:3", N: 2}}
		p.both("ack", func(s engine.Shard) (any, error) { return s.Ack(ctx, claims, counts) }, never0)
	case 7:
		p.settle(ctx)
	default:
		p.read(ctx)
	}
}

func (p *serverPair) add(ctx context.Context) {
	entries := map[string]engine.Entry{}
	for range 1 + p.draw.IntN(4) {
		due := time.Now().UnixMilli() + p.draw.Int64N(200_000) - 150_000
		task := rediswheel.Task{URL: "http://x/", Body: []byte{byte(p.draw.IntN(256)), '\n', 0}}
		key := p.key()
		entries[key] = engine.Entry{Key: key, Due: due, Record: task.Record(due)}
	}
	list := slices.SortedFunc(maps.Values(entries), func(a, b engine.Entry) int { return strings.Compare(a.Key, b.Key) })
	p.both("add", func(s engine.Shard) (any, error) { return s.Add(ctx, list) }, never0)
}

func (p *serverPair) claim(ctx context.Context) {
	limit, suspects, lease := 1+p.draw.IntN(5), p.draw.IntN(3), time.Duration(p.draw.IntN(4))*time.Millisecond
	reply := p.both("claim", func(s engine.Shard) (any, error) { return s.ClaimLimited(ctx, limit, suspects, lease) },
		func(reply any) int64 { return reply.(engine.Claim).Now })
	for _, t := range reply.(engine.Claim).Tasks {
		p.claims = append(p.claims, t.ClaimID)
	}
}

// settle puts claims back, marks them dead or extends them.
func (p *serverPair) settle(ctx context.Context) {
	claims := p.randomClaims()
	failed := make([]engine.Failed, len(claims))
	wait := time.Duration(1+p.draw.IntN(50)) * time.Millisecond
	for i, h := range claims {
		failed[i] = engine.Failed{ClaimID: h, Wait: wait, Reason: "503 Service Unavailable"}
	}
	worked := func(set string, after time.Duration) func(any) int64 {
		return func(reply any) int64 {
			at := slices.Index(reply.([]bool), true)
			if at < 0 {
				return 0
			}
			return p.scoreOf(set, claims[at:]) - after.Milliseconds()
		}
	}
	switch p.draw.IntN(3) {
	case 0:
		p.both("later", func(s engine.Shard) (any, error) { return s.Later(ctx, engine.Retried, failed) }, worked(":retries", wait))
	case 1:
		p.both("mark dead", func(s engine.Shard) (any, error) { d, err := s.MarkDead(ctx, 1000, failed); return d.Marked, err }, worked(":dead", 0))
	default:
		p.both("extend", func(s engine.Shard) (any, error) { return s.Extend(ctx, claims, wait) }, worked(":leases", wait))
	}
}

func (p *serverPair) read(ctx context.Context) {
	key, state := p.key(), rediswheel.States[p.draw.IntN(len(rediswheel.States))]
	p.both("get", func(s engine.Shard) (any, error) { f, ok, err := s.Get(ctx, key); return []any{f, ok}, err }, never0)
	p.both("list", func(s engine.Shard) (any, error) { return wheeltesting.List(ctx, s, state, engine.Position{}, 7) }, never0)
	stats := func(s engine.Shard) (any, error) {
		r, err := s.Stats(ctx, 240, time.Second)
		if err != nil {
			return nil, err
		}
		counters := map[string]string{} // in any order
		for c := (&engine.Reader{List: r.List[7].([]any)}); c.More(); {
			counters[c.Text()] = c.Text()
		}
		r.List[7] = counters
		return fmt.Sprintln(r.List...), nil // numbers may have different types
	}
	now := func(reply any) (ms int64) { _, _ = fmt.Sscan(reply.(string), &ms); return ms }
	p.both("stats", stats, now)
}

// Random operations give the same replies and the same keys on the embedded server and on
// a real one.
func TestEmbeddedConforms(t *testing.T) {
	for seed := range uint64(2) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			p := newPair(t, seed)
			for range 250 {
				p.step()
			}
			if len(p.claims) < 20 {
				t.Errorf("%d tasks were claimed", len(p.claims))
			}
		})
	}
}

// The published scripts give the same replies and the same keys on both servers, and
// delete sets expire within 120 s.
func TestPublishedConforms(t *testing.T) {
	ctx := context.Background()
	p := newPair(t, 3)
	wheels := [2]publishedScripts{{Redis: p.real}, {Redis: p.embedded}}
	base := time.Now().Truncate(time.Minute)
	for range 200 {
		op, key, at := p.draw.IntN(3), p.key(), base.Add(time.Duration(p.draw.IntN(150))*time.Second)
		body := p.draw.IntN(3)
		call := func(w publishedScripts) (any, error) {
			switch op {
			case 0:
				return w.AddTask(ctx, key, bodyOf(int64(body)), at)
			case 1:
				return w.RemoveTask(ctx, key, at)
			}
			scan, err := w.Scan(ctx, at)
			slices.Sort(scan.Deleted) // a set has no order
			return scan, err
		}
		want, err := call(wheels[0])
		if err != nil {
			t.Fatal(err)
		}
		if got, err := call(wheels[1]); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("the embedded server replies %+v, %v; the real one %+v", got, err, want)
		}
		p.compareKeys("a published script")
	}
	for _, d := range p.embedded.dump() {
		ttl := p.real.TTL(ctx, d.key).Val()
		if timed := ttl > 0; timed != (d.ttl > 0) || timed && (ttl > 120*time.Second || d.ttl > 120*time.Second) {
			t.Errorf("%s lives %v, embedded %v", d.key, ttl, d.ttl)
		}
	}
}
