// @ts-check
/** The tick numbers below the rows of the timeline. They are round numbers, as many as fit. */

/** Minimum distance between two numbers, in pixels. */
const APART_PX = 76;

/**
 * Returns the distance between two numbers: 1, 2 or 5 times a power of ten.
 * @param {number} ticks number of visible ticks @param {number} most maximum number of numbers
 */
export function tickStep(ticks, most) {
  const least = ticks / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return power * ([1, 2, 5, 10].find((n) => n * power >= least) ?? 10);
}

/**
 * Draws the numbers of the visible ticks.
 * @param {import("./rows.js").Sheet} sheet @param {number} bottom bottom edge, in pixels
 * @param {string} font @param {string} unit text after the last number: "" or a unit such as " ms"
 */
export function drawTicks({ context: c, span, palette }, bottom, font, unit) {
  const step = tickStep(span.to - span.from, span.width / APART_PX);
  c.font = font;
  c.fillStyle = palette.soft;
  c.textBaseline = "bottom";
  const end = `${span.to}${unit}`;
  const room = span.x(span.to) - c.measureText(end).width;
  c.textAlign = "right";
  c.fillText(end, span.width - 1, bottom);
  for (let tick = Math.ceil(span.from / step) * step; tick < span.to; tick += step) {
    const text = String(tick);
    const half = c.measureText(text).width / 2;
    const x = Math.max(half, span.x(tick));
    if (x + half + APART_PX / 6 > room) break;
    c.textAlign = "center";
    c.fillText(text, x, bottom);
  }
}
