package web

import (
	"bytes"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// The rest of a message that is too large is read slowly, other messages at once.
func TestLargeMessagesAreSkippedSlowly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const piece = 4 << 10
		for size, want := range map[int]time.Duration{protocol.MessageBytesMax: 0, protocol.MessageBytesMax + 1: protocol.MessageBytesMax / piece * skipPause} {
			frame := append(frameStart(true, websocket.TextMessage, uint64(size)), make([]byte, size)...)
			calls, began := 0, time.Now()
			r := &frameReader{from: bytes.NewReader(frame), tooLarge: func() { calls++ }}
			n, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, struct{ io.Reader }{r}, make([]byte, piece))
			took := time.Since(began)
			if err != nil || n != int64(len(frame)) || (calls == 1) != (want > 0) || took < want || took > want+2*skipPause {
				t.Errorf("%d bytes: %d read in %v, want %v; %d calls, error %v", size, n, took, want, calls, err)
			}
			r.from, began = bytes.NewReader(append(frameStart(true, websocket.TextMessage, 9), make([]byte, 9)...)), time.Now()
			if _, err := io.ReadAll(r); err != nil || time.Since(began) != 0 {
				t.Errorf("the next message: %v, %v", time.Since(began), err)
			}
		}
	})
}
