// @ts-check
/**
 * Rasterises SVG pictures. The pictures are combined in one SVG document with the rules of pictures.css and the
 * page's colours, and the document is drawn as an image. The document has no external references, so that the
 * pixels of the canvas remain readable.
 */

/** Matches the selectors of rules that position a picture on the page. The film omits these rules. */
const PLACING = /> svg|@|\.lanes|\.corner|\.heat-|\.slot-|\.strip|\.queue|\.stage|data-size/;

/** The rules of pictures.css, and the names of the custom properties they use. @type {Promise<{text: string, names: string[]}>|undefined} */
let sheet;

async function read() {
  const answer = await fetch(new URL("../../css/pictures.css", import.meta.url));
  if (!answer.ok) throw new Error(`pictures.css: ${answer.status}`);
  const parsed = new CSSStyleSheet();
  parsed.replaceSync(await answer.text());
  const list = [...parsed.cssRules].filter((rule) => rule instanceof CSSStyleRule && !PLACING.test(rule.selectorText) && rule.selectorText !== ".picture");
  const text = list.map((rule) => rule.cssText).join("\n");
  return { text, names: [...new Set(text.match(/--[\w-]+/g) ?? [])] };
}

/**
 * Returns a style rule with the page's current values of the named custom properties.
 * @param {string[]} names
 */
function colours(names) {
  const style = getComputedStyle(document.documentElement);
  const own = names.map((name) => [name, style.getPropertyValue(name).trim()]).filter(([, value]) => value);
  return `:root{${own.map(([name, value]) => `${name}:${value};`).join("")}}`;
}

/**
 * Draws pictures, each in a square of its own, and returns the image.
 * @param {{box: Element, info: any, x: number, y: number, side: number}[]} pictures @param {number} width pixels @param {number} height
 * @returns {Promise<ImageBitmap>}
 */
export async function rasterise(pictures, width, height) {
  const rules = await (sheet ??= read().catch((error) => { sheet = undefined; throw error; }));
  const serial = new XMLSerializer();
  const parts = pictures.map(({ box, info, x, y, side }) => {
    const copy = /** @type {Element} */ (box.querySelector("svg")?.cloneNode(true));
    for (const [name, value] of Object.entries({ x, y, width: side, height: side, overflow: "visible" })) copy.setAttribute(name, String(value));
    return `<g class="lane" data-algorithm="${info.algorithm}"><g class="picture">${serial.serializeToString(copy)}</g></g>`;
  });
  const text = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><style>${escaped(colours(rules.names) + rules.text)}</style>${parts.join("")}</svg>`;
  const image = new Image(width, height);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  return createImageBitmap(image);
}

/** Escapes a text for XML. @param {string} text */
function escaped(text) {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
}
