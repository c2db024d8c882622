package engine

import (
	"hash/fnv"
	"strconv"
)

// slots is the number of hash slots in any Redis Cluster.
const slots = 16384

// tagTries is the maximum number of tags that spreadTag tries for a shard. spreadTag looks for a tag whose hash slot is
// close to a chosen slot. With 64 shards, about 1 tag in 1,000 is close enough.
const tagTries = 1 << 16

// Prefixes returns the key prefixes of the shards of a wheel with the given name and number of shards, NAME{TAG}. The
// tags spread the shards of a wheel, and also different wheels with a single shard, over the hash slots of Redis
// Cluster. All keys of a shard have the same hash tag, so they are in one hash slot, and thus on one node.
//
// Every program must compute the same prefixes: they are part of the storage format.
func Prefixes(name string, count int) []string {
	list := make([]string, count)
	for i := range list {
		list[i] = name + "{" + spreadTag(name, count, i) + "}"
	}
	return list
}

// spreadTag returns the hash tag of shard i of a wheel with count shards. The tag has the form
// "NAME.COUNT.I.K", where K is the smallest non-negative integer for which the hash slot of the tag is close to
// the slot chosen for the shard. To choose the slots, spreadTag divides all hash slots into count equal parts, one
// for each shard. So if a cluster has M masters with equal ranges of slots, each master has count/M shards,
// rounded up or down. The name of the wheel determines which part each shard gets, and the position of the chosen
// slot in this part, so that wheels with a single shard are spread over the nodes.
//
// Every program must compute the same tag, so a change to this function requires a new format of the wheel.
func spreadTag(name string, count, i int) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name))
	sum := h.Sum64()
	part := (uint64(i) + sum>>32) % uint64(count)
	// At least 1/16 of a part away from its borders, in steps of 1/1024.
	within := 64 + sum%897
	centre := int((part*1024 + within) * slots / (1024 * uint64(count)))
	near := slots / (32 * count)
	stem := name + "." + strconv.Itoa(count) + "." + strconv.Itoa(i) + "."
	base, nearest, best := crc16(0, stem), "", slots
	for k := range tagTries {
		number := strconv.Itoa(k)
		distance := int(crc16(base, number)%slots) - centre
		if distance = max(distance, -distance); distance < best {
			nearest, best = stem+number, distance
		}
		if best <= near {
			break
		}
	}
	return nearest
}

// crc16 returns the result of adding text to the checksum crc. The algorithm is the CRC-16 of Redis Cluster (XMODEM,
// polynomial 0x1021).
func crc16(crc uint16, text string) uint16 {
	for i := range len(text) {
		crc = crc<<8 ^ crcTable[byte(crc>>8)^text[i]]
	}
	return crc
}

var crcTable = func() (table [256]uint16) {
	for i := range table {
		crc := uint16(i) << 8
		for range 8 {
			if crc&0x8000 != 0 {
				crc = crc<<1 ^ 0x1021
			} else {
				crc <<= 1
			}
		}
		table[i] = crc
	}
	return table
}()
