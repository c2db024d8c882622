// A function that returns every fault of the page's layout as one line of text;
// layout_test.go runs it at many sizes. Controls are at least wide × high.
(wide, high) => {
  const faults = [];
  const page = document.documentElement;
  if (page.scrollWidth > page.clientWidth) faults.push(`the page is ${page.scrollWidth} wide in a window of ${page.clientWidth}`);

  const name = (e) => {
    const lane = e.closest("[data-lane]")?.dataset.lane;
    const own = e.id ? `#${e.id}` : `${e.localName}${e.getAttribute("class") ? "." + e.getAttribute("class").replace(/ /g, ".") : ""}`;
    return `${lane ? lane + " " : ""}${own} "${(e.getAttribute("aria-label") ?? e.textContent).trim().slice(0, 30)}"`;
  };
  const seen = (e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !e.closest(".sr, .skip, canvas");
  const boxOf = (e) => e.getBoundingClientRect();
  // The part of a control that its scrolled containers show: the rest is not over anything.
  const shownOf = (e) => {
    let { left, top, right, bottom } = boxOf(e);
    for (let box = e.parentElement; box && box !== document.body; box = box.parentElement) {
      if (getComputedStyle(box).overflowY === "visible") continue;
      const b = boxOf(box);
      [left, top, right, bottom] = [Math.max(left, b.left), Math.max(top, b.top), Math.min(right, b.right), Math.min(bottom, b.bottom)];
    }
    return { left, top, right, bottom };
  };

  const lanes = document.getElementById("lanes"); // in a narrow window they are swiped, so that most are outside of it
  const swiped = (e) => lanes && lanes.scrollWidth > lanes.clientWidth + 1 && lanes.contains(e);

  // Controls: all within the window's width, large enough, none over another.
  const controls = [...document.querySelectorAll("button, a[href], select, input, summary")].filter((e) => seen(e) && e.type !== "hidden");
  for (const e of controls) {
    const b = boxOf(e);
    if (!swiped(e) && (b.left < -0.5 || b.right > page.clientWidth + 0.5)) faults.push(`${name(e)} is outside, from ${b.left} to ${b.right}`);
    if (e.type !== "range" && (b.width < wide - 0.5 || b.height < high - 0.5)) faults.push(`${name(e)} is ${b.width.toFixed(1)} × ${b.height.toFixed(1)}, less than ${wide} × ${high}`);
  }
  const layer = (e) => e.closest(".player, dialog, .bar, .next, .tabpanel") ?? e.closest(".panel") ?? null; // these are above the scrolled content
  controls.forEach((a, i) => controls.slice(i + 1).forEach((b) => {
    if (layer(a) !== layer(b) || a.contains(b) || b.contains(a)) return;
    const [x, y] = [shownOf(a), shownOf(b)];
    const over = Math.min(x.right, y.right) - Math.max(x.left, y.left);
    const above = Math.min(x.bottom, y.bottom) - Math.max(x.top, y.top);
    if (over > 1 && above > 1) faults.push(`${name(a)} and ${name(b)} overlap by ${over.toFixed(1)} × ${above.toFixed(1)}`);
  }));

  // Text: none wider than its own box, no picture's text outside its card.
  for (const e of document.querySelectorAll("body *:not(svg *, script, style, noscript, option)")) {
    if (!seen(e) || ![...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.textContent.trim())) continue;
    const b = boxOf(e);
    if (b.width <= 1) continue; // for screen readers only
    if (e.clientWidth > 0 && !e.matches("tbody th") && getComputedStyle(e).overflowX !== "auto" && e.scrollWidth > e.clientWidth + 1) faults.push(`${name(e)} is cut: ${e.scrollWidth} wide in ${e.clientWidth}`);
    if (!e.closest(".places") && !swiped(e) && (b.left < -0.5 || b.right > page.clientWidth + 0.5)) faults.push(`${name(e)} is outside the window, from ${b.left} to ${b.right}`);
  }
  const textOf = (e) => {
    const text = document.createRange();
    text.selectNodeContents(e);
    return text;
  };
  // Boxes of a smaller type, or of a button, are within the line of the others.
  const linesOf = (text) => {
    let [lines, bottom] = [0, -Infinity];
    for (const b of [...text.getClientRects()].sort((x, y) => x.top - y.top)) {
      if (b.top > bottom - 0.3 * b.height) lines++;
      bottom = Math.max(bottom, b.bottom);
    }
    return lines;
  };
  for (const e of document.querySelectorAll("tbody th, td.n, dd, .now *:not(:has(*)), .speed output")) {
    if (e.matches("th") && getComputedStyle(e).display !== "table-cell") continue; // the heading of a block of figures, on lines of its own
    const lines = linesOf(textOf(e));
    if (lines > 1 && seen(e)) faults.push(`${name(e)} is broken over ${lines} lines`);
    const next = e.matches("th") && e.nextElementSibling;
    if (next && boxOf(textOf(e)).bottom > boxOf(next).top && boxOf(textOf(e)).right > boxOf(textOf(next)).left) faults.push(`${name(e)} runs into ${name(next)}`);
  }
  for (const e of document.querySelectorAll("section[data-lane] svg text")) {
    if (!seen(e)) continue; // the comparison hides the lanes
    const [b, card] = [boxOf(e), boxOf(e.closest("section"))];
    for (const other of e.parentElement.children) {
      const o = boxOf(other);
      const deep = Math.min(b.bottom, o.bottom) - Math.max(b.top, o.top); // line boxes hold more than letters
      if (other !== e && other.localName === "text" && !e.closest(".dot") && Math.min(b.right, o.right) - Math.max(b.left, o.left) > 1 && deep > 0.4 * Math.min(b.height, o.height)) faults.push(`${name(e)} and ${name(other)} overlap in the picture`);
    }
    if (b.width && (b.left < card.left || b.right > card.right)) faults.push(`${name(e)} in the picture crosses the border of its card by ${Math.max(card.left - b.left, b.right - card.right).toFixed(1)}`);
  }

  // Cards and the parts in them: side by side or below each other, never over.
  const apart = (parts) => parts.forEach((a, i) => parts.slice(i + 1).forEach((b) => {
    const [x, y] = [boxOf(a), boxOf(b)];
    const over = Math.min(x.right, y.right) - Math.max(x.left, y.left);
    const above = Math.min(x.bottom, y.bottom) - Math.max(x.top, y.top);
    if (over > 1 && above > 1) faults.push(`${name(a)} and ${name(b)} overlap by ${over.toFixed(1)} × ${above.toFixed(1)}`);
  }));
  apart([...document.querySelectorAll(".card")].filter((e) => seen(e) && getComputedStyle(e).position !== "sticky"));
  for (const card of document.querySelectorAll("section[data-lane]")) apart([...card.children].filter((e) => seen(e) && !e.matches(".corner, .fold:not([open])"))); // the button that enlarges a lane covers its thumbnail, that of the table the corner of its picture
  apart([...document.querySelectorAll(".panel > *")].filter(seen));
  apart([...document.querySelectorAll(".player > *")].filter(seen));
  return faults;
}
