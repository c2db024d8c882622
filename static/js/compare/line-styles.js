// @ts-check
/**
 * Line styles of the lanes' curves. Colours and dashes together distinguish up to 24 lanes. Dashes alone
 * distinguish four adjacent lanes. The colours, defined in themes.css, can be distinguished by colour-blind
 * readers (Okabe and Ito 2008, adjusted for contrast with the card).
 */

/** Number of colours that the style sheets define as --lane-0, --lane-1 and so on. */
const COLOURS = 6;

/** Dash patterns of curves: alternating lengths of dashes and gaps, in line widths. The first line is solid. */
const DASHES = [[], [5, 2.5], [1.2, 2], [7, 2, 1.2, 2]];

/** @typedef {{colour: string, dash: number[], width: number}} LineStyle colour, dashes and width of a lane's curve; lengths are in CSS pixels */

/**
 * Returns a lane's line style.
 * @param {number} lane index in file order
 * @param {CSSStyleDeclaration} style computed style of the root element
 * @param {number} width width of the line, in CSS pixels
 * @returns {LineStyle}
 */
export function lineStyle(lane, style, width) {
  const dash = DASHES[(lane + Math.floor(lane / 12)) % DASHES.length];
  return { colour: style.getPropertyValue(`--lane-${lane % COLOURS}`).trim(), dash: dash.map((n) => n * width), width };
}
