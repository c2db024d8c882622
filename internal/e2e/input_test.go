package e2e

import (
	"encoding/json"
	"fmt"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// axNode is one node of the accessibility tree.
type axNode struct {
	role, name, value string
	dom               cdp.BackendNodeID
}

// axTree returns the accessibility tree without ignored nodes.
func (p *tab) axTree() []axNode {
	p.Helper()
	res, err := chromedp.Call(p.ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	if err != nil {
		p.Fatalf("the accessibility tree: %v", err)
	}
	var all []axNode
	for _, n := range res.Nodes {
		if !n.Ignored {
			all = append(all, axNode{axText(n.Role), axText(n.Name), axText(n.Value), n.BackendDOMNodeID})
		}
	}
	return all
}

func axText(v *accessibility.Value) string {
	var text any
	if v == nil || json.Unmarshal(v.Value, &text) != nil {
		return ""
	}
	return fmt.Sprint(text)
}

// find returns the only node with a role and an accessible name.
func (p *tab) find(role, name string) axNode {
	p.Helper()
	var found []axNode
	for _, n := range p.axTree() {
		if n.role == role && n.name == name {
			found = append(found, n)
		}
	}
	if len(found) != 1 {
		p.Fatalf("%d things have the role %s and the name %q, want 1", len(found), role, name)
	}
	return found[0]
}

// box is a rectangle of the page in CSS pixels, relative to the viewport.
type box struct{ X, Y, W, H float64 }

func (b box) middle() (x, y float64) { return b.X + b.W/2, b.Y + b.H/2 }

// box scrolls a node into view and returns its rectangle.
func (p *tab) box(n axNode) box {
	p.Helper()
	if _, err := chromedp.Call(p.ctx, dom.ScrollIntoViewIfNeeded, dom.ScrollIntoViewIfNeededParams{BackendNodeID: n.dom}); err != nil {
		p.Fatalf("scrolling to %s %q: %v", n.role, n.name, err)
	}
	res, err := chromedp.Call(p.ctx, dom.GetContentQuads, dom.GetContentQuadsParams{BackendNodeID: n.dom})
	if err != nil || len(res.Quads) == 0 {
		p.Fatalf("%s %q has no place on the screen: %v", n.role, n.name, err)
	}
	q := res.Quads[0]
	return box{q[0], q[1], q[2] - q[0], q[5] - q[1]}
}

// click clicks a button or link, found by its accessible name, with the mouse.
func (p *tab) click(role, name string) {
	p.Helper()
	x, y := p.box(p.find(role, name)).middle()
	p.do(chromedp.MouseClickXY(x, y))
}

// button clicks a button by its name. A button that is in view only while it has the focus is pressed with Enter.
func (p *tab) button(name string) {
	p.Helper()
	const away = `!getComputedStyle([...document.querySelectorAll("button")].find((b) => b.ariaLabel === %[1]s) ?? document.body).opacity.startsWith("1")`
	if eval[bool](p, fmt.Sprintf(away, quote(name))) {
		p.run(`[...document.querySelectorAll("button")].find((b) => b.ariaLabel === ` + quote(name) + `).focus()`)
		p.press(kb.Enter)
		p.run(`document.activeElement.blur()`)
		return
	}
	p.click("button", name)
}

// press presses and releases a key for every rune.
func (p *tab) press(keys string, modifiers ...chromedp.Modifier) {
	p.Helper()
	p.do(chromedp.KeyEvent(keys, chromedp.KeyModifiers(modifiers...)))
}

// hold presses a key and keeps it down while it repeats n times.
func (p *tab) hold(key rune, n int) {
	p.Helper()
	repeat := true
	for i := 0; i <= n; i++ {
		for _, e := range kb.Encode(key) {
			if e.Type == input.DispatchKeyEventTypeKeyUp && i < n {
				continue
			}
			if i > 0 && e.Type != input.DispatchKeyEventTypeKeyUp {
				e.AutoRepeat = &repeat
			}
			if _, err := chromedp.Call(p.ctx, input.DispatchKeyEvent, *e); err != nil {
				p.Fatal(err)
			}
		}
	}
}

// fill types a text into an empty field with the given id.
func (p *tab) fill(id, text string) {
	p.Helper()
	p.do(chromedp.Focus(chromedp.ID(id)))
	p.run(fmt.Sprintf(`document.getElementById(%s).select()`, quote(id)))
	if text == "" {
		p.press(kb.Backspace)
		return
	}
	p.do(chromedp.KeyEvent(text))
}
