// @ts-check
/**
 * The signs of the timeline on a canvas: what a lane did in a tick, told by shape
 * first and by colour beside it. Pure.
 */

/**
 * Kinds in the order they are drawn: a later one covers an earlier.
 * @type {{what: "expire"|"cascade"|"reject"|"finding", colour: "hand"|"move"|"bad", draw: (c: CanvasRenderingContext2D, x: number, y: number, r: number) => void}[]}
 */
export const SIGNS = [
  { what: "expire", colour: "hand", draw: dot },
  { what: "cascade", colour: "move", draw: triangle },
  { what: "reject", colour: "bad", draw: cross },
  { what: "finding", colour: "bad", draw: mark },
];

/** @param {CanvasRenderingContext2D} c @param {number} x @param {number} y @param {number} r */
function dot(c, x, y, r) {
  c.moveTo(x + r * 0.85, y);
  c.arc(x, y, r * 0.85, 0, 2 * Math.PI);
}

/** @param {CanvasRenderingContext2D} c @param {number} x @param {number} y @param {number} r */
function triangle(c, x, y, r) {
  polygon(c, [x - r, y - r * 0.8, x + r, y - r * 0.8, x, y + r]);
}

/** @param {CanvasRenderingContext2D} c @param {number} x @param {number} y @param {number} r */
function cross(c, x, y, r) {
  const [a, w] = [r * 0.9, r * 0.35];
  polygon(c, [x - a, y - a + w, x - a + w, y - a, x, y - w, x + a - w, y - a, x + a, y - a + w, x + w, y,
    x + a, y + a - w, x + a - w, y + a, x, y + w, x - a + w, y + a, x - a, y + a - w, x - w, y]);
}

/** @param {CanvasRenderingContext2D} c @param {number} x @param {number} y @param {number} r */
function mark(c, x, y, r) {
  const w = r * 0.35;
  polygon(c, [x - w, y - r * 1.2, x + w, y - r * 1.2, x + w * 0.7, y + r * 0.35, x - w * 0.7, y + r * 0.35]);
  polygon(c, [x - w, y + r * 0.65, x + w, y + r * 0.65, x + w, y + r * 1.25, x - w, y + r * 1.25]);
}

/** @param {CanvasRenderingContext2D} c @param {number} x @param {number} y @param {number} r */
export function diamond(c, x, y, r) {
  polygon(c, [x, y - r, x + r, y, x, y + r, x - r, y]);
}

/** @param {CanvasRenderingContext2D} c @param {number[]} points x, y, … */
function polygon(c, points) {
  c.moveTo(points[0], points[1]);
  for (let i = 2; i < points.length; i += 2) c.lineTo(points[i], points[i + 1]);
  c.closePath();
}
