// @ts-check
/** Tests of the pure modules of the entry view, with recorded runs of the engine: node --test static/test. */
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { setTexts } from "../js/core/texts.js";
import { Clock, after } from "../js/entry/clock.js";
import { formFor } from "../js/picture/form.js";
import { frame } from "../js/picture/frame.js";
import { markup } from "../js/picture/nodes.js";
import { positionOf, sceneOf, timeOf } from "../js/picture/scene.js";
import { interest, sentence } from "../js/story/instant.js";
import { unrolled } from "../js/picture/unrolled.js";
import { Window } from "../js/picture/window.js";
import { rowOf } from "./trace.js";

const golden = new URL("../../sim/testdata/golden/builtin/", import.meta.url);
const shapes = { heap: "heap", list: "list", sorted: "list", redis: "slices" };

/** Returns the levels of a lane before the first event. @param {any} lane */
function levelsOf({ slots, width = 1 }) {
  let wide = width;
  return (Array.isArray(slots) ? slots : [slots ?? 1]).map((n, level) => {
    const made = [level, n, wide];
    wide *= n;
    return made;
  });
}

/** Reads a recorded run. @param {string} name */
function recorded(name) {
  const lines = readFileSync(new URL(`${name}.jsonl`, golden), "utf8").trim().split("\n").map((line) => JSON.parse(line));
  const { scenario } = lines[0];
  const lanes = scenario.lanes.map((/** @type {any} */ lane) => ({
    id: lane.id, algorithm: lane.algorithm, shape: /** @type {any} */ (shapes)[lane.algorithm] ?? "ring", arity: lane.arity ?? 2, relative: false, params: lane, levels: levelsOf(lane),
  }));
  const names = new Map();
  const rows = lines.slice(1, -1).flatMap((event) => {
    if (event.id) names.set(event.id, event.timer);
    const row = rowOf(event);
    row[2] = lanes.findIndex((/** @type {any} */ lane) => lane.id === event.lane);
    return row;
  });
  return new Window({ run: name, until: scenario.until, tick: scenario.tick, start: scenario.start ?? 0, lanes }, rows, names, []);
}

const run = recorded("ten-slots");
setTexts(Object.fromEntries(Object.entries(JSON.parse(readFileSync(new URL("../texts/en/entry.json", import.meta.url), "utf8")))));
const look = { hot: 0, pointed: null, numbers: false, held: null, word: (/** @type {string} */ key) => key };
const picture = (/** @type {Window} */ win, /** @type {number} */ T, pacing = /** @type {import("../js/picture/scene.js").Pacing} */ ("tick")) =>
  win.run.lanes.map((_, i) => markup(frame(formFor(win, i), sceneOf(win, i, T, pacing), look).nodes)).join("\n");

test("a picture depends on T alone, whatever was drawn before", () => {
  const fresh = recorded("ten-slots");
  const order = [20.5, 10.2, 3, 10.5, 0, 2.1, 10.2, 15.5, 10.9];
  for (const T of order) assert.equal(picture(fresh, T), picture(recorded("ten-slots"), T), `T = ${T}`);
});

test("event by event, the last event of a tick leads to its rest frame", () => {
  for (let tick = 0; tick <= run.run.until; tick++) {
    const seq = run.lastSeq(tick);
    if (seq === 0 || run.tickOf(run.upto(seq) - 1) !== tick) continue;
    assert.equal(timeOf(run, seq), tick + 0.5);
    assert.equal(picture(run, timeOf(run, seq), "event"), picture(run, tick + 0.5));
  }
});

test("every event has a T of its own, which increases and leads back to it", () => {
  let last = -1;
  for (let seq = 1; seq <= run.lastSeq(run.run.until); seq++) {
    const T = timeOf(run, seq);
    assert.ok(T > last, `event ${seq} at ${T}, after ${last}`);
    assert.deepEqual(positionOf(run, T, "event"), { tick: Math.floor(T), seq });
    last = T;
  }
});

test("keys: ticks, steps and events there and back", () => {
  const at = (/** @type {{T: number, pacing: any}} */ i) => positionOf(run, i.T, i.pacing);
  let here = /** @type {{T: number, pacing: import("../js/picture/scene.js").Pacing}} */ ({ T: 0, pacing: "tick" });
  const steps = [0];
  for (let i = 0; i < 4; i++) {
    here = after(run, here, "step", 1);
    steps.push(at(here).seq);
  }
  assert.deepEqual(steps, [0, 6, 13, 15, 17]); // two operations in three lanes, then a visit per lane
  for (let i = 3; i >= 0; i--) {
    here = after(run, here, "step", -1);
    assert.equal(at(here).seq, steps[i]);
  }
  here = after(run, here, "event", 1);
  assert.equal(at(here).seq, 1);
  here = after(run, here, "tick", 1);
  assert.deepEqual([here.T, at(here).seq], [0.5, 13]);
  here = after(run, { T: 20.5, pacing: "tick" }, "tick", 1);
  assert.equal(here.T, 20.5);
  assert.equal(after(run, { T: 0.5, pacing: "tick" }, "tick", -1).T, 0);
});

test("no cascade crosses the hub", () => {
  const form = formFor(run, 2);
  const hub = form.rings[form.rings.length - 1].inner;
  for (let T = 10; T < 10.5; T += 0.01) {
    for (const dot of frame(form, sceneOf(run, 2, T, "tick"), look).dots) assert.ok(Math.hypot(dot.x - 200, dot.y - 200) > hub, `T = ${T}`);
  }
});

test("all rings are there from the start", () => {
  const count = (/** @type {number} */ T) => picture(run, T).match(/class="ring/g)?.length;
  assert.equal(count(0), count(20.5));
});

test("the first cascade comes within nine seconds, and a loop returns", () => {
  const clock = new Clock(() => run.run.until, (tick) => interest(run, tick));
  clock.play(true, 0);
  let cascade = 0;
  let now = 0;
  while (now < 60_000 && !(cascade && clock.T < 1)) {
    clock.advance((now += 16));
    if (!cascade && clock.T >= 10.2) cascade = now;
  }
  assert.ok(cascade > 0 && cascade <= 9000, `${cascade} ms`);
  assert.ok(now < 25_000, `${now} ms`);
});

test("a step ends exactly in its rest frame, however frames fall", () => {
  for (const frames of [[1, 300, 900], [5000], [16, 32, 48, 699, 701]]) {
    const clock = new Clock(() => 20, () => 0);
    clock.set(3.5);
    clock.go({ T: 4.5, pacing: "tick" }, 700, 0);
    for (const now of frames) clock.advance(now);
    assert.deepEqual([clock.T, clock.moves], [4.5, false]);
  }
});

test("a fork keeps what came before", () => {
  const cut = run.lastSeq(2);
  const n = run.upto(cut);
  const forked = run.fork({ ...run.run, run: "other" }, cut, { rows: run.rows.slice(n * 15), names: [], costs: [], end: true });
  assert.deepEqual(forked.rows, run.rows);
  assert.equal(picture(forked, 12.3), picture(run, 12.3));
});

test("the sentence says what happened last", () => {
  const words = (/** @type {number} */ T) => sentence(run, T, "tick").phrases.map((p) => p.text || `(${p.due})`).join("");
  assert.equal(words(0), "Nothing is pending yet.");
  assert.equal(words(2.5), "(17) starts, due in 15 s: rejected, one more round, or a level up.");
  assert.equal(words(5.5), "The hand passes (15): one round less to wait.");
  assert.equal(words(10.5), "The inner hand moves on: (15) and (17) move down to slots 5 and 7.");
  assert.equal(sentence(run, 9.5, "tick").old, true);
  assert.equal(sentence(run, 10.5, "tick").lane, 2);
});

test("a part of a run shows what the whole shows", () => {
  for (const name of ["ten-slots", "go-zombies", "clock-12", "rounds-off-by-one", "two-m"]) {
    const win = recorded(name);
    const { until } = win.run;
    const [third, half] = [Math.floor(until / 3), Math.floor(until / 2)];
    const cut = win.upto(win.lastSeq(half));
    const rest = { rows: win.rows.slice(cut * 15), names: [], costs: [], end: true };
    const first = new Window(win.run, win.rows.slice(0, cut * 15), win.names, [], null, false);
    assert.deepEqual([first.covers(first.last + 0.5), first.covers(first.last + 1), first.whole], [true, false, false]);
    const part = first.fork(win.run, first.seqAfter(first.length), rest).without(third);
    assert.deepEqual([part.covers(third + 0.5), part.covers(third), part.covers(until + 0.5), part.whole], [true, false, true, false]);
    const plain = (/** @type {string} */ svg) => svg.replace(/<g class="dot c\d (fired|rejected)".*?<\/g>/g, ""); // a tray has only those of the tick
    for (let T = third + 1; T <= until; T += Math.max(1, Math.floor(until / 20)) + 0.1) {
      assert.equal(plain(picture(part, T)), plain(picture(win, T)), `${name} at ${T}`);
      assert.deepEqual(positionOf(part, T, "event"), positionOf(win, T, "event"));
    }
    for (let seq = part.from.seq + 1; seq <= win.lastSeq(until); seq += 7) assert.equal(timeOf(part, seq), timeOf(win, seq));
  }
});

test("a reset says where the timer goes", () => {
  const win = recorded("go-zombies");
  const words = (/** @type {number} */ T) => sentence(win, T, "tick").phrases.map((p) => p.text || `(${p.due})`).join("");
  assert.equal(words(5.5), "(40) is put off to 65 ms.");
  assert.equal(words(25.5), "(54) is brought forward to 30 ms.");
});

test("a large heap is drawn to a depth at which its nodes can be read", () => {
  const row = (/** @type {number} */ seq, /** @type {string} */ kind, /** @type {any} */ more) => Object.assign(rowOf({ seq, tick: 0, kind, ...more }), { 2: 0 });
  const rows = Array.from({ length: 150 }, (_, i) => [
    row(2 * i + 1, "schedule", { id: i + 1, due: i + 5 }), row(2 * i + 2, "place", { id: i + 1, due: i + 5, level: 0, slot: i }),
  ]).flat(2);
  const lane = { id: "h", algorithm: "heap", shape: "heap", arity: 2, relative: false, params: {}, levels: [] };
  const win = new Window({ run: "heap", until: 200, tick: "1s", start: 0, lanes: [lane] }, rows, new Map(), []);
  const drawn = picture(win, 0.5);
  assert.equal(drawn.match(/class="dot /g)?.length, 15);
  const counts = [...drawn.matchAll(/class="bundle".*?>(\d+)<\/text>/g)].map((m) => Number(m[1]));
  assert.equal(counts.reduce((a, b) => a + b, 15), 150);
  assert.ok([...drawn.matchAll(/class="body" r="([\d.]+)"/g)].every((m) => Number(m[1]) > 7));
});

test("the spiral of a delay is inside the numbers of the slots", () => {
  const form = formFor(run, 1);
  for (const delay of [3, 12, 24, 99]) {
    const held = { id: 0, colour: 0, due: 4 + delay, delay, out: false, answer: null, hand: { x: 100, y: 100 } };
    const drawn = markup(frame(form, sceneOf(run, 1, 4.5, "tick"), { ...look, numbers: true, held }).nodes);
    const far = (/** @type {number} */ x, /** @type {number} */ y) => Math.hypot(x - 200, y - 200);
    const spiral = [...(/class="delay" d="([^"]*)"/.exec(drawn)?.[1] ?? "").matchAll(/([\d.]+) ([\d.]+)/g)].map((m) => far(Number(m[1]), Number(m[2])));
    const numbers = [...drawn.matchAll(/class="slotno[^"]*" x="([\d.]+)" y="([\d.]+)"/g)].map((m) => far(Number(m[1]), Number(m[2])));
    assert.equal(numbers.length, 10);
    assert.ok(Math.max(...spiral) < Math.min(...numbers) - 7, `+${delay}`);
  }
});

test("the timers of a slot leave room for one that is held over it", () => {
  const held = { id: 0, colour: 0, due: 15, delay: 5, text: "5 s", out: false, answer: { level: 0, slot: 5, rounds: 0 }, hand: null };
  for (const lane of [1, 2]) {
    const drawn = markup(frame(formFor(run, lane), sceneOf(run, lane, 10.5, "tick"), { ...look, held }).nodes);
    const circles = [...drawn.matchAll(/<g class="(?:dot|ghost) [^"]*"[^>]*translate\(([\d.]+) ([\d.]+)\)">.*?class="body" r="([\d.]+)"/g)].map((m) => m.slice(1).map(Number));
    assert.ok(circles.length > 2);
    circles.forEach(([x, y, r], i) => circles.slice(0, i).forEach(([a, b, q]) => assert.ok(Math.hypot(x - a, y - b) >= (r + q) * 0.9, `lane ${lane}: ${x} ${y} and ${a} ${b}`)));
  }
});

test("every recorded run can be drawn at every tick, in its form and unrolled", () => {
  let drawn = 0;
  const files = [golden, new URL("../", golden)].flatMap((folder, up) => readdirSync(folder).filter((file) => file.endsWith(".jsonl")).map((file) => (up ? "../" : "") + file));
  for (const file of files) {
    const win = recorded(file.replace(/\.jsonl$/, ""));
    if (win.length > 5000 || win.run.lanes.some((l) => ["calendar", "linux", "tokio", "linux-classic", "kafka", "riicarus", "redis"].includes(l.algorithm))) continue; // their levels are not in the trace's header
    drawn++;
    const step = Math.max(1, Math.floor(win.run.until / 40));
    for (let tick = 0; tick <= win.run.until; tick += step) for (const part of [0.1, 0.5]) assert.doesNotMatch(picture(win, tick + part), /NaN|undefined|Infinity/, `${file} at ${tick}`);
    win.run.lanes.forEach((_, i) => assert.doesNotMatch(markup(unrolled(win, i, 400, 120, 0)), /NaN|undefined|Infinity/, file));
  }
  assert.ok(drawn >= 3, `${drawn} runs`);
});
