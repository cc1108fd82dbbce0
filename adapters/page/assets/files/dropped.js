// Files and texts that are dropped or pasted anywhere on the page.

import { byId } from "../ui/dom.js";
import { t } from "../ui/i18n.js";
import { openFile, openText } from "./opened.js";

/** Fields in which a pasted text is a person's own writing, and dialogs that await an answer. */
const FIELDS = "input:not([type=checkbox], [type=radio]), textarea, [contenteditable]";
const isBusy = (target) => Boolean(target.closest?.(FIELDS) || document.querySelector("dialog[open]"));

/**
 * Opens files or a text that a person has dropped on the page or pasted.
 * @param {App} app
 */
async function openAny(app, { files, text }) {
  if (files.length > 1) return app.guarded(() => Promise.reject(new Error(t("files.oneAtATime", { n: files.length }))));
  if (files.length === 1) return openFile(app, files[0]);
  if (text.trim()) return openText(app, text);
}

/** The content of a drop or of the clipboard. It can be read only while its event is handled. */
const contents = (transfer) => ({ files: [...transfer.files], text: transfer.getData("text/plain") });

/** @param {App} app */
export function listenToDrops(app) {
  const area = byId("drop");
  let isOwn = false; // what is dragged is a part of the page
  /** @param {any} event */
  const isForUs = ({ dataTransfer, target }) => {
    const kinds = dataTransfer?.types ?? [];
    return !isOwn && !document.querySelector("dialog[open]") && (kinds.includes("Files") || (kinds.includes("text/plain") && !isBusy(target)));
  };
  addEventListener("dragstart", () => {
    isOwn = true;
  });
  addEventListener("dragend", () => {
    isOwn = false;
  });
  for (const type of ["dragenter", "dragover"]) {
    addEventListener(type, (/** @type {any} */ event) => {
      area.hidden = !isForUs(event);
      if (area.hidden) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "copy";
    });
  }
  // The pointer that goes from one element of the page to another has not left the page.
  addEventListener("dragleave", ({ relatedTarget }) => {
    area.hidden ||= relatedTarget === null;
  });
  addEventListener("drop", (event) => {
    area.hidden = true;
    if (!isForUs(event)) return;
    event.preventDefault();
    openAny(app, contents(event.dataTransfer));
  });
  addEventListener("paste", (event) => {
    if (isBusy(event.target) || !event.clipboardData) return;
    event.preventDefault();
    openAny(app, contents(event.clipboardData));
  });
}
