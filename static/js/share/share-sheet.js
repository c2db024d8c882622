// @ts-check
/**
 * The sheet for sharing the current experiment. It shows the URL and the HTML of a frame for other pages,
 * which the user can copy. If the URL would be too long, the user has to save a file instead.
 */
import { DIGITS, writeFragment } from "../core/fragment.js";
import { ADDRESS_MAX, pack } from "../core/pack.js";
import { byId, setText } from "../core/dom.js";
import { query } from "../core/saved-scenarios.js";
import { t } from "../core/texts.js";
import { traceDigest } from "./arrival.js";
import { requestScenario } from "../core/requests.js";

/** Maximum time to wait for the digest of the trace before the URL is shown, in milliseconds. */
const DIGEST_MS = 1500;

/** Query and fragment of the displayed URL. */
let shown = { search: "", hash: "" };

/** Makes the sheet. @param {any} app @returns {import("../page/feature.js").Sheet} */
export function make(app) {
  form().addEventListener("change", () => write(app));
  form().addEventListener("submit", (event) => event.preventDefault());
  byId("share-embed").addEventListener("toggle", () => write(app));
  byId("share-copy").addEventListener("click", () => copy(byId("share-address")));
  byId("share-copy-frame").addEventListener("click", () => copy(byId("share-frame")));
  for (const id of ["share-address", "share-frame"]) byId(id).addEventListener("focus", () => byId(id).select());
  return { open: () => share(app) };
}

/** Shows the URL of the experiment, and copies it. @param {any} app */
async function share(app) {
  setText(byId("share-said"), "");
  const made = await addressOf(app).catch(() => null);
  if (!made) return app.say(t("error.link"));
  shown = made;
  const address = write(app);
  const long = address.length > ADDRESS_MAX;
  byId("share-short").hidden = byId("share-embed").hidden = long;
  setText(byId("share-size"), t(long ? "share.long" : "share.size", { n: address.length, max: ADDRESS_MAX }));
  if (!long) copy(byId("share-address"));
}

/** Returns the query and the fragment of the URL for the experiment. @param {any} app */
async function addressOf(app) {
  const { store } = app;
  const { tick, seq, run } = store;
  const { custom } = store.hello.scenario;
  const lanes = byId("lanes");
  const [packed, sum] = await Promise.all([custom ? packedScenario(app, run) : "", soon(traceDigest(app, run))]);
  const large = lanes.querySelector("section.large")?.dataset.lane ?? "";
  const hash = writeFragment({ run: run.slice(0, DIGITS), sum, follow: app.follow.id, dial: app.lanes.dial, tables: !lanes.hasAttribute("data-folded"), large, packed });
  return { search: query({ scenario: custom ? "" : app.scenario, mine: custom ? run : "", tick, seq, lang: app.lang, view: app.views.inURL }), hash };
}

/** Returns the compressed scenario of a run. @param {any} app @param {string} run */
async function packedScenario(app, run) {
  const text = await requestScenario(app, run);
  if (text === null) throw new Error("no scenario");
  return pack(text.trimEnd());
}

/** Resolves to the digest, or to "" if it takes longer than DIGEST_MS. @param {Promise<string>} digest */
function soon(digest) {
  return Promise.race([digest, new Promise((done) => setTimeout(() => done(""), DIGEST_MS))]);
}

/** The form with the parameters of an embedded page. */
const form = () => /** @type {HTMLFormElement} */ (byId("embed-form"));

/** Returns the query of the embedded page. @param {string} search query of the page */
function embedded(search) {
  const q = new URLSearchParams(search);
  const chosen = new FormData(form());
  q.set("embed", "1");
  for (const name of ["controls", "theme", "lanes", "loop"]) {
    const value = String(chosen.get(name) ?? "").trim();
    if (value && value !== "play") q.set(name, value);
  }
  if (chosen.has("keys")) q.set("keys", "0");
  return `?${q}`;
}

/** Writes the URL and the HTML of the frame into their fields. @param {any} app */
function write(app) {
  const base = `${location.origin}${app.base}/`;
  const address = base + shown.search + shown.hash;
  const source = base + embedded(shown.search) + shown.hash;
  const preview = byId("embed-preview");
  if (byId("share-embed").open && preview.getAttribute("src") !== source) preview.src = source;
  const frame = document.createElement("iframe");
  frame.setAttribute("src", source);
  for (const [name, value] of [["title", document.title], ["width", "960"], ["height", "600"], ["loading", "lazy"]]) frame.setAttribute(name, value);
  byId("share-address").value = address;
  byId("share-frame").value = frame.outerHTML;
  return address;
}

/**
 * Copies the text of a field to the clipboard, if the browser allows it.
 * @param {HTMLInputElement|HTMLTextAreaElement} field
 */
async function copy(field) {
  field.select();
  const done = await navigator.clipboard?.writeText(field.value).then(() => true, () => false);
  setText(byId("share-said"), t(done ? "share.copied" : "share.select"));
}
