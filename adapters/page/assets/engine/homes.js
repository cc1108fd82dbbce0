// The servers whose engines this page may use. `leap web --export --engine-at URL` replaces this file.

/** @type {string[]} */
export const homes = [];
