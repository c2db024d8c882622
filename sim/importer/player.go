package importer

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"io"

	"github.com/wheelscope/wheelscope/sim/tracefile"
)

// PlayerMark is an attribute of the HTML element that contains the trace in a self-contained HTML player. The
// text of the element is the trace, compressed with gzip and encoded in base64.
const PlayerMark = `type="` + tracefile.Type + `"`

// systraceMark is an attribute of the HTML elements with data in a file of Android's systrace. The text of one of them
// is that of the kernel's events.
const systraceMark = `class="trace-data"`

// readPlayer reads and verifies the trace in an HTML player, or reads the timer events in a file of systrace.
func readPlayer(ctx context.Context, in *bufio.Reader, o *Options) (*Result, error) {
	mark, err := skipTo(in, PlayerMark, systraceMark)
	if err != nil {
		return nil, err
	}
	if mark == systraceMark {
		res, err := readLinux(ctx, in, o)
		if res != nil {
			res.Kind = KindLinux
		}
		return res, err
	}
	if _, err := in.ReadSlice('>'); err != nil {
		return nil, refuse("the player's trace is cut short")
	}
	body := base64.NewDecoder(base64.StdEncoding, &untilTag{in: in})
	inner, err := open(body)
	if err != nil {
		return nil, err
	}
	return readTrace(ctx, inner, o)
}

// skipTo reads from r up to and including one of marks, which must occur within PlayerMax bytes, and returns it. Marks
// end with a quotation mark and have at most 100 bytes.
func skipTo(r *bufio.Reader, marks ...string) (string, error) {
	kept := make([]byte, 0, 2*bufferBytes)
	for read := 0; read <= PlayerMax; {
		part, err := r.ReadSlice('"')
		read += len(part)
		kept = append(kept, part...)
		for _, mark := range marks {
			if bytes.HasSuffix(kept, []byte(mark)) {
				return mark, nil
			}
		}
		const most = 100 // bytes of a mark
		kept = append(kept[:0], kept[max(0, len(kept)-most):]...)
		if err != nil && err != bufio.ErrBufferFull {
			break
		}
	}
	return "", refuse("this HTML contains no trace; expected a player written by Wheelscope, or systrace's")
}

// untilTag is a reader that reads HTML text from in up to the next "<" and removes white space.
type untilTag struct {
	in  *bufio.Reader
	end bool // whether the "<" has been reached
}

func (u *untilTag) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) && !u.end {
		b, err := u.in.ReadByte()
		switch {
		case err == io.EOF:
			return n, refuse("the player's trace is cut short")
		case err != nil:
			return n, err
		case b == '<':
			u.end = true
		case b > ' ':
			p[n] = b
			n++
		}
	}
	if n == 0 && u.end {
		return 0, io.EOF
	}
	return n, nil
}
