// Draws the rest frames of runs with the scripts of the page. Its input is a JSON list of {run, events, T, pacing, words}, its
// output a JSON list with the SVG of each lane. The first argument is the folder of the scripts.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const load = (name) => import(new URL(name, pathToFileURL(`${process.argv[2]}/`)));
const { Window, learn } = await load("picture/window.js");
const { frame } = await load("picture/frame.js");
const { formFor } = await load("picture/form.js");
const { sceneOf, timeOf } = await load("picture/scene.js");
const { markup } = await load("picture/nodes.js");

const pictures = JSON.parse(readFileSync(0, "utf8")).map(({ run, events, tick, seq, words }) => {
  const names = new Map();
  learn(names, events.names);
  const window = new Window(run, events.rows, names, events.costs);
  const [T, pacing] = seq >= 0 ? [timeOf(window, seq), "event"] : tick >= 0 ? [tick + 0.5, "tick"] : [0, "tick"];
  const look = { hot: 0, pointed: null, numbers: false, held: null, word: (key) => words[key] };
  return run.lanes.map((_, lane) => markup(frame(formFor(window, lane), sceneOf(window, lane, T, pacing), look).nodes));
});
process.stdout.write(JSON.stringify(pictures));
