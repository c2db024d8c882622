// @ts-check
/**
 * A frame of a film: the lanes' pictures, drawn side by side by the same code as on the
 * page, below a line with the scenario and the time. The frame depends only on the state
 * at the cursor.
 */
import { Picture } from "../picture/picture.js";
import { captionOf } from "../picture/captions.js";
import { makeSection } from "../page/lane-card.js";
import { whereOf } from "../state/life-places.js";
import { rasterise } from "./raster.js";
import { t } from "../core/texts.js";

/** Height of the header at the top of a frame, as a fraction of the frame's height. */
const HEAD = 0.075;
/** Height of the title above a picture, as a fraction of the frame's height. */
const TITLE = 0.045;
/** Height of the caption below a picture, as a fraction of the frame's height. */
const CAPTION = 0.05;
/** Minimum distance between pictures, and to the edge of the frame, as a fraction of the frame's height. */
const GAP = 0.018;
/** @typedef {{picture: Picture, box: Element, info: any, index: number, x: number, y: number, side: number}} Seat the picture of a lane, and its square in the frame; lengths are in pixels */

export class Stage {
  /** @type {Seat[]} */
  #seats = [];

  /**
   * @param {any} app @param {import("../state/store.js").Store} store store in which the run is loaded
   * @param {{width: number, height: number, lanes: number[]}} film
   */
  constructor(app, store, { width, height, lanes }) {
    this.app = app;
    this.canvas = document.createElement("canvas");
    [this.canvas.width, this.canvas.height] = [width, height];
    this.context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d", { willReadFrequently: true, alpha: false }));
    const model = /** @type {Element} */ (document.querySelector("section[data-lane]"));
    this.#seats = seatsOf(width, height, lanes.length).map((seat, k) => {
      const info = store.infos[lanes[k]];
      const section = makeSection(model, info, app.lang);
      const box = /** @type {Element} */ (section.querySelector(".picture"));
      const picture = new Picture(box, info, () => {});
      picture.overlay.fit(seat.side);
      return { ...seat, picture, box, info, index: lanes[k] };
    });
  }

  /**
   * Draws the state in a store.
   * @param {import("../state/store.js").Store} store
   * @param {number} followed id of the followed timer, or 0 if there is none
   */
  async draw(store, followed) {
    const name = (/** @type {number} */ id) => store.name(id);
    for (const seat of this.#seats) {
      seat.picture.svgDots.clear(); // so that the stacking order of dots depends on the state only
      seat.picture.draw(store.lanes[seat.index], { start: store.origin(seat.index), until: store.until, followed, name, at: `${store.run}/${store.seq}/${store.tick}`, animate: 0, back: false, since: 0, did: store.activity(seat.index), dial: this.app.lanes.dial, where: this.#where(store, seat.index, followed) });
    }
    const pictures = await rasterise(this.#seats, this.canvas.width, this.canvas.height);
    this.#paint(store, pictures);
    pictures.close();
  }

  /**
   * Returns the place of the followed timer in a lane with mode "counts", whose timers have no dots. Returns null
   * for other lanes, and if the place is unknown.
   * @param {import("../state/store.js").Store} store @param {number} lane @param {number} followed
   */
  #where(store, lane, followed) {
    return store.lanes[lane].mode === "counts" ? whereOf(this.app.life?.known, store, lane, followed) : null;
  }

  /**
   * Returns the markup of a lane's picture as last drawn.
   * @param {number} k index among the lanes of the film
   */
  markup(k) { return this.#seats[k].box.querySelector("svg")?.innerHTML ?? ""; }

  /** Paints a frame: the header, the pictures, the titles and the captions. @param {import("../state/store.js").Store} store @param {ImageBitmap} pictures */
  #paint(store, pictures) {
    const { context: c, canvas: { width, height } } = this;
    const style = getComputedStyle(document.documentElement);
    const colour = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
    c.fillStyle = colour("--card");
    c.fillRect(0, 0, width, height);
    c.drawImage(pictures, 0, 0, width, height);
    for (const { picture, x, y, side } of this.#seats) if (picture.overlay.drawn) c.drawImage(picture.overlay.canvas, x, y, side, side);
    const words = (/** @type {string} */ text, /** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ how, /** @type {string} */ ink, /** @type {number} */ most) => {
      c.font = how;
      c.fillStyle = colour(ink);
      c.fillText(text, x, y, most);
    };
    const sans = colour("--sans");
    const pad = height * GAP;
    const { title, name } = /** @type {Message.Hello} */ (store.hello).scenario;
    c.textBaseline = "middle";
    c.textAlign = "left";
    words(title || name || t("scenario.unnamed"), pad, height * HEAD * 0.5, `600 ${height * 0.035}px ${sans}`, "--ink", width * 0.7);
    c.textAlign = "right";
    words(`t = ${store.tick}`, width - pad, height * HEAD * 0.5, `700 ${height * 0.045}px ${colour("--mono")}`, "--ink", width * 0.28);
    c.textAlign = "center";
    for (const { info, index, x, y, side } of this.#seats) {
      const middle = x + side / 2;
      words(info.id, middle, y - height * TITLE * 0.5, `600 ${height * 0.028}px ${sans}`, "--ink", side);
      const caption = captionOf(store.did?.[index] ?? null, { info, lane: store.lanes[index], name: (id) => store.name(id), tick: store.length });
      words(`${caption.mark ? `${caption.mark} ` : ""}${caption.text}`, middle, y + side + height * CAPTION * 0.5, `${height * 0.022}px ${sans}`, caption.tone === "bad" ? "--bad" : "--soft", side * 1.15);
    }
  }
}

/**
 * Returns the squares of the pictures of a frame, arranged in rows below the header. They are as large as
 * possible, with space for a title and a caption at each.
 * @param {number} width width of the frame @param {number} height height of the frame
 * @param {number} n number of pictures
 */
function seatsOf(width, height, n) {
  const [head, extra, gap] = [height * HEAD, height * (TITLE + CAPTION), height * GAP];
  let best = { cols: 1, side: 0 };
  for (let cols = 1; cols <= n; cols++) {
    const rows = Math.ceil(n / cols);
    const side = Math.floor(Math.min((width - gap * (cols + 1)) / cols, (height - head - gap) / rows - extra));
    if (side > best.side) best = { cols, side };
  }
  const rows = Math.ceil(n / best.cols);
  const top = head + (height - head - rows * (best.side + extra)) / 2;
  return Array.from({ length: n }, (_, k) => {
    const [row, col] = [Math.floor(k / best.cols), k % best.cols];
    const inRow = Math.min(best.cols, n - row * best.cols);
    const room = (width - inRow * best.side) / (inRow + 1);
    return { x: Math.round(room + col * (best.side + room)), y: Math.round(top + row * (best.side + extra) + height * TITLE), side: best.side };
  });
}
