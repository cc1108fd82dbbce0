// Steps through the games embedded in the page. It knows no rules: each move comes with the squares that it changes.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const viewer = document.getElementById("viewer");
  if (!data?.games.length) return;

  const { board } = data;
  const byNumber = new Map(data.games.map((game, index) => [game.number, index]));
  const shown = { game: 0, ply: 0, positions: [] };

  // ---- positions

  const files = [..."abcdefghijklmnopqrstuvwxyz"].slice(0, board.files);

  /** The squares of a board's text, ranks from the top, as in a position text. */
  function squaresOf(text) {
    const squares = new Map();
    text.split("/").forEach((row, fromTop) => {
      let file = 0;
      for (const [, run, piece] of row.matchAll(/(\d+)|([A-Za-z]~?)/g)) {
        if (run) file += Number(run);
        else squares.set(files[file++] + (board.ranks - fromTop), piece);
      }
    });
    return squares;
  }

  /** The position after some changes (see report/replay.rs), or null if it is unknown. */
  function after(before, changes) {
    if (changes === "?") return null;
    const next = { squares: new Map(before?.squares), extra: before?.extra ?? "-", moved: new Set() };
    for (const word of changes.split(" ").filter(Boolean)) {
      if (word[0] === "!") {
        next.squares = squaresOf(word.slice(1));
      } else if (word[0] === "=") {
        next.extra = word.slice(1);
      } else {
        const [, square, piece] = word.match(/^([a-z]\d+)(.*)$/);
        next.moved.add(square);
        if (piece) next.squares.set(square, piece);
        else next.squares.delete(square);
      }
    }
    return next;
  }

  function positionsOf(game) {
    const positions = [after(null, game.start)];
    for (const [, changes] of game.plies) positions.push(after(positions.at(-1), changes));
    return positions;
  }

  // ---- the board

  const SVG = "http://www.w3.org/2000/svg";

  function svg(name, attributes, ...children) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  }

  function html(name, properties, ...children) {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  }

  const place = (square) => [files.indexOf(square[0]) + 0.5, board.ranks - Number(square.slice(1)) + 0.5];

  function nameOf(piece) {
    const { name, owner } = board.pieces[piece] ?? { name: piece, owner: "none" };
    const colours = board.colours ?? ["p1", "p2"];
    return owner === "none" ? name : `${name} of ${colours[owner === "p1" ? 0 : 1]}`;
  }

  function drawPiece(square, piece) {
    const [x, y] = place(square);
    return svg(
      "g",
      {},
      svg("title", {}, `${nameOf(piece)} on ${square}`),
      svg("use", { href: `#piece-${piece}`, x: x - 0.5, y: y - 0.5, width: 1, height: 1 }),
    );
  }

  function drawBoard(position) {
    const root = svg("svg", {
      viewBox: `-0.5 -0.1 ${board.files + 0.6} ${board.ranks + 0.6}`,
      role: "img",
      "aria-label": position ? "the position" : "a position that is not known",
    });
    for (const [a, b] of board.lines) {
      const [[x1, y1], [x2, y2]] = [place(a), place(b)];
      root.append(svg("line", { class: "wire", x1, y1, x2, y2 }));
    }
    for (let rank = board.ranks; rank >= 1; rank--) {
      files.forEach((file, column) => {
        const moved = position?.moved.has(file + rank) ? " moved" : "";
        const [cx, cy] = place(file + rank);
        root.append(
          board.kind === "points"
            ? svg("circle", { class: `point${moved}`, cx, cy, r: moved ? 0.44 : 0.07 })
            : svg("rect", { class: `cell${(column + rank) % 2 ? " other" : ""}${moved}`, x: cx - 0.5, y: cy - 0.5, width: 1, height: 1 }),
        );
      });
      root.append(svg("text", { class: "edge", x: -0.25, y: board.ranks - rank + 0.6 }, String(rank)));
    }
    root.append(...files.map((file, x) => svg("text", { class: "edge", x: x + 0.5, y: board.ranks + 0.35 }, file)));
    for (const [square, piece] of position?.squares ?? []) root.append(drawPiece(square, piece));
    return root;
  }

  // ---- the viewer

  const drawn = html("div", { className: "board" });
  const heading = html("p", {});
  const note = html("p", { className: "quiet" });
  note.setAttribute("aria-live", "polite");
  const moves = html("ol", { tabIndex: 0 });
  moves.setAttribute("aria-label", "Moves");
  // Drawn, since not every font has such arrows.
  const buttons = [
    ["M-6 -6V6M6 -6L-3 0L6 6Z", "start", () => go(0)],
    ["M4 -6L-5 0L4 6Z", "move back", () => go(shown.ply - 1)],
    ["M-4 -6L5 0L-4 6Z", "move on", () => go(shown.ply + 1)],
    ["M6 -6V6M-6 -6L3 0L-6 6Z", "end", () => go(Infinity)],
  ].map(([d, label, onclick]) => {
    const icon = svg("svg", { class: "icon", viewBox: "-8 -8 16 16", "aria-hidden": "true" }, svg("path", { d }));
    const button = html("button", { type: "button", title: label, onclick }, icon);
    button.setAttribute("aria-label", label);
    return button;
  });
  viewer.append(html("div", {}, drawn, html("nav", {}, ...buttons)), html("div", { className: "side" }, heading, note, moves));

  function open(index, ply) {
    const game = data.games[index];
    Object.assign(shown, { game: index, positions: positionsOf(game) });
    const [p1, p2] = game.players.map((player) => data.engines[player]);
    heading.replaceChildren(html("strong", {}, `Game ${game.number}: ${p1} – ${p2}`), ` ${game.result} (${game.reason})`);
    moves.replaceChildren(
      ...game.plies.map(([move], at) => html("li", {}, html("button", { type: "button", onclick: () => go(at + 1) }, `${at + 1}. ${move}`))),
    );
    viewer.hidden = false;
    go(ply);
  }

  function go(ply) {
    const game = data.games[shown.game];
    shown.ply = Math.max(0, Math.min(ply, game.plies.length));
    const position = shown.positions[shown.ply];
    drawn.replaceChildren(drawBoard(position));
    moves.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const current = moves.children[shown.ply - 1]?.firstChild;
    current?.setAttribute("aria-current", "true");
    if (current) moves.scrollTop = current.offsetTop - moves.offsetTop - moves.clientHeight / 2;
    note.textContent = described(game, position);
  }

  function described(game, position) {
    const parts = [`ply ${shown.ply} of ${game.plies.length}`];
    const [move, , side, us, score, depth] = game.plies[shown.ply - 1] ?? [];
    if (move && side) {
      parts.push(`${data.engines[game.players[side - 1]]}: ${move}`, `${(us / 1000).toFixed(1)} ms`);
      if (score) parts.push(score);
      if (depth) parts.push(`depth ${depth}`);
    } else if (move) {
      parts.push(`opening: ${move}`);
    }
    if (!position) parts.push("this position is not known");
    else if (position.extra !== "-") parts.push(`extra ${position.extra}`);
    return parts.join(" · ");
  }

  const keys = {
    ArrowLeft: () => go(shown.ply - 1),
    ArrowRight: () => go(shown.ply + 1),
    Home: () => go(0),
    End: () => go(Infinity),
    PageUp: () => turn(-1),
    PageDown: () => turn(1),
  };

  function turn(step) {
    const game = data.games[shown.game + step];
    if (game) location.hash = `game-${game.number}`;
  }

  // Keys belong to the viewer only while it is in view: they also scroll the page.
  viewer.tabIndex = 0;
  viewer.addEventListener("keydown", (event) => {
    if (!(event.key in keys) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    keys[event.key]();
  });

  function follow(focus) {
    const index = byNumber.get(Number(location.hash.replace("#game-", "")));
    open(index ?? 0, 0);
    if (index !== undefined && focus) {
      viewer.scrollIntoView({ block: "nearest" });
      viewer.focus({ preventScroll: true });
    }
  }

  addEventListener("hashchange", () => follow(true));
  follow(location.hash !== "");
})();
