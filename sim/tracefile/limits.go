package tracefile

// Limits of a trace that is read. If a trace exceeds a limit, the error names the limit.
const (
	LineMax     = 64 << 10 // maximum number of bytes in a trace line after the header
	TickMax     = 1 << 28  // maximum size of all lines of one tick, in bytes; checked by package compare, not by Verify
	UnpackedMax = 64 << 30 // maximum size of a compressed trace after decompression, in bytes
)
