package scenario

// DecodeOptions lets a caller limit and interrupt the reading of a scenario.
type DecodeOptions struct {
	// Check is called at least every CheckOps operations. It may wait. An error ends reading.
	// nil is not called.
	Check func() error
	// BytesMax bounds the size of a scenario in bytes; 0 means the constant BytesMax.
	BytesMax int
}

// CheckOps is the number of operations that are read, or planned, between two calls of
// DecodeOptions.Check.
const CheckOps = 4096

func (o *DecodeOptions) limit() int {
	if o.BytesMax > 0 {
		return o.BytesMax
	}
	return BytesMax
}

func (o *DecodeOptions) check() error {
	if o.Check == nil {
		return nil
	}
	return o.Check()
}
