package atomicfile

import (
	"io"
	"os"
)

func write(name string, perm os.FileMode, fill func(io.Writer) error) error {
	return rename(name, perm, fill)
}
