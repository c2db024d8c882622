// @ts-check
/**
 * The entry point of a page that is a single file, in the entry view: the events in the file take the place of those that
 * a server sends. The page can be changed only by an engine, which a file does not have.
 */
import { Place } from "./entry/place.js";
import { Recording } from "./offline/recording.js";
import { RecordedLink } from "./entry/transport.js";
import { Window } from "./picture/window.js";
import { byId } from "./core/dom.js";
import { asked, inFile, listen } from "./offline/place.js";
import { setTexts } from "./core/texts.js";
import { start } from "./entry/start.js";
import { unpacked } from "./offline/file.js";

/** The place in the fragment of the URL. */
class FilePlace extends Place {
  /** @override */
  before() { return position(); }
  /** @override */
  keep() {}
  /** @override @param {string} name */
  asked(name) { return asked().get(name); }
  /** @override @param {import("./entry/place.js").Position} at @param {Record<string, string>} [other] */
  address({ tick, seq }, other = {}) { return `#${new URLSearchParams({ lang: this.lang, t: String(tick), seq: String(seq), ...other })}`; }
  /** @override @param {HTMLAnchorElement} link @param {{tick: number, seq: number}} at */
  lead(link, { tick, seq }) { link.hash = String(new URLSearchParams({ ...Object.fromEntries(asked(link.hash)), t: String(tick), seq: String(seq) })); }
}

const { score } = unpacked();
const recording = new Recording(unpacked());

/** Returns the position in a fragment, or that at which the file opens. @param {string} [hash] */
function position(hash) {
  const [t, event] = ["t", "seq"].map((name) => Number(asked(hash).get(name) ?? NaN));
  const seq = event >= 0 ? Math.min(event, recording.events) : t >= 0 ? recording.seqAt(t) : score.open;
  const tick = recording.tickOf(seq);
  return { seq, tick: t > tick && seq === recording.seqAt(t) ? Math.min(t, recording.until) : tick };
}

setTexts(JSON.parse(byId("texts").textContent));
inFile();
const { run, scenario, lanes, frames, work } = score;
const names = new Map(recording.names.map((name, id) => [id, name]));
names.delete(0);
const win = new Window({ run, until: scenario.until, tick: scenario.tick, start: scenario.start, lanes: lanes.map((lane, i) => ({ ...lane, levels: frames[0].lanes[i].levels })) }, recording.rows(0, recording.events), names, work ?? []);
const app = start(win, new FilePlace("", scenario.name, document.body.dataset.lang ?? "en"), () => new RecordedLink(), false);
listen((hash) => {
  const { tick, seq } = position(hash);
  app.show(tick, seq);
});
