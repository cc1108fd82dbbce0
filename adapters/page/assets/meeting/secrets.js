// The secrets in the address of the page. They stand after the `#`, so no server and no proxy sees them in a request.

const SECRET = /^[0-9a-f]{32}$/;

/**
 * The secrets of an address: `join` opens a seat, and `host` is the host's own. Each is null if it is not there.
 * @param {string} hash
 */
export function secretsIn(hash) {
  const parts = new URLSearchParams(hash.slice(1));
  /** @param {string} name */
  const secret = (name) => (SECRET.test(parts.get(name) ?? "") ? parts.get(name) : null);
  return { join: secret("join"), host: secret("host") };
}

/**
 * The part of an address with these secrets, `#` included.
 * @param {{ join: string | null, host: string | null }} secrets
 */
export function hashOf({ join, host }) {
  const parts = [host && `host=${host}`, join && `join=${join}`].filter(Boolean);
  return parts.length ? `#${parts.join("&")}` : "";
}

/** The secrets of this page. */
export const secrets = () => secretsIn(globalThis.location?.hash ?? "");
