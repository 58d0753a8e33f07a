/* Codes, responses and trees: what the page knows, apart from how it shows it. Functions of their
 * arguments only, so that they can be tried out by name in the console of a browser.
 */
"use strict";

/* ---- Codes and responses ---- */

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_.!";

/** The id of a response: common (common + 1) / 2 + bulls, as in moo_research.rules. */
function responseId(bulls, cows) {
  const common = bulls + cows;
  return (common * (common + 1)) / 2 + bulls;
}

function responseOfId(id) {
  const common = Math.floor((Math.sqrt(8 * id + 1) - 1) / 2);
  const bulls = id - (common * (common + 1)) / 2;
  return { bulls, cows: common - bulls };
}

function responseText(id) {
  const { bulls, cows } = responseOfId(id);
  return `${bulls}B${cows}C`;
}

function responseInWords(id) {
  const { bulls, cows } = responseOfId(id);
  return `${counted(bulls, "bull")}, ${counted(cows, "cow")}`;
}

/** The id of the response to `guess` if `secret` is the secret. */
function respond(guess, secret) {
  let bulls = 0;
  let common = 0;
  const left = new Map();
  for (const symbol of secret) left.set(symbol, (left.get(symbol) ?? 0) + 1);
  for (let i = 0; i < guess.length; i++) {
    if (guess[i] === secret[i]) bulls++;
    const unmatched = left.get(guess[i]) ?? 0;
    if (unmatched > 0) {
      common++;
      left.set(guess[i], unmatched - 1);
    }
  }
  return responseId(bulls, common - bulls);
}

const NOTATIONS = [
  /^(?<bulls>\d+)\s*b\s*(?<cows>\d+)\s*c$/,
  /^(?<bulls>\d+)\s*[ah]\s*(?<cows>\d+)\s*b$/,
  /^(?<bulls>\d+)(?:\s*,\s*|\s+)(?<cows>\d+)$/,
  /^(?<bulls>\d)(?<cows>\d)$/,
  /^eat\s*(?<bulls>\d+)[\s,]*bite\s*(?<cows>\d+)$/,
  /^b(?:alls?)?\s*(?<balls>\d+)[\s,]*s(?:trikes?)?\s*(?<bulls>\d+)$/,
  /^s(?:trikes?)?\s*(?<bulls>\d+)[\s,]*b(?:alls?)?\s*(?<balls>\d+)$/,
];

/** Read a response in any notation that the command line reads; null if it is none. */
function readResponse(text) {
  const words = text.trim().toLowerCase();
  for (const notation of NOTATIONS) {
    const groups = notation.exec(words)?.groups;
    if (!groups) continue;
    const bulls = Number(groups.bulls);
    // Balls count strikes too.
    const cows = groups.cows === undefined ? Number(groups.balls) - bulls : Number(groups.cows);
    return cows < 0 ? null : responseId(bulls, cows);
  }
  return null;
}

/** The ids of the responses that words begin with, as far as they are among those `allowed`. */
function readResponses(words, allowed) {
  const responses = words.map(readResponse);
  const unread = responses.findIndex((response) => !allowed.includes(response));
  return unread < 0 ? responses : responses.slice(0, unread);
}

/* ---- Trees ---- */

/**
 * Unfold a tree. Nodes are numbers in the order of the file, parents first, so that the nodes below
 * node i are i + 1 to end[i] - 1. Of each node: `depth` is the number of its guess; `size` counts its
 * candidates; `best`, `worst` and `total` are the guesses that they take, from the first on.
 */
function unfold(data, positions) {
  const nodes = data.wins.length;
  const tree = {
    name: data.name,
    cost: data.cost,
    totalCost: data.totalCost,
    positions,
    guesses: data.guesses,
    nodes,
    wins: Uint8Array.from(data.wins, Number),
    responses: Uint8Array.from(data.responses, (digit) => DIGITS.indexOf(digit)),
    parent: new Int32Array(nodes),
    end: new Int32Array(nodes),
    depth: new Uint8Array(nodes),
    size: new Int32Array(nodes),
    best: new Uint8Array(nodes),
    worst: new Uint8Array(nodes),
    total: new Float64Array(nodes),
  };
  const open = [];
  for (let node = 0; node < nodes; node++) {
    const above = open.at(-1);
    tree.parent[node] = above ? above.node : -1;
    if (above) above.parts--;
    open.push({ node, parts: DIGITS.indexOf(data.parts[node]) });
    tree.depth[node] = open.length;
    while (open.length && open.at(-1).parts === 0) tree.end[open.pop().node] = node + 1;
  }
  tree.best.fill(255);
  for (let node = nodes - 1; node >= 0; node--) {
    if (tree.wins[node]) {
      const guesses = tree.depth[node];
      tree.size[node] += 1;
      tree.total[node] += guesses;
      tree.best[node] = Math.min(tree.best[node], guesses);
      tree.worst[node] = Math.max(tree.worst[node], guesses);
    }
    const parent = tree.parent[node];
    if (parent < 0) continue;
    tree.size[parent] += tree.size[node];
    tree.total[parent] += tree.total[node];
    tree.best[parent] = Math.min(tree.best[parent], tree.best[node]);
    tree.worst[parent] = Math.max(tree.worst[parent], tree.worst[node]);
  }
  return tree;
}

/** The response to a guess that is the secret. */
function winOf(tree) {
  return responseId(tree.positions, 0);
}

function guessAt(tree, node) {
  return tree.guesses.slice(node * tree.positions, (node + 1) * tree.positions);
}

/** The parts of a node: response id -> node, in order of response id. */
function partsOf(tree, node) {
  const parts = new Map();
  for (let part = node + 1; part < tree.end[node]; part = tree.end[part]) {
    parts.set(tree.responses[part], part);
  }
  return parts;
}

/** The candidates of a node with the guesses they take, in lexicographic order. */
function candidatesOf(tree, node) {
  const candidates = [];
  for (let below = node; below < tree.end[node]; below++) {
    if (tree.wins[below]) candidates.push({ code: guessAt(tree, below), guesses: tree.depth[below] });
  }
  return candidates.sort((a, b) => (a.code < b.code ? -1 : 1));
}

/** Candidates of a node solved at guess 1, 2, ..., the worst of the whole tree. */
function histogramOf(tree, node) {
  const histogram = new Array(tree.worst[0]).fill(0);
  for (let below = node; below < tree.end[node]; below++) {
    if (tree.wins[below]) histogram[tree.depth[below] - 1]++;
  }
  return histogram;
}

/** The response ids that lead to a node. */
function responsesTo(tree, node) {
  const responses = [];
  for (let at = node; at > 0; at = tree.parent[at]) responses.unshift(tree.responses[at]);
  return responses;
}

/**
 * Follow responses from the first guess: `turns` made, the `node` come to, whether it is `solved`, and
 * `left`, the responses from the first that no candidate gives.
 */
function follow(tree, responses) {
  const turns = [];
  let node = 0;
  for (const [index, response] of responses.entries()) {
    const next = partsOf(tree, node).get(response);
    const solved = response === winOf(tree) && tree.wins[node] === 1;
    if (next === undefined && !solved) {
      return { turns, node, solved: false, left: responses.slice(index) };
    }
    turns.push({ node, response });
    if (solved) return { turns, node, solved: true, left: [] };
    node = next;
  }
  return { turns, node, solved: false, left: [] };
}

/** The game of a secret: its turns, the winning one last. */
function gameOf(tree, secret) {
  const turns = [];
  let node = 0;
  for (;;) {
    const response = respond(guessAt(tree, node), secret);
    turns.push({ node, response });
    if (response === winOf(tree)) return turns;
    node = partsOf(tree, node).get(response);
  }
}

/** Nodes that guess `code`, the one where it wins among them. */
function placesOf(tree, code) {
  const places = [];
  for (let node = 0; node < tree.nodes; node++) {
    if (guessAt(tree, node) === code) places.push(node);
  }
  return places;
}

/**
 * Which single answer could be wrong, where all together fit no code: turns with the responses that
 * some code would have given there, the other answers being right.
 */
function suspectsOf(tree, answers) {
  const suspects = answers.map(() => new Map());
  for (let node = 0; node < tree.nodes; node++) {
    if (!tree.wins[node]) continue;
    const secret = guessAt(tree, node);
    let wrong = -1;
    let others = 0;
    for (const [turn, { guess, response }] of answers.entries()) {
      if (respond(guess, secret) === response) continue;
      others += wrong >= 0;
      wrong = turn;
    }
    if (others || wrong < 0) continue;
    const response = respond(answers[wrong].guess, secret);
    suspects[wrong].set(response, (suspects[wrong].get(response) ?? 0) + 1);
  }
  return suspects;
}

/** Walk two trees side by side: the pairs of nodes where they first guess different codes. */
function whereTheyPart(first, second) {
  const parting = [];
  const pairs = [{ ours: 0, theirs: 0 }];
  while (pairs.length) {
    const pair = pairs.pop();
    if (guessAt(first, pair.ours) !== guessAt(second, pair.theirs)) {
      parting.push(pair);
      continue;
    }
    const parts = partsOf(second, pair.theirs);
    for (const [response, ours] of partsOf(first, pair.ours)) {
      pairs.push({ ours, theirs: parts.get(response) });
    }
  }
  return parting.sort((a, b) => first.size[b.ours] - first.size[a.ours] || a.ours - b.ours);
}

/** Over all secrets: how many the first tree finds sooner than the second, as soon, and later. */
function sameSecrets(ours, theirs) {
  const guesses = new Map(candidatesOf(theirs, 0).map(({ code, guesses }) => [code, guesses]));
  const counts = { sooner: 0, same: 0, later: 0 };
  for (const { code, guesses: taken } of candidatesOf(ours, 0)) {
    const sign = Math.sign(taken - guesses.get(code));
    counts[sign < 0 ? "sooner" : sign > 0 ? "later" : "same"]++;
  }
  return counts;
}

/** Whether `wanted` stands somewhere in the code, `?` being any symbol. */
function matches(code, wanted) {
  for (let at = 0; at + wanted.length <= code.length; at++) {
    if ([...wanted].every((symbol, i) => symbol === "?" || symbol === code[at + i])) return true;
  }
  return false;
}

/* ---- Places: what the address remembers after its # ---- */

/** `#2/walk/0B1C/1B1C`: the second tree, the view, and what the view is to show. */
function readPlace(hash, trees, views) {
  const words = hash.replace(/^#/, "").split("/").map(decoded);
  const tree = words[0] === "2" && trees > 1 ? 1 : 0;
  if (words[0] === "2") words.shift();
  const view = Object.hasOwn(views, words[0]) ? words.shift() : "walk";
  return { tree, view, rest: words.filter((word) => word !== "") };
}

function decoded(word) {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}

function placeHash(tree, view, rest = []) {
  return "#" + [...(tree ? ["2"] : []), view, ...rest].map(encodeURIComponent).join("/");
}

/* ---- Words ---- */

/** A number as people write it: 5040, 26,274. */
function written(number) {
  return number < 10000 ? String(number) : number.toLocaleString("en-US");
}

function counted(number, one, many = `${one}s`) {
  return `${written(number)} ${number === 1 ? one : many}`;
}

function meanText(total, size) {
  return (total / size).toFixed(4);
}

function ruleWords(rules) {
  const kind = rules.repeats ? "repeats allowed" : "all distinct";
  const zero = rules.leadingZero ? "" : `, no leading ${rules.alphabet[0]}`;
  const positions = counted(rules.positions, "position");
  return `${positions}, ${counted(rules.alphabet.length, "symbol")}, ${kind}${zero}`;
}

function codeWords(rules) {
  const { alphabet, positions, repeats, leadingZero } = rules;
  const symbols = alphabet.length < 3 ? [...alphabet].join(" and ") : `${alphabet[0]} to ${alphabet.at(-1)}`;
  const different = repeats || positions === 1 ? "" : "different ";
  const noun = positions === 1 ? "symbol" : "symbols";
  const zero = leadingZero ? "" : `, the first not ${alphabet[0]}`;
  return `${positions} ${different}${noun} out of ${symbols}${zero}`;
}
