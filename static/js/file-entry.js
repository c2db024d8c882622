// @ts-check
/**
 * The entry point of a page that is a single file, in the entry view: the events in the file take the place of those that
 * a server sends. The page can be changed only by an engine, which a file does not have.
 */
import { Place } from "./entry/place.js";
import { RecordedLink } from "./entry/transport.js";
import { byId } from "./core/dom.js";
import { Recording, parametersIn, inFile, listen, positionIn, recorded } from "./recorded/recording.js";
import { setTexts } from "./core/texts.js";
import { start } from "./entry/start.js";

/** The place in the fragment of the URL. */
class FilePlace extends Place {
  /** @override */
  before() { return position(); }
  /** @override */
  keep() {}
  /** @override @param {string} name */
  parameter(name) { return parametersIn().get(name); }
  /** @override @param {import("./entry/place.js").Position} at @param {Record<string, string>} [other] */
  address({ tick, seq }, other = {}) { return `#${new URLSearchParams({ lang: this.lang, t: String(tick), seq: String(seq), ...other })}`; }
  /** @override @param {HTMLAnchorElement} link @param {{tick: number, seq: number}} at */
  lead(link, { tick, seq }) { link.hash = String(new URLSearchParams({ ...Object.fromEntries(parametersIn(link.hash)), t: String(tick), seq: String(seq) })); }
}

const recording = new Recording(recorded().run);

/** Returns the position in a fragment, or that at which the file opens. @param {string} [hash] */
function position(hash) {
  const { tick, seq } = positionIn(recording, hash);
  return { tick: Math.max(0, tick), seq };
}

setTexts(JSON.parse(byId("texts").textContent));
inFile();
const app = start(recording.win, new FilePlace("", recording.data.scenario.name, document.body.dataset.lang ?? "en"), () => new RecordedLink(), false);
listen((hash) => {
  const { tick, seq } = position(hash);
  app.show(tick, seq);
});
