package e2e

import (
	"fmt"
	"os"
	"testing"

	"github.com/chromedp/chromedp"
)

// The page counts structures for its answers, shows what is wrong in one line, and opens the best in the laboratory.
func TestChoose(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile("testdata/axe/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t)
	const steady = "/choose?pending=200&delay=1s&reset=0.5&cancel=0.2&accept=1ms&lang="
	const counted = `!document.getElementById("choice").hidden && document.getElementById("choose-progress").hidden && document.querySelectorAll("#choose-table tbody tr").length > 5`
	for _, v := range []view{{1366, 768, "light", "en"}, {390, 844, "dark", "zh"}} {
		p := newTab(t)
		p.look(v)
		p.do(chromedp.Navigate(s.url + steady + v.lang))
		p.wait(counted)
		if over := eval[bool](p, `document.documentElement.scrollWidth > innerWidth`); over {
			t.Errorf("%d×%d scrolls sideways", v.wide, v.high)
		}
		p.run(string(script))
		p.axe(fmt.Sprintf("%d×%d", v.wide, v.high))
		if v.lang != "en" {
			continue
		}
		p.forgive("400") // the refusal
		p.run(`const box = document.getElementById("choose-delay"); box.value = "soon"; document.querySelector("#questions .primary").click()`)
		p.wait(`document.getElementById("choose-error").textContent.includes('"soon" is not a duration') && document.getElementById("choose-delay").getAttribute("aria-invalid") === "true"`)
		p.run(`document.getElementById("choose-delay").value = "1s"; document.querySelector("#questions .primary").click()`)
		p.wait(`!document.getElementById("choose-error").textContent && ` + counted)
		p.forgive("422") // a foreign file
		drop := func(name, text string) {
			p.run(fmt.Sprintf(`{ const files = new DataTransfer(); files.items.add(new File([%q], %q)); document.querySelector(".choose-form").dispatchEvent(new DragEvent("drop", {dataTransfer: files, bubbles: true, cancelable: true})); }`, text, name))
		}
		drop("notes.txt", "hello\n")
		p.wait(`document.getElementById("choose-error").textContent.startsWith('the file begins with "hello"')`)
		drop("timers.csv", "at,op,id,delay\n0,schedule,a,5\n1,schedule,b,100\n3,cancel,b,\n")
		p.wait(`!document.getElementById("choose-error").textContent && document.getElementById("choose-command").textContent.startsWith("wheelscope advise timers.csv ")`)
		p.run(`document.querySelector("#choose-pending").dispatchEvent(new Event("input")); document.querySelector("#questions .primary").click()`)
		p.wait(counted + ` && document.getElementById("choose-command").textContent.includes("--pending 200")`)
		p.run(`document.getElementById("choose-open").click()`)
		p.wait(`document.querySelectorAll("main section[data-lane]").length === 3 && Number(document.querySelector("main").dataset.now) > 0`)
	}
}
