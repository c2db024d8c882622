// @ts-check
/**
 * The strip above the time slider: how many timers wait over time, where they fire
 * (dots) and where they cascade (triangles); the future is pale.
 */
import { byId } from "./dom.js";
import { currentPalette } from "./colours.js";

/** Share of the height that the bars take; the signs stand below. */
const BARS = 0.66;
/** Pixels between two signs at least, so that they can be told apart. */
const SIGN_PX = 5;

/** Pixels from the strip's ends to where the slider's thumb can go. */
const INSET_PX = 8;

export class Timeline {
  /** @type {any} what is drawn, and in which colours */
  #drawn = null;
  /** @type {any} */
  #palette = null;
  #resized = true;
  #width = 0;

  /** @param {import("./store.js").Store} store @param {() => void} redraw */
  constructor(store, redraw) {
    this.store = store;
    this.canvas = byId("timeline");
    this.context = this.canvas.getContext("2d");
    new ResizeObserver(() => {
      this.canvas.width = Math.round(this.canvas.clientWidth * devicePixelRatio);
      this.canvas.height = Math.round(this.canvas.clientHeight * devicePixelRatio);
      this.#width = this.canvas.clientWidth; // asked for here only: asking in a frame would lay the page out
      this.#resized = true;
      redraw();
    }).observe(this.canvas);
  }

  /** Draws what was computed, where it is not drawn yet, and puts the cursor. */
  draw() {
    const { timeline, until, tick } = this.store;
    const inset = INSET_PX;
    const width = this.#width;
    byId("future").style.transform = `translateX(${inset + ((width - 2 * inset) * tick) / Math.max(until, 1)}px)`;
    const palette = currentPalette();
    if (this.#drawn === timeline && this.#palette === palette && !this.#resized) return;
    [this.#drawn, this.#palette, this.#resized] = [timeline, palette, false];
    this.context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    if (!timeline || until === 0) return;
    const edge = inset * devicePixelRatio;
    const x = (/** @type {number} */ at) => edge + ((this.canvas.width - 2 * edge) * at) / until;
    const sums = sum(timeline.lanes);
    this.#bars(sums.live, timeline.bucket, x);
    this.#signs(sums.expire, timeline.bucket, x, false);
    this.#signs(sums.cascade, timeline.bucket, x, true);
  }

  /** @param {number[]} live @param {number} bucket @param {(at: number) => number} x */
  #bars(live, bucket, x) {
    const { context: c, canvas } = this;
    const most = Math.max(1, ...live);
    const base = canvas.height * BARS;
    c.fillStyle = currentPalette().waits;
    live.forEach((n, i) => {
      const left = x((i - 0.5) * bucket);
      const wide = x((i + 0.5) * bucket) - left;
      const high = n ? Math.max(1, base * (n / most)) : 0;
      c.fillRect(left, base - high, Math.max(1, wide - (wide > 6 ? devicePixelRatio : 0)), high);
    });
  }

  /** @param {number[]} counts @param {number} bucket @param {(at: number) => number} x @param {boolean} triangles */
  #signs(counts, bucket, x, triangles) {
    const { context: c, canvas } = this;
    const size = Math.min(3 * devicePixelRatio, canvas.height * 0.07);
    const y = canvas.height * (triangles ? 0.92 : 0.76);
    const palette = currentPalette();
    c.fillStyle = triangles ? palette.move : palette.hand;
    c.beginPath();
    let last = -Infinity;
    counts.forEach((n, i) => {
      const at = x(i * bucket);
      if (n === 0 || at - last < SIGN_PX * devicePixelRatio) return;
      last = at;
      if (triangles) {
        c.moveTo(at - size, y - size);
        c.lineTo(at + size, y - size);
        c.lineTo(at, y + size);
      } else {
        c.moveTo(at + size, y);
        c.arc(at, y, size, 0, 2 * Math.PI);
      }
    });
    c.fill();
  }
}

/** All lanes together. @param {{live: number[], expire: number[], cascade: number[]}[]} lanes */
function sum(lanes) {
  const add = (/** @type {"live"|"expire"|"cascade"} */ what) => {
    const total = new Array(lanes[0]?.[what].length ?? 0).fill(0);
    for (const lane of lanes) lane[what].forEach((n, i) => { total[i] += n; });
    return total;
  };
  return { live: add("live"), expire: add("expire"), cascade: add("cascade") };
}
