// @ts-check
/** The entry point of the page /scenarios. */
import { Gallery } from "./gallery.js";
import { byId } from "../core/dom.js";
import { setTexts } from "../core/texts.js";

setTexts(JSON.parse(byId("texts").textContent));
const gallery = new Gallery(byId("gallery"));
addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target === gallery.search) return;
  event.preventDefault();
  gallery.search.focus();
});
