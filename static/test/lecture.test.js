// Tests of lectures as files, and of how a page is embedded in another one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { commandOf, embedding, parameters, passesKey } from "../js/core/embedding.js";
import { NOTE_MAX } from "../js/core/lecture-text.js";
import { fill, inLanguage, moved, readLecture, usedScenarios, STOPS_MAX } from "../js/learn/lecture-file.js";

const stop = { scenario: "reach", title: "x", note: "y" };
const lecture = { wheelscope: 1, kind: "lecture", title: { en: "a", zh: "b" }, stops: [stop] };

test("a lecture is read, and what is none is refused with the field", () => {
  assert.deepEqual(readLecture(JSON.stringify(lecture)), lecture);
  for (const [change, key] of [
    [{ kind: "trace" }, "lecture.bad.kind"], [{ wheelscope: 2 }, "lecture.bad.kind"], [{ stops: Array(STOPS_MAX + 1).fill(stop) }, "lecture.bad.stops"],
    [{ title: 7 }, "lecture.bad.field"], [{ stops: [{ ...stop, note: "y".repeat(NOTE_MAX + 1) }] }, "lecture.bad.field"],
    [{ stops: [{ ...stop, scenario: undefined, run: "toString" }] }, "lecture.bad.field"], [{ stops: [{ ...stop, view: "race" }] }, "lecture.bad.field"],
    [{ stops: [null] }, "lecture.bad.field"], [{ stops: [{ ...stop, tick: -2 }] }, "lecture.bad.field"],
  ]) assert.throws(() => readLecture(JSON.stringify({ ...lecture, ...change })), { key }, JSON.stringify(change));
  assert.throws(() => readLecture("{"), { key: "lecture.bad.json" });
  assert.throws(() => readLecture("null"), { key: "lecture.bad.kind" });
});

test("texts have the language of the page and the figures of the run", () => {
  assert.equal(inLanguage({ en: "a", zh: "b" }, "zh"), "b");
  assert.equal(inLanguage({ en: "a" }, "zh"), "a");
  assert.equal(inLanguage("a", "zh"), "a");
  assert.equal(fill("{n} of {m}", { n: "3" }), "3 of {m}");
  assert.equal(fill("{n}", null), "…");
});

test("stops are reordered, and scenarios that no stop uses are left out", () => {
  assert.deepEqual(moved(["a", "b", "c"], 2, 0), ["c", "a", "b"]);
  assert.deepEqual(usedScenarios({ ...lecture, scenarios: { one: 1, two: 2 }, stops: [{ ...stop, run: "two" }] }), { two: 2 });
});

test("parameters of an embedded page come from the query or the fragment", () => {
  const how = embedding(parameters("?embed=1&controls=none&lanes=a,b&loop=3-12&theme=dark&keys=0", ""));
  assert.deepEqual(how, { controls: "none", theme: "dark", lanes: ["a", "b"], loop: { from: 3, to: 12 }, keys: false });
  assert.deepEqual(embedding(parameters("", "#embed=1&controls=full")), { controls: "full", theme: "", lanes: [], loop: null, keys: true });
  for (const bad of ["controls=x", "loop=12-3", "loop=a-b", "theme=pink"]) assert.deepEqual(embedding(new URLSearchParams(bad)), embedding(new URLSearchParams()));
  assert.equal(embedding(new URLSearchParams("controls=0")).controls, "none");
});

test("commands are checked against the list", () => {
  const ask = (/** @type {any} */ data) => commandOf({ wheelscope: 1, ...data });
  assert.deepEqual(ask({ do: "seek", tick: 4, id: 7 }), { command: "seek", fields: { tick: 4 }, id: 7 });
  assert.deepEqual(ask({ do: "step", by: "event", n: -1 }), { command: "step", fields: { by: "event", n: -1 } });
  assert.deepEqual(ask({ do: "play", rate: 2.5 }).fields, { rate: 2.5 });
  assert.deepEqual(ask({ do: "follow", timer: "" }).fields, { timer: "" });
  for (const bad of [
    { do: "load", text: "{}" }, { do: "op", op: "cancel" }, { do: "constructor" }, { do: "seek" }, { do: "seek", tick: 1, seq: 2 }, { do: "seek", tick: -1 }, { do: "seek", tick: "4" },
    { do: "play", rate: Infinity }, { do: "play", rate: "2" }, { do: "step", by: "run", n: 1 }, { do: "step", by: "tick" }, { do: "follow", timer: "x".repeat(129) }, { do: "pause", now: true },
    { do: "seek", tick: 1, toString: 1 },
  ]) assert.ok(ask(bad)?.error, JSON.stringify(bad));
  for (const other of [null, 7, "seek", {}, { do: "seek", tick: 1 }, { wheelscope: 2, do: "pause" }, { wheelscope: 1, kind: "key" }]) assert.equal(commandOf(other), null);
});

test("keys that the page does not use are passed on", () => {
  const key = (/** @type {string} */ name, /** @type {any} */ more = {}) => ({ key: name, ctrlKey: false, metaKey: false, altKey: false, ...more });
  for (const name of ["PageUp", "PageDown", "Escape"]) assert.ok(passesKey(key(name), true, false));
  assert.ok(!passesKey(key("ArrowRight"), true, false));
  for (const name of ["ArrowRight", " ", "n", "Home"]) assert.ok(passesKey(key(name), false, false), name);
  assert.ok(!passesKey(key(" "), false, true)); // a focused button is pressed
  assert.ok(!passesKey(key("Tab"), false, false));
  assert.ok(!passesKey(key("c", { ctrlKey: true }), false, false));
});
