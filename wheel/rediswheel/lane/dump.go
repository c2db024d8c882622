package lane

import (
	"fmt"
	"slices"
	"time"

	"github.com/alicebob/miniredis/v2"
)

// dumped is a copy of a key of a server and of its contents. It is immutable, so that copies of a server can share it.
type dumped struct {
	key, kind string
	ttl       time.Duration // remaining time to live at the time server.asOf; 0 means that the key does not expire
	members   []string      // members of a set or a sorted set; for a hash: field, value, field, value, …
	scores    []float64     // scores of a sorted set, in the order of members
}

// copy returns a server with the same keys and clock. The copy's embedded server is started on first use.
func (s *server) copy() *server {
	c := &server{keys: s.dump(), asOf: s.now, now: s.now, runs: s.runs}
	if s.mini == nil {
		c.asOf = s.asOf
	}
	return c
}

// dump returns all keys with their contents, ordered by name.
func (s *server) dump() []dumped {
	if s.mini == nil {
		return s.keys
	}
	var all []dumped
	for _, key := range s.mini.Keys() {
		d := dumped{key: key, kind: s.mini.Type(key), ttl: s.mini.TTL(key)}
		d.read(s.mini)
		all = append(all, d)
	}
	return all
}

// read reads the contents of the key d.key from m. It supports sets, sorted sets and hashes, because the scripts use
// no other types.
func (d *dumped) read(m *miniredis.Miniredis) {
	switch d.kind {
	case "set":
		d.members, _ = m.SMembers(d.key)
	case "zset":
		d.members, _ = m.ZMembers(d.key)
		d.scores, _ = m.ZMScore(d.key, d.members...)
	case "hash":
		fields, _ := m.HKeys(d.key)
		slices.Sort(fields)
		for _, f := range fields {
			d.members = append(d.members, f, m.HGet(d.key, f))
		}
	}
}

// load writes s.keys, the keys of the server from which s was copied, to the embedded server of s, and clears
// s.keys. The embedded server must be empty.
func (s *server) load() error {
	for _, d := range s.keys {
		if err := d.write(s.mini); err != nil {
			return fmt.Errorf("key %s: %w", d.key, err)
		}
	}
	s.keys = nil
	return nil
}

func (d *dumped) write(m *miniredis.Miniredis) error {
	var err error
	switch d.kind {
	case "set":
		_, err = m.SAdd(d.key, d.members...)
	case "zset":
		for i, member := range d.members {
			if _, err = m.ZAdd(d.key, d.scores[i], member); err != nil {
				return err
			}
		}
	case "hash":
		m.HSet(d.key, d.members...)
	default:
		err = fmt.Errorf("a %s can't be copied", d.kind)
	}
	if d.ttl > 0 {
		m.SetTTL(d.key, d.ttl)
	}
	return err
}

// bytes returns the approximate memory use of the server in bytes. If the embedded server has been started, this is
// serverBytes. Otherwise, it is the total length of the strings in s.keys plus a fixed overhead for each key and
// member.
func (s *server) bytes() int64 {
	if s.mini != nil {
		return serverBytes
	}
	var n int64
	for _, d := range s.keys {
		n += int64(len(d.key)) + 100
		for _, m := range d.members {
			n += int64(len(m)) + 24
		}
	}
	return n
}

// serverBytes is the approximate number of bytes of memory that a started server without keys uses. Most of
// it is the table of commands.
const serverBytes = 60 << 10
