// The moves of a game as a tree: the main line, and variations in place of its moves (SPEC 19.16).

/** What may be told about a move besides its text, in the words of the reader of records. */
/** @typedef {"score" | "depth" | "nodes" | "timeUs" | "glyphs" | "text"} Part */
/** @type {Part[]} */
const PARTS = ["score", "depth", "nodes", "timeUs", "glyphs", "text"];
/** The most variations within one another (SPEC 19.16). */
export const MAX_DEPTH = 64;

/** @param {unknown} part */
const isTold = (part) => part !== undefined && part !== "" && !(Array.isArray(part) && part.length === 0);

/**
 * What is told about a move.
 * @param {Pick<Ply, Part>} ply
 */
const toldOf = (ply) => Object.fromEntries(PARTS.filter((part) => isTold(ply[part])).map((part) => [part, ply[part]]));

/** @typedef {Node} TreeNode */

/** A move. The root has none: it is the start of the game. */
class Node {
  /** @type {Node[]} */
  children = []; // what was played from here, the main continuation first
  /** @type {Verdict | null} */
  end = null; // how the rules end the game here
  /** @type {Effect[] | null} */
  effects = null; // what the move does, if that is known (SPEC 4.28)
  /** @type {Side | null} */
  mover = null; // the side that makes the move, if that is known
  /** @type {Ply["score"]} */
  score;
  /** @type {number | undefined} */
  depth;
  /** @type {number | undefined} */
  nodes;
  /** @type {number | undefined} */
  timeUs;
  /** @type {number[] | undefined} */
  glyphs;
  /** @type {string | undefined} */
  text;

  /**
   * @param {TreeNode | null} parent
   * @param {Partial<Ply>} ply
   */
  constructor(parent, ply = {}) {
    this.parent = parent;
    /** @type {number} */
    this.ply = parent ? parent.ply + 1 : 0;
    this.move = ply.move ?? "";
    Object.assign(this, toldOf(ply));
  }

  /** The nodes from the first move to this one. */
  get path() {
    const path = [];
    /** @type {Node} */
    let node = this;
    for (; node.parent; node = node.parent) path.push(node);
    return path.reverse();
  }

  /** The main continuation after this move. */
  get rest() {
    const rest = [];
    for (let [node] = this.children; node; [node] = node.children) rest.push(node);
    return rest;
  }

  /** The moves in place of which this one was played, itself among them, the main continuation first. */
  get siblings() {
    return this.parent?.children ?? [this];
  }

  /** Whether the move is in place of another one. */
  get isVariation() {
    return this.siblings[0] !== this;
  }

  /**
   * The first moves of the variations that this move is part of, the outermost first.
   * @returns {Node[]}
   */
  get variations() {
    return this.path.filter(({ isVariation }) => isVariation);
  }

  /**
   * The child with this move, which is made if there is none. Null if variations would be too deep within one another.
   * @param {Ply} ply
   */
  #child(ply) {
    const found = this.children.find(({ move }) => move === ply.move);
    if (found) return found;
    if (this.children.length > 0 && this.variations.length >= MAX_DEPTH) return null;
    const node = new Node(this, ply);
    this.children.push(node);
    return node;
  }

  /**
   * Adds a line of plies with their variations. Returns its nodes.
   * @param {Ply[]} plies
   */
  add(plies) {
    const line = [];
    /** @type {Node} */
    let parent = this;
    for (const ply of plies) {
      const node = parent.#child(ply);
      if (!node) break;
      line.push(node);
      for (const variation of ply.variations ?? []) parent.add(variation);
      parent = node;
    }
    return line;
  }
}

export class Tree {
  root = new Node(null);
  /** @type {Node[]} */
  #line = []; // the moves that are listed as played: the way to the current one, and on from there
  ply = 0; // how many moves of the line lead to the current one

  /** @param {Ply[]} plies the main line: `{ move, score, depth, nodes, timeUs, glyphs, text, variations }`, of which only the move must be there */
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

  /**
   * The node after this many moves of the line, at most its last one.
   * @param {number} ply
   */
  at(ply) {
    return this.#line[Math.min(ply, this.#line.length) - 1] ?? this.root;
  }

  /** Whether the current move is on the main line. */
  get isOnMain() {
    return this.node.variations.length === 0;
  }

  /**
   * Makes a node the current one. The line stays if it leads through the node.
   * @param {TreeNode} node
   */
  go(node) {
    if (this.at(node.ply) !== node) this.#line = [...node.path, ...node.rest];
    this.ply = node.ply;
  }

  /**
   * Plays a move at the current one: a known one, or a new continuation. Null if variations would be too deep.
   * @param {string} move
   */
  play(move) {
    const [node] = this.node.add([{ move }]);
    if (node) this.go(node);
    return node ?? null;
  }

  /**
   * Makes the variations that lead to a node part of the main line.
   * @param {TreeNode} node
   */
  promote(node) {
    for (const first of node.variations) {
      const { siblings } = first;
      siblings.unshift(...siblings.splice(siblings.indexOf(first), 1));
    }
  }

  /**
   * Deletes a move with everything after it.
   * @param {TreeNode} node
   */
  remove(node) {
    const { parent } = node;
    if (!parent) return;
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

/**
 * The plies of a line from its first node on. The variations of a move stand in place of the main continuation.
 * @param {TreeNode | undefined} first
 * @returns {Ply[]}
 */
function pliesFrom(first) {
  const line = first ? [first, ...first.rest] : [];
  return line.map((node) => {
    const others = node.isVariation ? [] : node.siblings.slice(1);
    const variations = others.map(pliesFrom);
    return { move: node.move, ...toldOf(node), ...(variations.length && { variations }) };
  });
}
