// @ts-check
/** Elements of a picture as plain values, written as SVG or into the document. */

/**
 * @typedef {Record<string, string|number|undefined>} Attributes an attribute that is undefined is left out. `key` is none: it
 *   identifies an element among its siblings, so that it stays the same element when others come or go; either all have one or none
 */
/** @typedef {[string, Attributes, (Node_[]|string)?]} Node_ name, attributes, and children or text of an element */

import { setText } from "../core/dom.js";

const NAMESPACE = "http://www.w3.org/2000/svg";
/** Number of parts of pictures that are kept. */
const KEPT_MAX = 2048;
/** @type {Map<string, Node_[]>} */
const kept = new Map();

/**
 * Returns the elements that `make` makes, which are determined by the key, and makes them only once.
 * @param {string} key @param {() => Node_[]} make @returns {Node_[]}
 */
export function once(key, make) {
  let nodes = kept.get(key);
  if (nodes) return nodes;
  if (kept.size >= KEPT_MAX) kept.clear();
  kept.set(key, (nodes = make()));
  return nodes;
}

/** @type {WeakMap<Element, {attributes: Attributes, text: string, content?: Node_[]|string}>} what was written to each element */
const written = new WeakMap();

/** Returns elements as SVG. @param {Node_[]} nodes @returns {string} */
export function markup(nodes) {
  return nodes.map(([name, attributes, content]) => {
    const list = Object.entries(attributes).filter(([k, v]) => v !== undefined && k !== "key").map(([k, v]) => ` ${k}="${escape(String(v))}"`).join("");
    return `<${name}${list}>${typeof content === "string" ? escape(content) : markup(content ?? [])}</${name}>`;
  }).join("");
}

/** @param {string} text */
const escape = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");

/** Makes the children of an element equal to nodes, and writes only what has changed. @param {Element} parent @param {Node_[]} nodes */
export function paint(parent, nodes) {
  const children = parent.childNodes;
  const keys = new Set(nodes.map((node) => node[1].key));
  for (const child of [...children]) if (!keys.has(keyOf(child))) child.remove();
  nodes.forEach((node, i) => {
    let element = /** @type {Element|undefined} */ (children[i]);
    const key = node[1].key;
    if (element && keyOf(element) !== key) { // another order, or new
      const known = [...children].find((child) => keyOf(child) === key);
      element = /** @type {Element|undefined} */ (known ? parent.insertBefore(known, element) : undefined);
    }
    if (!element || element.nodeName !== node[0] || !written.has(element)) {
      const made = document.createElementNS(NAMESPACE, node[0]);
      written.set(made, { attributes: {}, text: "" });
      if (element) element.replaceWith(made);
      else parent.insertBefore(made, children[i] ?? null);
      element = made;
    }
    write(element, node);
  });
  while (children.length > nodes.length) children[children.length - 1].remove();
}

/** @param {Node} node */
const keyOf = (node) => written.get(/** @type {Element} */ (node))?.attributes.key;

/** Writes an element. @param {Element} element @param {Node_} node */
function write(element, [, attributes, content]) {
  const old = /** @type {{attributes: Attributes, text: string, content?: Node_[]|string}} */ (written.get(element));
  if (old.attributes === attributes && old.content === content) return;
  for (const key in old.attributes) if (attributes[key] === undefined) element.removeAttribute(key);
  for (const key in attributes) {
    const value = attributes[key];
    if (value !== undefined && value !== old.attributes[key] && key !== "key") element.setAttribute(key, String(value));
  }
  old.attributes = attributes;
  if (Array.isArray(content) && old.content === content) return;
  old.content = content;
  if (typeof content === "string") {
    if (content !== old.text) setText(element, content);
    old.text = content;
    return;
  }
  if (old.text) {
    element.textContent = "";
    old.text = "";
  }
  paint(element, content ?? []);
}
