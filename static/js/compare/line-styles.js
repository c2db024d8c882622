// @ts-check
/**
 * How a lane's curve is drawn: colour and dashes together tell up to 24 lanes
 * apart, dashes alone four neighbours. The colours are those of themes.css, safe for
 * the colour-blind (Okabe and Ito 2008, darkened or lightened to be seen on the card).
 */

/** Colours --lane-0 … of the style sheets. */
const COLOURS = 6;

/** Lengths of dashes and gaps, in units of the line's width. */
const DASHES = [[], [5, 2.5], [1.2, 2], [7, 2, 1.2, 2]];

/** @typedef {{colour: string, dash: number[], width: number}} LineStyle */

/**
 * @param {number} lane index in file order
 * @param {CSSStyleDeclaration} style of the page
 * @param {number} width in CSS pixels
 * @returns {LineStyle}
 */
export function lineStyle(lane, style, width) {
  const dash = DASHES[(lane + Math.floor(lane / 12)) % DASHES.length];
  return { colour: style.getPropertyValue(`--lane-${lane % COLOURS}`).trim(), dash: dash.map((n) => n * width), width };
}
