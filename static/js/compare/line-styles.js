// @ts-check
/**
 * Line styles of the lanes' curves. Colour and dashes together distinguish up to 24
 * lanes, dashes alone four neighbours. The colours are those of themes.css, safe for
 * colour-blind readers (Okabe and Ito 2008, adjusted for contrast with the card).
 */

/** Number of colours, --lane-0 and up, in the style sheets. */
const COLOURS = 6;

/** Lengths of dashes and gaps, in line widths. */
const DASHES = [[], [5, 2.5], [1.2, 2], [7, 2, 1.2, 2]];

/** @typedef {{colour: string, dash: number[], width: number}} LineStyle colour, dashes and width of a lane's curve, in CSS pixels */

/**
 * Returns a lane's line style. @param {number} lane index in file order
 * @param {CSSStyleDeclaration} style of the page
 * @param {number} width in CSS pixels
 * @returns {LineStyle}
 */
export function lineStyle(lane, style, width) {
  const dash = DASHES[(lane + Math.floor(lane / 12)) % DASHES.length];
  return { colour: style.getPropertyValue(`--lane-${lane % COLOURS}`).trim(), dash: dash.map((n) => n * width), width };
}
