package atomicfile

import (
	"compress/gzip"
	"io"
	"strings"
)

// Packed returns fill or, if name ends in .gz, a function that compresses the output of fill with gzip. The
// gzip header contains neither a name nor a time, so the same content always produces the same file.
func Packed(name string, fill func(io.Writer) error) func(io.Writer) error {
	if !strings.HasSuffix(name, ".gz") {
		return fill
	}
	return func(w io.Writer) error {
		z := gzip.NewWriter(w)
		if err := fill(z); err != nil {
			return err
		}
		return z.Close()
	}
}
