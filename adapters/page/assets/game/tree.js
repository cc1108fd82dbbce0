// The moves of a game as a tree: the main line, and variations in place of its moves (SPEC 19.16).

/** What may be told about a move besides its text, in the words of the reader of records. */
const PARTS = ["score", "depth", "nodes", "timeUs", "glyphs", "text"];
/** The most variations within one another (SPEC 19.16). */
export const MAX_DEPTH = 64;

const isTold = (part) => part !== undefined && part !== "" && !(Array.isArray(part) && part.length === 0);

/** @typedef {Node} TreeNode */

/** A move. The root has none: it is the start of the game. */
class Node {
  children = []; // what was played from here, the main continuation first
  end = null; // how the rules end the game here: { result, reason }
  effects = null; // what the move does, if that is known (SPEC 4.28)
  /** @type {string | null} */
  mover = null; // the side that makes the move, if that is known

  constructor(parent, ply = {}) {
    this.parent = parent;
    this.ply = parent ? parent.ply + 1 : 0;
    this.move = ply.move;
    for (const part of PARTS) if (isTold(ply[part])) this[part] = ply[part];
  }

  /** The nodes from the first move to this one. */
  get path() {
    const path = [];
    for (let node = this; node.parent; node = node.parent) path.push(node);
    return path.reverse();
  }

  /** The main continuation after this move. */
  get rest() {
    const rest = [];
    for (let [node] = this.children; node; [node] = node.children) rest.push(node);
    return rest;
  }

  /** Whether the move is in place of another one. */
  get isVariation() {
    return this.parent !== null && this.parent.children[0] !== this;
  }

  /** The first moves of the variations that this move is part of, the outermost first. */
  get variations() {
    return this.path.filter(({ isVariation }) => isVariation);
  }

  /** The child with this move, which is made if there is none. Null if variations would be too deep within one another. */
  #child(ply) {
    const found = this.children.find(({ move }) => move === ply.move);
    if (found) return found;
    if (this.children.length > 0 && this.variations.length >= MAX_DEPTH) return null;
    const node = new Node(this, ply);
    this.children.push(node);
    return node;
  }

  /** Adds a line of plies with their variations. Returns its nodes. */
  add(plies) {
    const line = [];
    let node = this;
    for (const ply of plies) {
      const parent = node;
      node = parent.#child(ply);
      if (!node) break;
      line.push(node);
      for (const variation of ply.variations ?? []) parent.add(variation);
    }
    return line;
  }
}

export class Tree {
  root = new Node(null);
  #line = []; // the moves that are listed as played: the way to the current one, and on from there
  ply = 0; // how many moves of the line lead to the current one

  /** @param plies the main line: `{ move, score, depth, nodes, timeUs, glyphs, text, variations }`, of which only the move must be there */
  constructor(plies = []) {
    this.#line = this.root.add(plies);
    this.ply = this.#line.length;
  }

  /** The line that the current move is part of, from the start. */
  get line() {
    return this.#line;
  }

  get main() {
    return this.root.rest;
  }

  /** The current move. */
  get node() {
    return this.at(this.ply);
  }

  /** The node after this many moves of the line, at most its last one. */
  at(ply) {
    return this.#line[Math.min(ply, this.#line.length) - 1] ?? this.root;
  }

  /** Whether the current move is on the main line. */
  get isOnMain() {
    return this.node.variations.length === 0;
  }

  /** Makes a node the current one. The line stays if it leads through the node. */
  go(node) {
    if (this.at(node.ply) !== node) this.#line = [...node.path, ...node.rest];
    this.ply = node.ply;
  }

  /** Plays a move at the current one: a known one, or a new continuation. Null if variations would be too deep. */
  play(move) {
    const [node] = this.node.add([{ move }]);
    if (node) this.go(node);
    return node ?? null;
  }

  /** Makes the variations that lead to a node part of the main line. */
  promote(node) {
    for (const first of node.variations) {
      const { children } = first.parent;
      children.unshift(...children.splice(children.indexOf(first), 1));
    }
  }

  /** Deletes a move with everything after it. */
  remove(node) {
    const { parent } = node;
    parent.children.splice(parent.children.indexOf(node), 1);
    if (this.at(node.ply) !== node) return;
    this.#line = [...parent.path, ...parent.rest];
    this.ply = Math.min(this.ply, parent.ply);
  }

  /** Whether there is more than the moves of the main line. */
  get isRich() {
    return [this.root, ...this.main].some((node) => node.children.length > 1 || PARTS.some((part) => isTold(node[part])));
  }

  /** The main line as the plies that the constructor takes. */
  get plies() {
    return pliesFrom(this.root.children[0]);
  }
}

/** The plies of a line from its first node on. The variations of a move stand in place of the main continuation. */
function pliesFrom(first) {
  const line = first ? [first, ...first.rest] : [];
  return line.map((node) => {
    const told = PARTS.filter((part) => isTold(node[part])).map((part) => [part, node[part]]);
    const others = node.isVariation ? [] : node.parent.children.slice(1);
    const variations = others.map(pliesFrom);
    return { move: node.move, ...Object.fromEntries(told), ...(variations.length && { variations }) };
  });
}
