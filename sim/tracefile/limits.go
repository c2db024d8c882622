package tracefile

// Limits of a trace that is read. Exceeding one is an error that names it.
const (
	LineMax     = 64 << 10 // maximum bytes of a trace line after the header
	TickMax     = 1 << 28  // maximum bytes of the lines of one tick, in a trace that is a side of a comparison
	UnpackedMax = 64 << 30 // maximum bytes of a compressed trace after decompression
)
