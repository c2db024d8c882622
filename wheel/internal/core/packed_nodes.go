package core

import (
	"slices"
	"unsafe"
)

// packedNodes is a packed copy of the pages of an arena. It contains no pointers except those to its
// arrays. The nodes of a page are divided into blocks of up to packedBlock nodes, and each node into
// 32-bit words (see nodeWords). In a block, word k of the nodes is stored in two parts. The
// high-order bytes that are the same in all nodes are stored once. The remaining 0, 1, 2 or 4
// low-order bytes are stored for each node.
type packedNodes struct {
	words []packedWord // for each block, one element per word of a node, which describes how the word is stored
	by1   []uint8      // low-order bytes of the words that are stored in 1 byte per node, ordered by block, then word, then node
	by2   []uint16     // low-order bytes of the words that are stored in 2 bytes per node, ordered by block, then word, then node
	by4   []uint32     // words that are stored in 4 bytes per node, ordered by block, then word, then node
}

// packedWord describes how a block stores one of the words into which its nodes are divided.
type packedWord struct {
	common uint32 // bits that are the same in all nodes of the block and are not stored per node
	bytes  uint8  // number of low-order bytes that are stored per node: 0, 1, 2 or 4
}

// packedBlock is the maximum number of nodes in a block; see packedNodes.
const packedBlock = 512

// nodeWords is a Node viewed as an array of 32-bit words. The order of the words depends on the byte order of the
// machine.
type nodeWords [nodeBytes / 4]uint32

// wordsOf returns a view of nodes as words. The result shares the memory of nodes.
func wordsOf(nodes []Node) []nodeWords {
	return unsafe.Slice((*nodeWords)(unsafe.Pointer(unsafe.SliceData(nodes))), len(nodes))
}

// PackCopies sets whether Clone returns packed copies; see [wheel.Observable].
func (b *Base) PackCopies(yes bool) { b.Arena.packCopies = yes }

// pack returns a packed copy of the arena's pages.
func (a *Arena) pack() *packedNodes {
	p := &packedNodes{}
	for number, page := range a.pages {
		for block := range slices.Chunk(page[:a.rooms[number].used], packedBlock) {
			p.add(wordsOf(block))
		}
	}
	return &packedNodes{slices.Clone(p.words), slices.Clone(p.by1), slices.Clone(p.by2), slices.Clone(p.by4)}
}

// add packs the nodes of a block and appends them to p.
func (p *packedNodes) add(block []nodeWords) {
	first := block[0]
	for k, bits := range differing(block) {
		w := packedWord{common: first[k]}
		switch {
		case bits == 0:
		case bits < 1<<8:
			w = packedWord{first[k] &^ (1<<8 - 1), 1}
			p.by1 = appendWord(p.by1, block, k)
		case bits < 1<<16:
			w = packedWord{first[k] &^ (1<<16 - 1), 2}
			p.by2 = appendWord(p.by2, block, k)
		default:
			w = packedWord{0, 4}
			p.by4 = appendWord(p.by4, block, k)
		}
		p.words = append(p.words, w)
	}
}

// differing returns a mask of the bits that are not the same in all nodes of a block: a bit of the
// mask is 1 if the corresponding bit of at least one node differs from that of the first node. For
// speed, differing compares two words at a time.
func differing(block []nodeWords) nodeWords {
	pairs := unsafe.Slice((*[len(nodeWords{}) / 2]uint64)(unsafe.Pointer(&block[0])), len(block))
	first := pairs[0]
	var a, b, c, d uint64
	i := 0
	for ; i+4 <= len(pairs); i += 4 {
		n := (*[4][len(first)]uint64)(pairs[i:])
		a |= (n[0][0] ^ first[0]) | (n[1][0] ^ first[0]) | (n[2][0] ^ first[0]) | (n[3][0] ^ first[0])
		b |= (n[0][1] ^ first[1]) | (n[1][1] ^ first[1]) | (n[2][1] ^ first[1]) | (n[3][1] ^ first[1])
		c |= (n[0][2] ^ first[2]) | (n[1][2] ^ first[2]) | (n[2][2] ^ first[2]) | (n[3][2] ^ first[2])
		d |= (n[0][3] ^ first[3]) | (n[1][3] ^ first[3]) | (n[2][3] ^ first[3]) | (n[3][3] ^ first[3])
	}
	for ; i < len(pairs); i++ {
		n := &pairs[i]
		a, b, c, d = a|(n[0]^first[0]), b|(n[1]^first[1]), c|(n[2]^first[2]), d|(n[3]^first[3])
	}
	bits := [len(first)]uint64{a, b, c, d}
	return *(*nodeWords)(unsafe.Pointer(&bits))
}

// appendWord appends word k of each node in block to list, truncated to type T, and returns the
// extended list.
func appendWord[T uint8 | uint16 | uint32](list []T, block []nodeWords, k int) []T {
	from := len(list)
	list = slices.Grow(list, len(block))[:from+len(block)]
	i := 0
	for ; i+8 <= len(block); i += 8 {
		v, n := (*[8]T)(list[from+i:]), (*[8]nodeWords)(block[i:])
		*v = [8]T{T(n[0][k]), T(n[1][k]), T(n[2][k]), T(n[3][k]), T(n[4][k]), T(n[5][k]), T(n[6][k]), T(n[7][k])}
	}
	for ; i < len(block); i++ {
		list[from+i] = T(block[i][k])
	}
	return list
}

// unpack returns unpacked copies of the pages stored in p. rooms are those of the arena.
func (p *packedNodes) unpack(rooms []room) [][]Node {
	rest, pages := *p, make([][]Node, len(rooms))
	for number := range rooms {
		used := int(rooms[number].used)
		page := zeroPage[:]
		switch {
		case number == 0:
			page = make([]Node, used)
		case used > 0:
			page = make([]Node, pageSize)
		}
		for block := range slices.Chunk(page[:used], packedBlock) {
			rest.next(wordsOf(block))
		}
		pages[number] = page
	}
	return pages
}

// next unpacks the first block of p into block. It then reslices the slices of p so that they begin
// with the following block; their underlying arrays do not change.
func (p *packedNodes) next(block []nodeWords) {
	var common nodeWords
	words := p.words[:len(common)]
	p.words = p.words[len(common):]
	for k := range words {
		common[k] = words[k].common
	}
	block[0] = common
	for n := 1; n < len(block); n *= 2 {
		copy(block[n:], block[:n])
	}
	for k := range words {
		switch words[k].bytes {
		case 1:
			p.by1 = takeWord(p.by1, block, k)
		case 2:
			p.by2 = takeWord(p.by2, block, k)
		case 4:
			p.by4 = takeWord(p.by4, block, k)
		}
	}
}

// takeWord sets the low-order bits of word k of each node in block, block[i], to list[i]. The bits must
// be 0 beforehand. It returns the elements of list that are left. takeWord processes eight nodes per
// iteration, because in WebAssembly the overhead of an iteration exceeds the work for one node.
func takeWord[T uint8 | uint16 | uint32](list []T, block []nodeWords, k int) []T {
	rest, i := list[len(block):], 0
	for ; i+8 <= len(block); i += 8 {
		v, n := (*[8]T)(list[i:]), (*[8]nodeWords)(block[i:])
		n[0][k] |= uint32(v[0])
		n[1][k] |= uint32(v[1])
		n[2][k] |= uint32(v[2])
		n[3][k] |= uint32(v[3])
		n[4][k] |= uint32(v[4])
		n[5][k] |= uint32(v[5])
		n[6][k] |= uint32(v[6])
		n[7][k] |= uint32(v[7])
	}
	for ; i < len(block); i++ {
		block[i][k] |= uint32(list[i])
	}
	return rest
}

// bytes returns the memory used by p, in bytes.
func (p *packedNodes) bytes() int64 {
	return int64(cap(p.words))*int64(unsafe.Sizeof(packedWord{})) + int64(cap(p.by1)) + int64(cap(p.by2))*2 + int64(cap(p.by4))*4
}
