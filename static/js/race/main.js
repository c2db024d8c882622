// @ts-check
/**
 * The page that shows what structures cost as the number of timers grows. All figures were measured; the slider stops only
 * at numbers that were. All bars have one linear scale, which never changes: a bar that does not fit is broken. If the URL
 * names a run, the rows are its lanes, which the server measures while the page asks for them.
 */
import { requestComputed, refusalWords } from "../core/requests.js";
import { byId, setAttr, setText, svg } from "../core/dom.js";
import { setTexts, t } from "../core/texts.js";

/** @typedef {{slots?: number, bytes: number, schedule: number, cancel: number, tick: number, worst: number}} Point */
/** @typedef {{name: string, points: Point[], cut?: string, title?: string, algorithm?: string}} Row a lane has a title and an algorithm */
/** @typedef {"schedule" | "cancel" | "tick"} Column */

/** Units at the end of the scale. */
const SCALE = 60;
/** Time for which a number is shown while the page plays, in milliseconds: 6.6 seconds for all. */
const PLAY_STEP = 200;
/** Widths of a column in pixels below which the labels of bars are shorter. */
const [WIDE, NARROW] = [260, 140];
/** Size of a small diagram, in units of its viewBox. */
const [WIDTH, HEIGHT] = [200, 100];
/** Power of ten at the top of a small diagram. */
const DECADES = 4.8;

setTexts(JSON.parse(byId("texts").textContent));
/** @type {{numbers: number[], rows: Row[], at: number, base: string, lang: string}} */
const data = JSON.parse(byId("race-data").textContent);
const slider = /** @type {HTMLInputElement} */ (byId("n"));
const play = byId("play");
const query = new URLSearchParams(location.search);
/** A static site has one page for all numbers. */
const wanted = query.get("n") ?? "";
const fits = /^\d+$/.test(wanted) && Number(wanted) >= data.numbers[0] && Number(wanted) <= data.numbers[data.numbers.length - 1];
let at = fits ? data.numbers.findLastIndex((n) => n <= Number(wanted)) : data.at;
let timer = 0;
/** The run whose lanes are shown, or "". */
const run = query.get("run") ?? "";
/** What is said instead of the sentence about the shown number. */
let notice = wanted && !fits ? t("race.bad", { n: wanted }) : "";

/** @param {number} n */
const grouped = (n) => Math.round(n).toLocaleString("en-US");
/** Returns units with at most one decimal. @param {number} x */
const figure = (x) => (x < 10 ? String(Math.round(10 * x) / 10) : grouped(x));
/** Returns a size in kB or MB. @param {number} bytes */
const size = (bytes) => (bytes < 1e6 ? `${grouped(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);
/** Returns a coordinate of a bar in percent. @param {number} units */
const percent = (units) => `${(100 * Math.min(units, SCALE)) / SCALE}%`;

/** The rows with the name of each. @type {Record<string, Row>} */
let rows = Object.fromEntries(data.rows.map((row) => [row.name, row]));

/** Draws a bar, and below it the costliest tick. @param {SVGElement} picture @param {Column} column @param {Row} row */
function drawBar(picture, column, row) {
  const point = row.points[at];
  const grid = [1, 2, 3].map((k) => svg("line", { class: "grid", x1: percent(20 * k), x2: percent(20 * k), y1: 0, y2: "100%" }));
  if (!point) {
    const last = row.points[row.points.length - 1]?.[column] ?? 0;
    picture.replaceChildren(...grid, ...(row.cut === "time" || (row.cut === "timers" && last > SCALE) ? [svg("text", { class: "none", x: 8, y: "50%" }, t("race.more", { units: figure(last) }))] : []));
    return;
  }
  const value = point[column];
  const off = value > SCALE;
  const inside = value > 0.8 * SCALE;
  const y = column === "tick" ? "38%" : "50%";
  const bar = svg("rect", { class: `bar ${column}`, x: 0, y, width: value < 1 ? 3 : percent(value), height: 28, rx: 2, transform: "translate(0 -14)" });
  const label = off ? shortened(picture, "race.off", value) : figure(value);
  const text = svg("text", inside ? { class: "value in", x: off ? 10 : percent(value), y, dx: off ? 0 : -8, "text-anchor": off ? "start" : "end" } : { class: "value", x: percent(value), y, dx: 8 }, label);
  const parts = [...grid, bar, ...(off ? breaks(y) : []), text];
  if (column === "tick") parts.push(...whisker(picture, point.worst));
  picture.replaceChildren(...parts);
}

/**
 * Returns the label of a value that does not fit, as long as the width of the picture allows: the value, and how many times the scale it is.
 * @param {SVGElement} picture @param {string} key @param {number} value
 */
function shortened(picture, key, value) {
  const width = picture.clientWidth;
  if (width < NARROW) return figure(value);
  return width < WIDE ? `${figure(value)} · ×${figure(value / SCALE)}` : t(key, { n: figure(value), times: figure(value / SCALE) });
}

/** Returns the two lines that break a bar that does not fit. @param {string} y */
function breaks(y) {
  return [0, 8].map((dx) => {
    const part = svg("svg", { x: "88%", y, overflow: "visible" });
    part.append(svg("path", { class: "break", d: `M${dx} -16l-5 9 8 7-8 7 5 9` }));
    return part;
  });
}

/** Returns the line to the costliest tick and its label. @param {SVGElement} picture @param {number} worst */
function whisker(picture, worst) {
  const off = worst > SCALE;
  const right = worst > 0.7 * SCALE;
  const label = off ? shortened(picture, "race.worst.off", worst) : picture.clientWidth < NARROW ? grouped(worst) : t("race.worst", { n: grouped(worst) });
  const end = svg("svg", { x: percent(worst), y: "66%", overflow: "visible" });
  end.append(svg("path", off ? { class: "tip", d: "M0 0l-9 -5v10z" } : { class: "whisk", d: "M-1 -5v10" }));
  return [
    svg("line", { class: "whisk", x1: 0, x2: percent(worst), y1: "66%", y2: "66%" }), end,
    svg("text", right ? { class: "peak", x: "100%", y: "66%", dy: 16, "text-anchor": "end" } : { class: "peak", x: percent(worst), y: "66%", dx: 8 }, label),
  ];
}

/** Position in a small diagram. @param {number} i index of the number of timers */
const across = (i) => (WIDTH * i) / (data.numbers.length - 1);
/** @param {number} units */
const height = (units) => HEIGHT - 4 - (HEIGHT - 8) * Math.min(1, Math.log10(Math.max(1, units)) / DECADES);

/** Draws the lines of a small diagram: units against timers, both logarithmic. @param {SVGElement} picture @param {Row} row */
function drawLines(picture, row) {
  setAttr(picture, "viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  const line = (/** @type {string} */ name, /** @type {(p: Point) => number} */ of) =>
    svg("path", { class: `line ${name}`, d: `M${row.points.map((p, i) => `${across(i).toFixed(1)} ${height(of(p)).toFixed(1)}`).join("L")}` });
  picture.replaceChildren(
    ...[1, 100, 10000].map((units) => svg("path", { class: "grid", d: `M0 ${height(units)}H${WIDTH}` })),
    ...(row.points.length > 0 ? [line("worst", (p) => p.worst), line("tick", (p) => p.tick), line("cancel", (p) => p.cancel), line("schedule", (p) => p.schedule)] : []),
    svg("path", { class: "now" }),
  );
}

/** Draws the scale below a column. @param {SVGElement} picture */
function drawAxis(picture) {
  picture.replaceChildren(
    svg("text", { x: 0, y: "50%" }, "0"),
    ...(picture.clientWidth < NARROW ? [] : [20, 40]).map((units) => svg("text", { x: percent(units), y: "50%", "text-anchor": "middle" }, String(units))),
    svg("text", { x: "100%", y: "50%", "text-anchor": "end" }, picture.clientWidth < NARROW ? String(SCALE) : t("race.scale", { n: SCALE })),
  );
}

/** Returns the sentence about the shown number of timers. */
function sentence() {
  const n = data.numbers[at];
  if (run) {
    const best = Object.values(rows).filter(({ points }) => points[at]).sort((a, b) => a.points[at].tick - b.points[at].tick)[0];
    return best ? t("race.say.own", { name: best.name, tick: figure(best.points[at].tick) }) : t("race.say.none");
  }
  const [list, heap, levels, rounds] = [rows.sorted, rows.heap, rows.hierarchical, rows.rounds].map((row) => row.points[at] ?? row.points[row.points.length - 1]);
  if (n < 60) return t("race.say.few");
  if (n < 2500) return t("race.say.list", { n: figure(list.schedule) });
  if (n < 24000) return t("race.say.rounds", { rounds: figure(rounds.tick), levels: figure(levels.tick) });
  return n < 70000 ? t("race.say.heap", { heap: figure(heap.tick), levels: figure(levels.tick) }) : t("race.say.levels", { mean: figure(levels.tick), worst: grouped(levels.worst) });
}

/** Returns the line below the name of a structure: its geometry and memory. @param {Row} row */
function note(row) {
  const point = row.points[at];
  if (!point) return missing(row);
  const shape = run && !point.slots ? "" : t(`race.note.${run ? "own" : row.name}`, { slots: grouped(point.slots ?? 0) });
  return [shape, size(point.bytes)].filter(Boolean).join(" · ");
}

/** Returns why a row has no figures. @param {Row} row */
const missing = ({ cut }) => (cut ? t(`race.cut.${run && cut === "timers" ? "range" : cut}`) : "…");

/** Shows the number of timers with index i. @param {number} i */
function show(i) {
  at = i;
  const n = grouped(data.numbers[i]);
  slider.value = String(i);
  setAttr(slider, "aria-valuetext", n);
  setText(byId("shown").querySelector("b"), n);
  setText(byId("say"), notice || sentence());
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-row]"))) {
    const row = rows[element.dataset.row ?? ""];
    setText(/** @type {Element} */ (element.querySelector("[data-note]")), note(row));
    for (const cell of /** @type {NodeListOf<HTMLElement>} */ (element.querySelectorAll("[data-column]"))) {
      const column = /** @type {Column} */ (cell.dataset.column);
      const point = row.points[at];
      const words = point ? figure(point[column]) + (column === "tick" ? `, ${t("race.worst", { n: grouped(point.worst) })}` : "") : missing(row);
      setText(/** @type {Element} */ (cell.querySelector(".figure")), words);
      drawBar(/** @type {SVGElement} */ (cell.querySelector("svg")), column, row);
    }
    setAttr(/** @type {Element} */ (element.querySelector(".many .now")), "d", `M${across(at)} 0V${HEIGHT}`);
  }
  for (const mark of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll(".marks a"))) {
    mark.toggleAttribute("aria-current", mark.dataset.n === String(data.numbers[i]));
  }
}

/** Writes the shown number into the URL, and into the link to the other language. */
function remember() {
  const url = new URL(location.href);
  url.searchParams.set("n", String(data.numbers[at]));
  history.replaceState(null, "", url);
  const other = /** @type {HTMLAnchorElement} */ (byId("language"));
  const there = new URL(other.href);
  there.searchParams.set("n", String(data.numbers[at]));
  if (run) there.searchParams.set("run", run);
  other.href = there.href;
}

/** Starts or stops playing. @param {boolean} on */
function setPlaying(on) {
  clearInterval(timer);
  timer = 0;
  play.classList.toggle("on", on);
  setAttr(play, "aria-label", (on ? play.dataset.pause : play.dataset.play) ?? "");
  if (!on) return remember();
  if (at === data.numbers.length - 1) show(0);
  timer = window.setInterval(() => {
    show(at + 1);
    if (at === data.numbers.length - 1) setPlaying(false);
  }, PLAY_STEP);
}

function drawAllLines() {
  for (const row of document.querySelectorAll("[data-row]")) {
    drawLines(/** @type {SVGElement} */ (row.querySelector(".many svg")), rows[/** @type {HTMLElement} */ (row).dataset.row ?? ""]);
  }
}

/** Makes a row of the table for each lane. @param {Row[]} lanes */
function makeRows(lanes) {
  const model = /** @type {HTMLElement} */ (document.querySelector("[data-row]"));
  const made = lanes.map(({ name, title = "", algorithm }) => {
    const row = /** @type {HTMLElement} */ (model.cloneNode(true));
    row.dataset.row = name;
    const link = /** @type {HTMLAnchorElement} */ (row.querySelector("th a"));
    link.href = `${data.base}/algorithms/${algorithm}?lang=${data.lang}`;
    setText(link, name === algorithm ? title : `${title} · ${name}`);
    return row;
  });
  model.parentElement?.replaceChildren(...made);
}

/** Shows the lanes of the run as they are measured. */
async function measure() {
  for (let first = true; ; first = false) {
    const answer = await requestComputed(`${data.base}/api/race?${new URLSearchParams({ run, lang: data.lang })}`);
    if (!answer?.ok) {
      notice = answer ? await refusalWords(answer) : t("race.offline");
      return show(at);
    }
    const raced = await answer.json();
    rows = Object.fromEntries(raced.rows.map((/** @type {Row} */ row) => [row.name, row]));
    if (first) makeRows(raced.rows);
    drawAllLines();
    notice = raced.done < raced.all ? t("race.measuring", { done: raced.done, all: raced.all }) : "";
    show(at);
    if (raced.done === raced.all) return;
  }
}

/** Draws what depends on the size of the page. */
function layOut() {
  for (const axis of document.querySelectorAll(".axis")) drawAxis(/** @type {SVGElement} */ (axis));
  show(at);
}
slider.addEventListener("input", () => { notice = ""; setPlaying(false); show(Number(slider.value)); });
slider.addEventListener("change", remember);
play.addEventListener("click", () => setPlaying(!timer));
for (const mark of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll(".marks a"))) {
  mark.addEventListener("click", (event) => {
    event.preventDefault();
    setPlaying(false);
    show(data.numbers.indexOf(Number(mark.dataset.n)));
    remember();
  });
}
addEventListener("resize", layOut);
drawAllLines();
layOut();
if (run) {
  const close = /** @type {HTMLAnchorElement} */ (byId("close"));
  close.href = `${data.base}/?${new URLSearchParams({ run, view: "lab", lang: data.lang })}`;
  remember();
  void measure();
}
