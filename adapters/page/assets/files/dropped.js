// Files and texts that are dropped or pasted anywhere on the page.

import { around, byId } from "../ui/dom.js";
import { t } from "../ui/i18n.js";
import { openFile, openText } from "./opened.js";

/** Fields in which a pasted text is a person's own writing, and dialogs that await an answer. */
const FIELDS = "input:not([type=checkbox], [type=radio]), textarea, [contenteditable]";
/** @param {Event} event */
const isBusy = (event) => around(event, FIELDS) !== null || document.querySelector("dialog[open]") !== null;

/**
 * Opens files or a text that a person has dropped on the page or pasted.
 * @param {App} app
 * @param {{ files: File[], text: string }} content
 */
async function openAny(app, { files, text }) {
  if (files.length > 1) return app.guarded(() => Promise.reject(new Error(t("files.oneAtATime", { n: files.length }))));
  if (files.length === 1) return openFile(app, files[0]);
  if (text.trim()) return openText(app, text);
}

/**
 * The content of a drop or of the clipboard. It can be read only while its event is handled.
 * @param {DataTransfer | null} transfer
 */
const contents = (transfer) => ({ files: [...(transfer?.files ?? [])], text: transfer?.getData("text/plain") ?? "" });

/** @param {App} app */
export function listenToDrops(app) {
  const area = byId("drop");
  let isOwn = false; // what is dragged is a part of the page
  /** @param {DragEvent} event */
  const isForUs = (event) => {
    const kinds = event.dataTransfer?.types ?? [];
    return !isOwn && !document.querySelector("dialog[open]") && (kinds.includes("Files") || (kinds.includes("text/plain") && !isBusy(event)));
  };
  /** @param {DragEvent} event */
  const show = (event) => {
    area.hidden = !isForUs(event);
    if (area.hidden) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = "copy";
  };
  addEventListener("dragstart", () => {
    isOwn = true;
  });
  addEventListener("dragend", () => {
    isOwn = false;
  });
  addEventListener("dragenter", show);
  addEventListener("dragover", show);
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
    if (isBusy(event) || !event.clipboardData) return;
    event.preventDefault();
    openAny(app, contents(event.clipboardData));
  });
}
