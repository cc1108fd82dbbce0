// What `leap web --export` writes above the service worker.

/** A hash of all files of the page. */
declare const VERSION: string;
/** The paths of the files. */
declare const FILES: string[];
