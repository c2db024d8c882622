// @ts-check
/**
 * The marks on the timeline for the events of a lane in a tick. The kinds of events differ in shape and
 * colour. Each mark is drawn once and then copied, since a long run has thousands of marks, and drawing a
 * path for each takes a hundred times as long.
 */

/**
 * The kinds of events with marks, in drawing order. Later marks cover earlier ones.
 * @type {{what: "expire"|"cascade"|"reject"|"finding", colour: "expiry"|"move"|"rejection"|"finding", draw: (c: CanvasRenderingContext2D, x: number, y: number, r: number) => void}[]}
 */
export const EVENT_MARKS = [
  { what: "expire", colour: "expiry", draw: dot },
  { what: "cascade", colour: "move", draw: triangle },
  { what: "reject", colour: "rejection", draw: cross },
  { what: "finding", colour: "finding", draw: mark },
];

/** Adds a dot, the mark for expiries, to the current path. @param {CanvasRenderingContext2D} c @param {number} x @param {number} y @param {number} r */
function dot(c, x, y, r) {
  c.moveTo(x + r * 0.85, y);
  c.arc(x, y, r * 0.85, 0, 2 * Math.PI);
}

/** Adds a triangle, the mark for cascades, to the current path. @param {CanvasRenderingContext2D} c @param {number} x @param {number} y @param {number} r */
function triangle(c, x, y, r) {
  polygon(c, [x - r, y - r * 0.8, x + r, y - r * 0.8, x, y + r]);
}

/** Adds a cross, the mark for rejections, to the current path. @param {CanvasRenderingContext2D} c @param {number} x @param {number} y @param {number} r */
function cross(c, x, y, r) {
  const [a, w] = [r * 0.9, r * 0.35];
  polygon(c, [x - a, y - a + w, x - a + w, y - a, x, y - w, x + a - w, y - a, x + a, y - a + w, x + w, y,
    x + a, y + a - w, x + a - w, y + a, x, y + w, x - a + w, y + a, x - a, y + a - w, x - w, y]);
}

/** Adds an exclamation mark, the mark for findings, to the current path. @param {CanvasRenderingContext2D} c @param {number} x @param {number} y @param {number} r */
function mark(c, x, y, r) {
  const w = r * 0.35;
  polygon(c, [x - w, y - r * 1.2, x + w, y - r * 1.2, x + w * 0.7, y + r * 0.35, x - w * 0.7, y + r * 0.35]);
  polygon(c, [x - w, y + r * 0.65, x + w, y + r * 0.65, x + w, y + r * 1.25, x - w, y + r * 1.25]);
}

/** Width of the border around a mark for its antialiased edge, in pixels. */
const MARGIN_PX = 1;

/** Images of marks, by kind, size and colour. @type {Map<string, import("./raster.js").Stamp>} */
const stamps = new Map();
/**
 * Maximum number of cached images. It is enough for all kinds in two sizes and the colours of four themes.
 */
const STAMPS_MAX = 64;

/**
 * Returns a mark as an image that can be copied to any position of a raster.
 * @param {string} name @param {(c: CanvasRenderingContext2D, x: number, y: number, r: number) => void} draw
 * @param {number} r half the height, in CSS pixels @param {string} colour
 * @param {number} scale screen pixels per CSS pixel
 */
export function stampOf(name, draw, r, colour, scale) {
  const key = `${name}/${r}/${colour}/${scale}`;
  const cached = stamps.get(key);
  if (cached) return cached;
  if (stamps.size >= STAMPS_MAX) stamps.clear();
  const half = Math.ceil(r * 1.3) + MARGIN_PX;
  const picture = document.createElement("canvas");
  const side = (picture.width = picture.height = Math.ceil(2 * half * scale));
  const c = /** @type {CanvasRenderingContext2D} */ (picture.getContext("2d", { willReadFrequently: true }));
  c.scale(scale, scale);
  c.fillStyle = colour;
  c.beginPath();
  draw(c, half, half, r);
  c.fill();
  const made = { side, pixels: new Uint32Array(c.getImageData(0, 0, side, side).data.buffer) };
  stamps.set(key, made);
  return made;
}

/** Adds a diamond to the current path. @param {CanvasRenderingContext2D} c @param {number} x @param {number} y @param {number} r */
export function diamond(c, x, y, r) {
  polygon(c, [x, y - r, x + r, y, x, y + r, x - r, y]);
}

/** Adds a polygon to the current path. @param {CanvasRenderingContext2D} c @param {number[]} points x, y, … */
function polygon(c, points) {
  c.moveTo(points[0], points[1]);
  for (let i = 2; i < points.length; i += 2) c.lineTo(points[i], points[i + 1]);
  c.closePath();
}
