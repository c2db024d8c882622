// @ts-check
/**
 * Loads uPlot (js/vendor/uplot, MIT) when the first plot is drawn. The official build is a classic script
 * that defines a global variable, so a script element loads it.
 */

/** @type {Promise<any>|null} */
let coming = null;

/** Resolves to the uPlot constructor. */
export function uPlot() {
  coming ??= load().catch((error) => {
    coming = null; // the next call tries again
    throw error;
  });
  return coming;
}

async function load() {
  const at = (/** @type {string} */ name) => new URL(`../../js/vendor/uplot/${name}`, import.meta.url).href;
  const sheet = Object.assign(document.createElement("link"), { rel: "stylesheet", href: at("uPlot.min.css") });
  const script = Object.assign(document.createElement("script"), { src: at("uPlot.iife.min.js") });
  await Promise.all([sheet, script].map((element) => new Promise((done, fail) => {
    element.addEventListener("load", done);
    element.addEventListener("error", () => fail(new Error("uPlot could not be fetched")));
    document.head.append(element);
  })));
  return /** @type {any} */ (window).uPlot;
}
