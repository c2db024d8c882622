//go:build !unix

package wheeltest

import (
	"errors"
	"time"
)

func stopSelf(time.Duration) error { return errors.ErrUnsupported }
