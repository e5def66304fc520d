// boardgame.io with tic-tac-toe and its storage in files: `PORT=8001 DATA_DIR=folder node server.js`, on loopback.
"use strict";

const { FlatFile, Server } = require("boardgame.io/server");

const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

const isOver = (cells) =>
  cells.every((cell) => cell !== null)
  || LINES.some(([a, b, c]) => cells[a] !== null && cells[a] === cells[b] && cells[a] === cells[c]);

// Never over: a load of many moves needs no new matches, because the next game begins on a clear board.
const game = {
  name: "tic-tac-toe",
  minPlayers: 2,
  maxPlayers: 2,
  setup: () => ({ cells: Array(9).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    clickCell: ({ G, playerID }, cell) => {
      if (G.cells[cell] !== null) return "INVALID_MOVE";
      G.cells[cell] = playerID;
      if (isOver(G.cells)) G.cells.fill(null);
    },
  },
};

const port = Number(process.env.PORT);
const server = Server({
  games: [game],
  db: new FlatFile({ dir: process.env.DATA_DIR }),
  origins: [`http://127.0.0.1:${port}`],
});
server.run({ port: { host: "127.0.0.1", port } });
