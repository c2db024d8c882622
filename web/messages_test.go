package web

import (
	"os"
	"strings"
	"testing"

	"github.com/wheelscope/wheelscope/sim"
	"github.com/wheelscope/wheelscope/sim/cursor"
	"github.com/wheelscope/wheelscope/templates"
	"github.com/wheelscope/wheelscope/web/session"
	"github.com/wheelscope/wheelscope/web/session/protocol"
)

// messagesText returns docs/MESSAGES.md, the description for authors of clients.
func messagesText(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("../docs/MESSAGES.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// The text has the numbers of the limits in the source.
func TestMessagesTextHasTheLimits(t *testing.T) {
	text := messagesText(t)
	for words, holds := range map[string]bool{
		"at most 2,000 timers":         protocol.LaneTimersMax == 2000,
		"at most 4,000 events":         protocol.FrameEventsMax == 4000,
		"more than 131,072 events":     session.DidEventsMax == 131072 && session.DidInterval.Milliseconds() == 100,
		"more than 512 such pairs":     cursor.FlowsMax == 512,
		"at most the first 20 timers":  protocol.PlaceTimersMax == 20 && templates.TimersShown == 20,
		"more than 120 commands":       protocol.CommandsPerSecond == 120,
		"256 unread answers":           session.MessagesWaitingMax == 256,
		"message has more than 64 KiB": protocol.MessageBytesMax == 64<<10,
		"complete within 10 s":         messageWait.Seconds() == 10,
		"for 150 ms":                   cursor.RestDelay.Milliseconds() == 150,
		"longer than 10 s":             writeWait.Seconds() == 10,
		"not even pongs, for 60 s":     pongWait.Seconds() == 60,
		"first 16 hexadecimal digits":  sim.DigestShort == 16,
		"ticks per second, 0.1 … 1e9":  cursor.RateMin == 0.1 && cursor.RateMax == 1e9,
		"at most 60 frames per second": cursor.FrameInterval.Nanoseconds() == 16666666,
		"at most 4 times a second":     cursor.ProgressInterval.Milliseconds() == 250,
		"15 integers each":             protocol.RowWidth == 15,
		"Every message has `v` (1)":    protocol.Version == 1,
	} {
		if !strings.Contains(text, words) || !holds {
			t.Errorf("%q is missing, or written differently", words)
		}
	}
}
