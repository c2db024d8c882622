// @ts-check
/** Saves files that the page has created. */
import { html } from "./dom.js";

/** Saves a file. @param {Blob} blob @param {string} name */
export function download(blob, name) {
  const href = URL.createObjectURL(blob);
  html("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 1000); // the browser has read it by then
}
