// Reading files: the server of the page does it.
//
// In a page without a server, exported/reading.js takes the place of this file.

import { t } from "../ui/i18n.js";

/**
 * Resolves to `{ games }` of a file, or to a refusal `{ line, text, kind, ... }`; rejects with a reason for people if nobody answers.
 * @param {Blob} file
 */
export async function ask(file) {
  const response = await fetch("games", { method: "POST", body: file }).catch(() => null);
  const answer = await response?.json().catch(() => null);
  if (response?.ok ? answer?.games : answer?.text) return answer;
  throw new Error(t("files.notRead"));
}
