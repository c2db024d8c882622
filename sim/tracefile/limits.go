package tracefile

// Limits of a trace that is read. If a trace exceeds a limit, the error names the limit.
const (
	LineMax     = 64 << 10 // maximum number of bytes in a trace line after the header
	TickMax     = 1 << 28  // maximum total size, in bytes, of the lines of one tick; checked by package compare, but not by Verify
	UnpackedMax = 64 << 30 // maximum size of a compressed trace after decompression, in bytes
)
