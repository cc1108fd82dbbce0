// Creating elements.

const SVG = "http://www.w3.org/2000/svg";

/**
 * The element with this id. Its kind is known where it is used.
 *
 * @type {(id: string) => any}
 */
export const byId = (id) => document.getElementById(id);

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** An HTML element. Attributes whose names begin with `on` are listeners; texts are never parsed as HTML. */
export const html = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);

/** An SVG element. */
export const svg = (name, attributes = {}, ...children) => fill(document.createElementNS(SVG, name), attributes, children);

/** Fills a live region with texts and elements. The same text stays as it is: a screen reader announces whatever changes. */
export function announce(region, ...parts) {
  const text = parts.map((part) => part.textContent ?? part).join("");
  if (region.textContent !== text) region.replaceChildren(...parts);
}

/** Pairs of words as an object: `a 1 b 2`. */
export function pairs(words) {
  const object = {};
  for (let at = 0; at + 1 < words.length; at += 2) object[words[at]] = words[at + 1];
  return object;
}
