// @ts-check
/**
 * The page that chooses a structure for a workload: five answers, or a file. What is counted so far is shown at once; the
 * page asks again until all is counted. A server on the user's machine also times the structures.
 */
import { lineOf, refusalWords, requestComputed } from "../core/requests.js";
import { byId, html, setText, svg } from "../core/dom.js";
import { setTexts, t } from "../core/texts.js";
import { request, upload } from "../core/transport.js";
import { DIGITS, writeFragment } from "../core/fragment.js";
import { pack } from "../core/pack.js";

/** Columns of the table, by key of their texts. */
const COLUMNS = ["structure", "ns", "core", "late", "bytes", "passed", "ticks", "worst"];
/** Maximum number of rows shown. */
const ROWS_MAX = 24;
/** Maximum number of requests for one workload: each counts for a part of a second. */
const ASKS_MAX = 300;
/** Time between two updates of the clock while structures are timed, in milliseconds. */
const CLOCK_MS = 1000;

/**
 * @typedef {{name: string, ns: number, timed: boolean, core: number, late_ns: number, bytes: number, passed_over: number, ticks: number, worst_tick: number, front: boolean, equal: boolean}} Row
 * @typedef {{name: string, ns: number, bytes: number, front: boolean, timed?: boolean}} Point
 * @typedef {{name: string, events: number, pending: number, rate: number, counted: number, candidates: number, space: number, best?: Row, rows: Row[], points: Point[], go: string[], command: string, problem?: string}} Chosen
 */

setTexts(JSON.parse(byId("texts").textContent));
const { base = "", lang = "en" } = document.body.dataset;
const form = /** @type {HTMLFormElement} */ (byId("questions"));
const progress = /** @type {HTMLProgressElement} */ (byId("choose-progress"));
const timeButton = document.getElementById("choose-time");
const cancelButton = document.getElementById("choose-cancel");
/** Digest of the run whose workload is that of the file, or "". */
let run = "";
/** Name of the file. */
let file = "";
/** Number of the choice that is shown; answers for earlier ones are ignored. */
let turn = 0;
/** @type {AbortController|null} */
let timing = null;
/** The parameters of the choice that is shown. */
let query = new URLSearchParams();
/** @type {Chosen|null} */
let shown = null;

/** Returns the parameters that the form describes. */
function parameters() {
  const to = new URLSearchParams({ lang });
  const answers = new FormData(form);
  const names = run ? ["accept", "memory"] : ["pending", "delay", "reset", "cancel", "accept", "memory"];
  for (const name of names) {
    const value = String(answers.get(name) ?? "").trim();
    if (value) to.set(name, value);
  }
  if (run) to.set("run", run);
  return to;
}

/** Counts what the form describes, until all is counted. */
async function choose() {
  stop();
  const mine = ++turn;
  query = parameters();
  report("");
  if (!run) history.replaceState(null, "", `?${query}`);
  byId("choice").setAttribute("aria-busy", "true");
  for (let n = 0; n < ASKS_MAX; n++) {
    const answer = await requestComputed(`${base}/api/choose?${query}`, {}, { wanted: () => mine === turn });
    if (mine !== turn) return;
    if (!answer?.ok) {
      byId("choice").removeAttribute("aria-busy");
      return report(answer ? await refusalWords(answer) : t("compare.offline"));
    }
    /** @type {Chosen} */
    const chosen = await answer.json();
    show(chosen);
    if (chosen.counted >= chosen.candidates) break;
  }
  byId("choice").removeAttribute("aria-busy");
}

/** Shows a problem in one line, at the field that it names. @param {string} words */
function report(words) {
  setText(byId("choose-error"), words);
  for (const box of form.querySelectorAll("input")) box.setAttribute("aria-invalid", String(words.startsWith(`${box.name}:`)));
}

/** Shows what is counted. @param {Chosen} chosen */
function show(chosen) {
  shown = chosen;
  byId("choice").hidden = false;
  progress.max = chosen.candidates;
  progress.value = chosen.counted;
  progress.hidden = chosen.counted >= chosen.candidates;
  setText(byId("choose-counted"), t("choose.counted", { counted: chosen.counted, candidates: chosen.candidates, space: chosen.space, events: grouped(chosen.events), pending: grouped(chosen.pending) }));
  setText(byId("choose-command"), run ? chosen.command.replace(chosen.name, file) : chosen.command);
  const { best } = chosen;
  setText(byId("choose-say"), best ? t("choose.say", values(best)) : chosen.problem ?? "");
  setText(byId("choose-lines"), chosen.go?.join("\n") ?? "");
  table(best, chosen.rows);
  plot(/** @type {any} */ (byId("choose-front")), chosen.points, best?.name ?? "");
}

/** Returns the values of the sentence about a row. @param {Row} row */
const values = (row) => ({ name: called(row.name), ns: figure(row.ns), core: figure(row.core * 100), late: span(row.late_ns), bytes: size(row.bytes) });

/** @param {number} n */
const grouped = (n) => Math.round(n).toLocaleString("en-US");
/** @param {number} x */
const figure = (x) => (x < 10 ? String(Number(x.toPrecision(2))) : grouped(x));
/** @param {number} n */
const size = (n) => (n < 1e5 ? `${figure(n / 1e3)} kB` : `${(n / 1e6).toFixed(1)} MB`);
/** @param {number} ns */
const span = (ns) => (ns === 0 ? "0" : ns < 1e6 ? `${figure(ns / 1e3)} µs` : `${figure(ns / 1e6)} ms`);
/** Returns the name of a structure in the language of the page. @param {string} name */
const called = (name) => name.replace("package time", t("choose.name.time")).replace("FIFO per delay", t("choose.name.fifo")).replace(", tick ", t("choose.name.tick"));

/** Shows the rows, the recommendation first. @param {Row|undefined} best @param {Row[]} others */
function table(best, others) {
  const rows = best ? [best, ...others.filter((row) => row.name !== best.name)] : others;
  const head = html("thead", {}, html("tr", {}, ...COLUMNS.map((name) => html("th", { scope: "col" }, t(`choose.column.${name}`)))));
  const body = html("tbody", {}, ...rows.slice(0, ROWS_MAX).map((row, i) => {
    const cells = [called(row.name), `${row.timed ? "" : "≈ "}${figure(row.ns)}`, `${figure(row.core * 100)} %`, span(row.late_ns), size(row.bytes), grouped(row.passed_over), grouped(row.ticks), grouped(row.worst_tick)];
    return html("tr", i === 0 ? { class: "best" } : {}, html("th", { scope: "row" }, cells[0]), ...cells.slice(1).map((cell) => html("td", {}, cell)));
  }));
  byId("choose-table").replaceChildren(head, body);
}

/** Has the server time the structures. */
async function time() {
  if (!shown) return;
  const mine = turn;
  const began = Date.now();
  timing = new AbortController();
  const { signal } = timing;
  toggle(true);
  const clock = setInterval(() => setText(byId("choose-counted"), t("choose.timing", { n: Math.round((Date.now() - began) / 1000) })), CLOCK_MS);
  const answer = await request(`${base}/api/advise?${query}`, { method: "POST", signal }).catch(() => null);
  clearInterval(clock);
  if (mine !== turn) return;
  toggle(false);
  if (!answer?.ok) {
    if (signal.aborted) return show(shown);
    return report(answer ? await lineOf(answer) : t("compare.offline"));
  }
  const advice = await answer.json();
  const rows = /** @type {Row[]} */ (advice.rows);
  const names = new Map(rows.map((row) => [row.name, row]));
  const best = advice.best;
  const points = shown.points.map((p) => ({ ...p, ...(names.has(p.name) ? { ns: names.get(p.name)?.ns ?? p.ns, front: Boolean(names.get(p.name)?.front), timed: true } : {}) }));
  setText(byId("choose-say"), t("choose.say.timed", values(best)));
  setText(byId("choose-counted"), t("choose.timed", { machine: advice.machine, date: advice.date.slice(0, 10) }));
  setText(byId("choose-lines"), advice.go.join("\n"));
  table(best, rows);
  plot(/** @type {any} */ (byId("choose-front")), points, best.name);
}

/** Shows whether structures are being timed. @param {boolean} on */
function toggle(on) {
  timeButton?.toggleAttribute("hidden", on);
  cancelButton?.toggleAttribute("hidden", !on);
  if (on) {
    progress.hidden = false;
    progress.removeAttribute("value");
  } else {
    progress.hidden = true;
    timing = null;
  }
}

/** Ends the timing, if there is one. */
function stop() {
  timing?.abort();
  if (timing) toggle(false);
}

/** Opens the recommendation beside two runners-up in the laboratory. */
async function open() {
  const answer = await requestComputed(`${base}/api/choose/scenario?${query}`);
  if (!answer?.ok) return report(answer ? await refusalWords(answer) : t("compare.offline"));
  const { text, tick, run: digest } = await answer.json();
  const packed = await pack(text);
  const hash = writeFragment({ run: digest.slice(0, DIGITS), sum: "", follow: 0, dial: false, tables: false, large: "", packed });
  location.assign(`${base}/?${new URLSearchParams({ mine: digest.slice(0, DIGITS), view: "lab", lang, t: String(tick) })}${hash}`);
}

/** Takes a file as the workload. @param {File} given */
async function take(given) {
  const mine = ++turn;
  stop();
  report("");
  setText(byId("choose-workload"), t("choose.reading", { name: given.name }));
  const sent = upload(`${base}/api/import?${new URLSearchParams({ name: given.name, lang })}`, given, () => {});
  const { status, text } = await sent.done;
  if (mine !== turn) return;
  let answer = null;
  try { answer = JSON.parse(text); } catch { /* a refusal is a line */ }
  if (status !== 200 || answer.faults?.length) {
    setText(byId("choose-workload"), "");
    return report(answer?.faults?.[0] ?? (text.trim() || t("compare.offline")));
  }
  [run, file] = [answer.run, given.name];
  setText(byId("choose-workload"), t("choose.workload", { name: file }));
  await choose();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  choose();
});
for (const name of ["pending", "delay", "reset", "cancel"]) {
  byId(`choose-${name}`).addEventListener("input", () => { // the answers count again
    run = "";
    setText(byId("choose-workload"), "");
  });
}
const input = /** @type {HTMLInputElement} */ (byId("choose-file"));
input.addEventListener("change", () => {
  if (input.files?.[0]) take(input.files[0]);
  input.value = "";
});
addEventListener("dragover", (event) => {
  event.preventDefault();
  form.classList.add("drop");
});
addEventListener("dragleave", () => form.classList.remove("drop"));
addEventListener("drop", (event) => {
  event.preventDefault();
  form.classList.remove("drop");
  const dropped = event.dataTransfer?.files[0];
  if (dropped) take(dropped);
});
timeButton?.addEventListener("click", time);
cancelButton?.addEventListener("click", stop);
byId("choose-open").addEventListener("click", open);
choose();

const [WIDE, HIGH] = [480, 300];
const [LEFT, RIGHT, TOP, BOTTOM] = [72, 32, 12, 32];
const SIZES = ["B", "kB", "MB", "GB"];

/** Returns the exponents of ten around values. @param {number[]} values */
function range(values) {
  const logs = values.map((v) => Math.log10(Math.max(v, 1e-3)));
  const least = Math.floor(Math.min(...logs));
  return [least, Math.max(least + 1, Math.ceil(Math.max(...logs)))];
}

/** Draws the points; `best` is the name of the recommendation. @param {SVGElement} picture @param {Point[]} points @param {string} best */
function plot(picture, points, best) {
  if (points.length === 0) return picture.replaceChildren();
  const [x0, x1] = range(points.map((p) => p.bytes));
  const [y0, y1] = range(points.map((p) => p.ns));
  const x = (/** @type {number} */ log) => LEFT + ((WIDE - LEFT - RIGHT) * (log - x0)) / (x1 - x0);
  const y = (/** @type {number} */ log) => HIGH - BOTTOM - ((HIGH - TOP - BOTTOM) * (log - y0)) / (y1 - y0);
  const parts = [];
  for (let e = x0; e <= x1; e++) {
    const unit = Math.min(SIZES.length - 1, Math.max(0, Math.floor(e / 3)));
    parts.push(svg("line", { x1: x(e), x2: x(e), y1: y(y0), y2: y(y1) }), svg("text", { x: x(e), y: HIGH - 12, "text-anchor": "middle" }, `${10 ** (e - 3 * unit)} ${SIZES[unit]}`));
  }
  for (let e = y0; e <= y1; e++) {
    parts.push(svg("line", { x1: x(x0), x2: x(x1), y1: y(e), y2: y(e) }), svg("text", { x: LEFT - 8, y: y(e), dy: 4, "text-anchor": "end" }, `${10 ** e} ns`));
  }
  const last = (/** @type {Point} */ p) => (p.name === best ? 2 : p.front || p.timed ? 1 : 0);
  for (const p of [...points].sort((a, b) => last(a) - last(b))) {
    const kind = [p.timed ? "timed" : "", p.front ? "front" : "", p.name === best ? "best" : ""].join(" ").trim();
    parts.push(svg("circle", { class: kind || "model", cx: x(Math.log10(p.bytes)).toFixed(1), cy: y(Math.log10(Math.max(p.ns, 1e-3))).toFixed(1), r: 5 }, svg("title", {}, `${p.name}: ${p.ns.toFixed(1)} ns, ${p.bytes} B`)));
  }
  picture.replaceChildren(...parts);
}
