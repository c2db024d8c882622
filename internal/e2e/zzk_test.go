package e2e

import (
	"os"
	"testing"
)

func TestZZK(t *testing.T) {
	s := serve(t)
	p := newTab(t)
	for i, v := range []view{{3840, 2160, "light", "en"}, {1000, 1200, "light", "en"}} {
		p.look(v)
		p.openAlgorithm(s.url + "/algorithms/kafka?lang=en")
		for range 12 {
			p.run(inLive + `.querySelector("[data-do=step-next]").click()`)
			p.frames()
		}
		if i == 1 {
			p.run(`document.getElementById("live").scrollIntoView()`)
		}
		os.WriteFile([]string{"/tmp/kn/f1.png", "/tmp/kn/f2.png"}[i], p.screenshot(), 0o666)
	}
}
