// The board as a picture: a drawing that needs no style sheet, painted as a PNG.

import { save } from "../files/files.js";
import { t } from "../ui/i18n.js";

/** The width of the picture in pixels. */
const WIDTH = 1000;
/** What style sheets decide about the parts of a drawing. */
const STYLES = ["fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "opacity", "transform"];
const TEXT_STYLES = [...STYLES, "font-family", "font-size", "font-weight", "text-anchor", "dominant-baseline"];
/** Parts that are for playing alone. */
const UNSEEN = ".hit, .mark-origins, .moving";

/**
 * Writes the computed styles of elements into their copies.
 * @param {Element} original
 * @param {Element} copy
 */
function settle(original, copy) {
  const computed = getComputedStyle(original);
  for (const name of original.localName === "text" ? TEXT_STYLES : STYLES) {
    const value = computed.getPropertyValue(name);
    if (value && !(name === "transform" && value === "none")) copy.setAttribute(name, value);
  }
  for (const [at, part] of [...original.children].entries()) settle(part, copy.children[at]);
}

/**
 * A drawing as a text in SVG that looks the same anywhere.
 * @param {SVGSVGElement} root
 */
function textOf(root) {
  const copy = document.importNode(root, true);
  for (const [at, part] of [...root.children].entries()) settle(part, copy.children[at]);
  for (const part of copy.querySelectorAll(UNSEEN)) part.remove();
  const [x, y, width, height] = (root.getAttribute("viewBox") ?? "").split(" ").map(Number);
  const paper = document.createElementNS(root.namespaceURI, "rect");
  for (const [name, value] of Object.entries({ x, y, width, height, fill: getComputedStyle(document.body).backgroundColor }))
    paper.setAttribute(name, String(value));
  copy.prepend(paper);
  const size = { width: WIDTH, height: Math.round((WIDTH * height) / width) };
  for (const [name, value] of Object.entries(size)) copy.setAttribute(name, String(value));
  return { text: new XMLSerializer().serializeToString(copy), size };
}

/**
 * The board of a view as a PNG.
 * @param {BoardView} view
 * @returns {Promise<Blob>}
 */
async function paint(view) {
  const { text, size } = textOf(view.root);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), size);
  canvas.getContext("2d")?.drawImage(image, 0, 0);
  return new Promise((resolve) => canvas.toBlob((picture) => resolve(picture ?? new Blob()), "image/png"));
}

/**
 * Copies the board as a picture. Where the browser does not allow it, the picture is saved as a file.
 * @param {App} app
 */
export async function copyPicture(app) {
  const picture = await paint(app.view);
  try {
    await navigator.clipboard.write([new ClipboardItem({ "image/png": picture })]);
    app.say(t("files.pictureCopied"));
  } catch {
    save(`${app.game.id}.png`, picture, "image/png");
    app.say(t("files.pictureSaved"));
  }
}
