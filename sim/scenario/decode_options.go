package scenario

// DecodeOptions lets a caller limit and interrupt the decoding of a scenario.
type DecodeOptions struct {
	// Check is called at least once every CheckOps operations. It may block. If it returns an error, decoding
	// ends with that error. Check may be nil.
	Check func() error
	// BytesMax is the maximum size of a scenario in bytes; 0 means the constant BytesMax.
	BytesMax int
}

// CheckOps is the maximum number of operations that are decoded or planned between two calls to a Check
// function, such as DecodeOptions.Check.
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
