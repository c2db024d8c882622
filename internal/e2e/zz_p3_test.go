package e2e

import (
	"os"
	"testing"
)

func TestZZP3(t *testing.T) {
	s := serve(t)
	for _, v := range []view{{1440, 900, "light", "en"}, {390, 844, "dark", "zh"}} {
		p := newTab(t)
		p.look(v)
		p.open(s.url + "/?scenario=three-slots&t=2&lang=" + v.lang)
		shot := func(name string) {
			p.frames()
			os.WriteFile("/tmp/p3-"+v.lang+"-"+name+".png", p.screenshot(), 0o644)
		}
		p.run(`document.querySelector("[data-sheet=lanes-sheet]").click()`)
		p.wait(`document.querySelectorAll("[data-edit-lane]").length === 5`)
		p.run(`document.querySelector("[data-edit-lane=hierarchical] [data-what=edit]").click()`)
		p.setField("slots", "0")
		p.run(`document.querySelector(".lane-form .primary").click()`)
		p.wait(`document.querySelector(".lane-form [aria-invalid]")`)
		shot("lanes")
		p.setField("slots", "4")
		p.run(`document.querySelector(".lane-form .primary").click()`)
		p.wait(`document.getElementById("lanes-done").textContent`)
		p.run(`document.querySelector("[data-sheet=workload-sheet]").click()`)
		p.wait(`document.getElementById("workload-json").value.length > 100`)
		p.run(`(() => { [...document.querySelectorAll("#workload-form .add-more")].at(-1).click(); })()`)
		p.run(`(() => { const e = document.querySelector("[data-path='workload.ops[3].delay']"); e.value = "soon"; e.dispatchEvent(new Event("change")); document.getElementById("workload-apply").click(); })()`)
		p.wait(`document.getElementById("workload-error").textContent`)
		p.frames()
		shot("workload")
		p.run(`(() => { const e = document.querySelector("[data-path='workload.ops[3].delay']"); e.value = "6"; e.dispatchEvent(new Event("change")); document.getElementById("workload-apply").click(); })()`)
		p.wait(`document.getElementById("workload-done").textContent`)
		p.run(`document.querySelector("[data-sheet=branches-sheet]").click()`)
		p.wait(`document.querySelectorAll("[data-branch]").length === 3`)
		shot("branches")
	}
}
