package tracefile

// Limits of a trace that is read. Exceeding one is an error that names it.
const (
	LineMax     = 64 << 10 // bytes of a trace line after the header
	TickMax     = 1 << 28  // bytes of the lines of one tick, in a trace that is compared with a run
	UnpackedMax = 64 << 30 // bytes of a compressed trace after decompression
)
