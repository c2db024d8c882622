//go:build unix

package plainhttp

import (
	"errors"
	"syscall"
)

// canCheck reports whether wouldBlock works on this system.
const canCheck = true

// wouldBlock reports whether a read from the socket fd would block, because there is no data and the peer
// has not closed the connection. If there is data, it reads and discards one byte.
func wouldBlock(fd uintptr) bool {
	var one [1]byte
	_, err := syscall.Read(int(fd), one[:])
	return errors.Is(err, syscall.EAGAIN)
}
