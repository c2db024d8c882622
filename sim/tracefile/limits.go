package tracefile

// Limits of a trace that is read. If a trace exceeds a limit, the error names the limit.
const (
	LineMax     = 64 << 10 // maximum number of bytes in a trace line after the header
	TickMax     = 1 << 28  // maximum number of bytes in the lines of one tick; only package compare checks it, not Verify
	UnpackedMax = 64 << 30 // maximum number of bytes in a compressed trace after decompression
)
