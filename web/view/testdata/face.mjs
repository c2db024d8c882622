// Draws the rest frames of runs with the scripts of the page. Its input is a JSON list of {run, events, T, pacing, words}, its
// output a JSON list with the SVG of each lane. The first argument is the folder of the scripts.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const load = (name) => import(new URL(name, pathToFileURL(`${process.argv[2]}/`)));
const { Window, learn } = await load("entry/window.js");
const { frame } = await load("entry/frame.js");
const { formFor } = await load("entry/form.js");
const { sceneOf, timeOf } = await load("entry/scene.js");
const { markup } = await load("entry/nodes.js");
const { ROW, cell } = await load("core/protocol.js");
const { KIND } = await load("state/kinds.js");

/** As in entry/main.js: the levels of the run without those that grow. */
function runOf(run, rows) {
  const grown = run.lanes.map(() => Infinity);
  for (let at = 0; at < rows.length; at += ROW) {
    const lane = cell(rows, at, "lane");
    if (cell(rows, at, "kind") === KIND.grow) grown[lane] = Math.min(grown[lane], cell(rows, at, "fromLevel"));
  }
  return { ...run, lanes: run.lanes.map((lane, i) => ({ ...lane, title: {}, levels: (lane.levels ?? []).filter((l) => l.level < grown[i]).map((l) => [l.level, l.slots, l.width]) })) };
}

const pictures = JSON.parse(readFileSync(0, "utf8")).map(({ run, events, tick, seq, words }) => {
  const names = new Map();
  learn(names, events.names);
  const window = new Window(runOf(run, events.rows), events.rows, names, events.costs);
  const [T, pacing] = seq >= 0 ? [timeOf(window, seq), "event"] : tick >= 0 ? [tick + 0.5, "tick"] : [0, "tick"];
  const look = { hot: 0, pointed: null, numbers: false, held: null, word: (key) => words[key] };
  return run.lanes.map((_, lane) => markup(frame(formFor(window, lane), sceneOf(window, lane, T, pacing), look).nodes));
});
process.stdout.write(JSON.stringify(pictures));
