package e2e

import "testing"

// TestSheetsAreAccessible checks each sheet, with an error in it, with axe-core: in both languages
// and colours, wide and narrow.
func TestSheetsAreAccessible(t *testing.T) {
	soak(t)
	t.Parallel()
	script := string(read(t, "axe/axe.min.js"))
	s := serve(t)
	for k, v := range some(2, view{1440, 900, "light", "en"}, view{390, 844, "dark", "zh"}, view{1440, 900, "dark", "zh"}, view{390, 844, "dark", "en"}, view{390, 844, "light", "zh"}) {
		t.Run(v.String(), func(t *testing.T) {
			p := newTab(t)
			p.look(v)
			p.open(s.url + "/?view=lab&scenario=three-slots&t=2&lang=" + v.lang)
			p.run(script)
			p.sheet("lanes-sheet", `document.querySelectorAll("[data-edit-lane]").length === 5`)
			p.run(`document.querySelector("[data-edit-lane=hierarchical] [data-what=edit]").click()`)
			p.setField("slots", "0")
			p.run(`document.querySelector(".lane-form .primary").click()`)
			p.wait(`document.querySelector(".lane-form [aria-invalid]")`)
			p.axePart(k == 0, "#lanes-sheet", "lanes")
			p.setField("slots", "4")
			p.run(`document.querySelector(".lane-form .primary").click()`)
			p.wait(`document.getElementById("lanes-done").textContent`)
			p.sheet("own-sheet", `document.querySelector(".own-editor")`)
			p.run(`document.querySelector(".own-form .primary").click()`)
			p.wait(`document.querySelector(".own-wrong")`)
			p.axePart(k == 0, "#own-sheet", "own wheel")
			p.sheet("workload-sheet", `document.getElementById("workload-json").value.length > 100`)
			p.run(`[...document.querySelectorAll("#workload-form .add-more")].at(-1).click()`)
			p.put("workload.generate[0].count", "many")
			p.run(`document.getElementById("workload-apply").click()`)
			p.wait(`document.querySelector("#workload-form [aria-invalid]")`)
			p.axePart(k == 0, "#workload-sheet", "workload")
			p.sheet("branches-sheet", `document.querySelectorAll("[data-branch]").length === 3`)
			p.axePart(k == 0, "#branches-sheet", "branches")
			if wide := eval[int](p, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
				t.Errorf("there are %d pixels to scroll sideways", wide)
			}
		})
	}
}

// sheet opens a sheet by its button and waits until its content is shown.
func (p *tab) sheet(id, shows string) {
	p.Helper()
	p.run(`document.querySelector("[data-sheet=` + id + `]").click()`)
	p.wait(shows)
}

// TestMenuOnATelephone opens the menu of the buttons that do not fit, and a sheet from it.
func TestMenuOnATelephone(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.look(view{390, 844, "light", "en"})
	p.open(s.url + "/?view=lab&scenario=three-slots&t=2")
	if eval[bool](p, `document.querySelector("[data-sheet=lanes-sheet]").checkVisibility()`) {
		t.Error("the menu is not folded")
	}
	p.run(`document.getElementById("menu-open").focus()`)
	p.press("\r")
	p.wait(`document.querySelector("[data-sheet=lanes-sheet]").checkVisibility() && document.getElementById("menu-open").getAttribute("aria-expanded") === "true"`)
	p.button("Lanes")
	p.wait(`document.querySelectorAll("[data-edit-lane]").length === 5`)
	low := eval[float64](p, `document.getElementById("lanes-sheet").getBoundingClientRect().bottom - document.querySelector(".player").getBoundingClientRect().top`)
	if low < -1 || low > 1 {
		t.Errorf("the sheet ends %v pixels from the player", low)
	}
}

// TestSheetsByKeyboard opens, uses and closes a sheet by keyboard: the focus goes into it, and back
// to the button.
func TestSheetsByKeyboard(t *testing.T) {
	t.Parallel()
	s := serve(t)
	p := newTab(t)
	p.open(s.url + "/?view=lab&scenario=three-slots&t=2")
	p.run(`document.querySelector("[data-sheet=lanes-sheet]").focus()`)
	p.press("\r")
	p.wait(`document.activeElement.id === "lanes-sheet-title"`)
	p.wait(`document.querySelectorAll("[data-edit-lane]").length === 5`)
	p.press("\t")
	p.press("\t")
	p.wait(`document.activeElement.dataset.what === "edit"`)
	p.press("\r")
	p.wait(`document.activeElement.name === "id"`)
	p.press("\x1b")
	p.wait(`!document.getElementById("lanes-sheet").open && document.activeElement.dataset.sheet === "lanes-sheet"`)
	p.press(".")
	p.atSeq(52)
}
