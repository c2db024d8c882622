package console

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// After done the bar's line is empty and stays so, for known and unknown lengths.
func TestProgressEndsWhenDone(t *testing.T) {
	for what, until := range map[string]int64{"known length": 100, "unknown length": -1} {
		t.Run(what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { // also fails if a goroutine is left
				var terminal bytes.Buffer
				bar := newBar(&terminal, until, "verifying", false)
				synctest.Wait()
				bar.Set(1)
				if terminal.Len() > 0 {
					t.Errorf("%q is shown before %v", terminal.String(), progressAfter)
				}
				time.Sleep(2 * progressAfter)
				synctest.Wait()
				bar.Set(50)
				if !strings.Contains(terminal.String(), "verifying") {
					t.Errorf("the bar is %q after %v", terminal.String(), 2*progressAfter)
				}
				bar.Done()
				at := strings.LastIndexByte(strings.TrimSuffix(terminal.String(), "\r"), '\r')
				if last := terminal.String()[at+1:]; strings.TrimSpace(last) != "" {
					t.Errorf("the line is %q when the bar is done", last)
				}
				drawn := terminal.Len()
				time.Sleep(time.Second)
				synctest.Wait()
				if terminal.Len() != drawn {
					t.Errorf("%q is drawn after the bar was done", terminal.String()[drawn:])
				}
			})
		})
	}
}

// The bar of a file shows units of bytes, and that of a run shows the number of ticks.
func TestProgressUnits(t *testing.T) {
	for want, ofFile := range map[string]bool{"(1.0/2.0 kB": true, "(1000/2000": false} {
		synctest.Test(t, func(t *testing.T) {
			var terminal bytes.Buffer
			bar := newBar(&terminal, 2000, "reading", ofFile)
			time.Sleep(2 * progressAfter)
			bar.Set(1000)
			if !strings.Contains(terminal.String(), want) {
				t.Errorf("the bar is %q, want %q in it", terminal.String(), want)
			}
		})
	}
}
