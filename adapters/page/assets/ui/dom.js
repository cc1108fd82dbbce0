// Creating elements.

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {string | number | boolean | null | undefined | ((event: Event) => unknown)} Attribute */
/** @typedef {string | Node | null | undefined} Child */
/** @typedef {HTMLElement | SVGElement} Found */

/**
 * The element with this id (`elements.d.ts`).
 * @template {Id} I
 * @param {I} id
 */
export const byId = (id) => /** @type {ElementOf<I>} */ (document.getElementById(id));

/**
 * @template {Element} E
 * @param {E} element
 * @param {Record<string, Attribute>} attributes
 * @param {Child[]} children
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/**
 * An HTML element. Attributes whose names begin with `on` are listeners; texts are never parsed as HTML.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} name
 * @param {Record<string, Attribute>} attributes
 * @param {...Child} children
 */
export const html = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);

/**
 * An SVG element.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} name
 * @param {Record<string, Attribute>} attributes
 * @param {...Child} children
 */
export const svg = (name, attributes = {}, ...children) => fill(document.createElementNS(SVG, name), attributes, children);

/**
 * The closest element around the target of an event that a selector finds; null if there is none.
 * @param {Event} event
 * @param {string} selector
 * @returns {Found | null}
 */
export const around = ({ target }, selector) => (target instanceof Element ? target.closest(selector) : null);

/**
 * Fills a live region with texts and elements. The same text stays as it is: a screen reader announces whatever changes.
 * @param {Element} region
 * @param {...(string | Element)} parts
 */
export function announce(region, ...parts) {
  const text = parts.map((part) => (typeof part === "string" ? part : part.textContent)).join("");
  if (region.textContent !== text) region.replaceChildren(...parts);
}

/**
 * Pairs of words as an object: `a 1 b 2`.
 * @param {string[]} words
 */
export function pairs(words) {
  /** @type {Record<string, string>} */
  const object = {};
  for (let at = 0; at + 1 < words.length; at += 2) object[words[at]] = words[at + 1];
  return object;
}
