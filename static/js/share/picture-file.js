// @ts-check
/**
 * A feature of the page: saves the picture of a lane at the cursor, as the page draws it. The elements get the values of
 * the style sheets, so that the file looks the same in every program.
 */
import { colourOf } from "../core/colours.js";
import { byId, download, html, svg } from "../core/dom.js";
import { t } from "../core/texts.js";
import { paint } from "../picture/nodes.js";

/** Width of a saved picture, in pixels, and that at which it is laid out, which decides what of it is shown. */
const WIDE = 1600;
const LAID_OUT = 800;
/** Height of the line with the lane's title, in units of the picture, which is 400 wide. */
const TITLE = 34;
/** Distance of the middle of a line of text from its baseline, relative to the font size: not every program can centre a line. */
const MIDDLE = 0.36;
/** The properties that a saved element has, with their initial values. */
const STYLES = {
  fill: "rgb(0, 0, 0)", "fill-opacity": "1", stroke: "none", "stroke-width": "1px", "stroke-dasharray": "none", "stroke-linecap": "butt", "stroke-linejoin": "miter",
  opacity: "1", "paint-order": "normal", "vector-effect": "none", "font-family": "", "font-size": "", "font-weight": "400", "text-anchor": "start",
};

class SavePicture {
  #lanes = "";

  /** @param {any} app */
  constructor(app) {
    this.app = app;
    this.lane = byId("picture-lane");
    for (const as of ["svg", "png"]) byId(`picture-${as}`).addEventListener("click", () => this.#save(as));
  }

  /** Lists the lanes of another run. The selected lane remains selected if it exists. */
  begin() {
    const ids = this.app.store.infos.map((/** @type {any} */ info) => info.id);
    if (ids.join("\n") === this.#lanes) return;
    this.#lanes = ids.join("\n");
    const chosen = this.lane.value;
    this.lane.replaceChildren(...ids.map((/** @type {string} */ id) => html("option", { value: id }, id)));
    if (ids.includes(chosen)) this.lane.value = chosen;
  }

  /** Saves the picture in a format, "svg" or "png". @param {string} as */
  async #save(as) {
    const { app, lane } = this;
    const card = app.lanes.cards.find((/** @type {any} */ one) => one.info.id === lane.value);
    const text = new XMLSerializer().serializeToString(standalone(card, card.info.title[app.lang] ?? card.info.title.en));
    const picture = new Blob([text], { type: "image/svg+xml" });
    const made = as === "svg" ? picture : await painted(picture).catch(() => null);
    if (made) download(made, `${lane.value}-${app.store.tick}.${as}`);
    else app.say(t("picture.failed"));
  }
}

/** Returns the picture of a lane as an element that needs no style sheet. @param {any} card @param {string} title */
function standalone({ section, info, picture }, title) {
  const { side } = picture.zoom;
  const scale = side / 400;
  const root = svg("svg", { viewBox: picture.zoom.box });
  paint(root, picture.nodes);
  const box = picture.box.cloneNode(false);
  box.style.cssText = `max-width: none; width: ${LAID_OUT}px`;
  box.append(root);
  const lane = section.cloneNode(false);
  lane.removeAttribute("data-lane"); // it is no lane of the page
  lane.append(box);
  const room = document.body.appendChild(html("div", {}, lane));
  room.style.cssText = `position: fixed; left: -9999px; width: ${LAID_OUT}px`;
  const all = [...root.querySelectorAll("*")];
  all.forEach(style);
  for (const element of all) for (const name of element.getAttributeNames()) if (name === "class" || name.startsWith("data-")) element.removeAttribute(name);
  const { fontFamily, color } = getComputedStyle(section);
  const card = colourOf("--card");
  room.remove();
  const { x, y } = picture.zoom;
  const line = (/** @type {number} */ at, /** @type {string} */ anchor, /** @type {string} */ text) => svg("text", { x: x + at * scale, y: y - 10 * scale, "text-anchor": anchor, "font-size": 18 * scale, "font-family": fontFamily, "font-weight": anchor === "start" ? 700 : 400, fill: color }, text);
  root.prepend(svg("title", {}, `${title} · ${info.id}`), svg("rect", { x, y: y - TITLE * scale, width: side, height: side + TITLE * scale, fill: card }), line(8, "start", title), line(392, "end", info.id));
  for (const [name, value] of Object.entries({ viewBox: `${x} ${y - TITLE * scale} ${side} ${side + TITLE * scale}`, width: WIDE, height: WIDE * (1 + TITLE / 400) })) root.setAttribute(name, String(value));
  return root;
}

/** Writes the computed styles of an element into its attributes, or removes an element that is not shown. @param {Element} element */
function style(element) {
  const computed = getComputedStyle(element);
  if (computed.display === "none") return element.remove();
  const leaf = element.localName !== "g";
  for (const [name, initial] of Object.entries(STYLES)) {
    const value = computed.getPropertyValue(name);
    if (value !== initial && (leaf || name === "opacity")) element.setAttribute(name, value.replace(/px$/, ""));
  }
  if (element.localName === "text") element.setAttribute("y", String(Number(element.getAttribute("y")) + MIDDLE * parseFloat(computed.fontSize)));
}

/** Converts an SVG picture to PNG. @param {Blob} picture @returns {Promise<Blob|null>} */
async function painted(picture) {
  const image = new Image();
  const address = URL.createObjectURL(picture);
  try {
    image.src = address;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: image.naturalWidth, height: image.naturalHeight });
    canvas.getContext("2d")?.drawImage(image, 0, 0);
    return await new Promise((done) => canvas.toBlob(done, "image/png"));
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** Creates the feature. @param {any} app @returns {import("../page/feature.js").Feature} */
export const savePicture = (app) => new SavePicture(app);
