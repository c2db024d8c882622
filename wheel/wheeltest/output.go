package wheeltest

import "strings"

// outputMax determines how much of a child process's output is kept: the first outputMax bytes, and at most the last
// 2*outputMax bytes of the rest.
const outputMax = 64 << 10

// ends is an io.Writer that keeps the beginning and the end of what is written to it.
type ends struct{ head, tail []byte }

func (e *ends) Write(p []byte) (int, error) {
	n := min(len(p), outputMax-len(e.head))
	e.head, e.tail = append(e.head, p[:n]...), append(e.tail, p[n:]...)
	if over := len(e.tail) - outputMax; over > outputMax {
		e.tail = append(e.tail[:0], e.tail[over:]...)
	}
	return len(p), nil
}

func (e *ends) String() string { return string(e.head) + string(e.tail) }

// exitReason returns a line of text that describes why a child process failed. output is the output of
// the process, and err the error that running it returned.
func exitReason(output string, err error) string {
	if strings.Contains(output, "WARNING: DATA RACE") {
		return "a data race: " + raceAt(output)
	}
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") {
			return "the process ended: " + line
		}
	}
	return "the process ended: " + err.Error()
}

// raceAt returns the names of the two functions between which a data race occurred. They are the
// first functions in the two stack traces that the race detector has written to output.
func raceAt(output string) string {
	var at []string
	lines := strings.Split(output, "\n")
	for i, line := range lines[:len(lines)-1] {
		if strings.Contains(line, " at 0x") && strings.Contains(line, " by ") {
			at = append(at, strings.TrimSpace(lines[i+1]))
		}
		if len(at) == 2 {
			break
		}
	}
	return strings.Join(at, " and ")
}
