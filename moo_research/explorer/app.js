/* The views: each a function from a place to elements. No figure is kept here: all are counted from
 * the trees in the element #data, which moo_research/explorer/__init__.py writes and describes.
 * Texts reach the page as text nodes only, never as markup.
 */
"use strict";

/* ---- Making elements ---- */

/** Make an element: `on` adds listeners, `share` sets the width of a bar; other keys are attributes. */
function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "on") {
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    } else if (key === "share") {
      element.style.setProperty("--share", `${(100 * value).toFixed(2)}%`);
    } else {
      element.setAttribute(key, value === true ? "" : value);
    }
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null));
  return element;
}

function code(text) {
  return h("code", {}, text);
}

/** A code as tiles, read out symbol by symbol. */
function tiles(text, kind = "") {
  const symbols = [...text].map((symbol) => h("span", {}, symbol));
  return h("span", { class: `tiles ${kind}`, role: "img", "aria-label": [...text].join(" ") }, symbols);
}

function paragraph(...content) {
  return h("p", {}, content);
}

function quiet(...content) {
  return h("p", { class: "quiet" }, content);
}

function button(text, href, id = null) {
  return h("a", { class: "button", href, id }, text);
}

/** The heading that is read out when a view opens. */
function heading(...content) {
  return h("h2", { id: "heading", tabindex: "-1" }, content);
}

/** A card named by the element `label` in it, or by nothing. */
function card(label, ...content) {
  return h("section", { class: "card", "aria-labelledby": label }, content);
}

/** Two columns side by side, or one below the other where there is no room. */
function columns(left, right) {
  return h("div", { class: "columns" }, h("div", {}, left), h("div", {}, right));
}

function facts(pairs) {
  const rows = pairs.map(([name, ...value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)));
  return h("dl", { class: "facts" }, rows);
}

/**
 * A table, in a box where it can be moved sideways. Of each column the `head`, if it has one, and the
 * `kind` of its cells: "figure" sets them right, "wide" leaves them out on a narrow screen. The first
 * cell of a row heads it.
 */
function table(caption, columns, rows, kind = "rows", shown = false) {
  const head = columns.map((column) =>
    column.head
      ? h("th", { scope: "col", class: column.kind }, column.head)
      : h("td", { class: column.kind }),
  );
  return h(
    "div",
    { class: "scroll" },
    h(
      "table",
      { class: kind },
      h("caption", { class: shown ? null : "hidden" }, caption),
      columns.some((column) => column.head) ? h("thead", {}, h("tr", {}, head)) : null,
      h(
        "tbody",
        {},
        rows.map((cells) => tableRow(columns, cells)),
      ),
    ),
  );
}

function tableRow(columns, [first, ...cells]) {
  const others = cells.map((content, i) => h("td", { class: columns[i + 1].kind }, content));
  return h("tr", {}, h("th", { scope: "row" }, first), others);
}

function bar(share, kind = "") {
  return share === 0 ? null : h("span", { class: `bar ${kind}`, "aria-hidden": "true", share });
}

/** The colour of a tree, beside its name. */
function key(index) {
  return bar(1, `key series-${index + 1}`);
}

/**
 * Bars of how many secrets are solved at each guess. `series`: the histogram of one tree, or of both;
 * `from`: the first guess shown; `link(guess)`: where its number leads; `current`: the guess looked at.
 */
function bars(caption, series, { from = 1, link = null, current = null } = {}) {
  const guesses = Math.max(...series.map((histogram) => histogram.length));
  const most = Math.max(...series.flat());
  // Two names would leave the bars no room: a key stands for each, explained below.
  const two = series.length > 1;
  const heads = two
    ? series.map((_, i) => [key(i), h("span", { class: "hidden" }, treeName(i))])
    : ["Secrets"];
  const rows = Array.from({ length: guesses - from + 1 }, (_, index) => {
    const guess = from + index;
    const label = `Guess ${guess}`;
    const counts = series.map((histogram) => histogram[guess - 1] ?? 0);
    const marked = guess === current ? "true" : null;
    return [
      link && counts[0] ? h("a", { href: link(guess), "aria-current": marked }, label) : label,
      ...counts.map(written),
      counts.map((count, i) => bar(count / most, `series-${i + 1}`)),
    ];
  });
  const figures = heads.map((head) => ({ head, kind: "figure" }));
  const drawn = table(caption, [{ head: "Solved at" }, ...figures, { kind: "drawn" }], rows, "bars", true);
  if (!two) return drawn;
  const names = series.map((_, i) => h("span", {}, key(i), treeName(i)));
  return [drawn, h("p", { class: "legend", "aria-hidden": "true" }, names)];
}

/** A list that can be long: the first entries, and a button for more of them. */
function longList(entries, entry, first, step) {
  const list = h("ul", { class: "chips" });
  return [list, moreButton(list, entries, (item) => h("li", {}, entry(item)), first, step)];
}

/** Put the first entries into `list`, and return the button that adds more of them. */
function moreButton(list, entries, element, first, step) {
  const more = h("button", { type: "button", class: "more" });
  let shown = 0;
  const grow = (count) => {
    const fresh = entries.slice(shown, shown + count).map(element);
    list.append(...fresh);
    shown += fresh.length;
    const left = entries.length - shown;
    more.hidden = left === 0;
    more.textContent =
      left > step ? `Show ${written(step)} more of ${written(left)}` : `Show the other ${written(left)}`;
    return fresh;
  };
  more.addEventListener("click", () => grow(step)[0].querySelector("a").focus());
  grow(first);
  return more;
}

/* ---- The page ---- */

const data = JSON.parse(document.getElementById("data").textContent);
const rules = data.rules;
const trees = data.trees.map((tree) => unfold(tree, rules.positions));
const main = document.getElementById("main");

const VIEWS = {
  walk: { label: "Walk", draw: drawWalk },
  play: { label: "Play", draw: drawPlay },
  secrets: { label: "Secrets", draw: drawSecrets },
  figures: { label: "Figures", draw: drawFigures },
  ...(trees.length > 1 && { compare: { label: "Compare", draw: drawCompare } }),
  help: { label: "Help", draw: drawHelp },
};

/** What a browser may keep for this page; some keep nothing for files. */
const memory = {
  get(name) {
    try {
      return localStorage.getItem(`moo-explorer-${name}`);
    } catch {
      return null;
    }
  },
  set(name, value) {
    try {
      localStorage.setItem(`moo-explorer-${name}`, value);
    } catch {
      // Then the choice lasts as long as the page.
    }
  },
};

/** The address that is shown; the browser's own may be ahead of it. */
let drawn = null;
let place = readPlace(location.hash, trees.length, VIEWS);
let layout = memory.get("layout") ?? (rules.positions > 5 ? "list" : "grid");
let shortcuts = memory.get("shortcuts") !== "off";

/** The address of a view of the tree looked at. */
function here(view, rest = []) {
  return placeHash(place.tree, view, rest);
}

/** The address of the place in `tree` that these responses lead to. */
function walkTo(tree, responses) {
  return placeHash(trees.indexOf(tree), "walk", responses.map(responseText));
}

function treeName(index) {
  return trees[index].name || `Tree ${index + 1}`;
}

/** The name of a tree in a table, where the longest may break anywhere. */
function named(index) {
  return h("span", { class: "name" }, treeName(index));
}

function linkToCode(text) {
  return h("a", { class: "code", href: here("secrets", [text]) }, text);
}

/** Tell something that is not asked for; `shown`: also to whoever sees the page. */
function say(text, shown = true) {
  const status = document.getElementById("status");
  status.textContent = text;
  status.classList.toggle("hidden", !shown);
}

function drawHead() {
  const { name } = trees[place.tree];
  document.getElementById("game").textContent = `${rules.text} decision tree`;
  document.getElementById("summary").textContent =
    `${name && trees.length === 1 ? `${name}: ` : ""}${ruleWords(rules)}; ${counted(rules.size, "code")}`;
  const views = Object.entries(VIEWS).map(([view, { label }]) =>
    h("a", { href: here(view), "aria-current": view === place.view ? "page" : null }, label),
  );
  document.getElementById("views").replaceChildren(...views);
  if (trees.length === 1) return;
  const choices = trees.map((_, index) => {
    const href = placeHash(index, place.view, place.rest);
    return h(
      "a",
      { href, "aria-current": index === place.tree ? "true" : null },
      key(index),
      treeName(index),
    );
  });
  const nav = document.getElementById("trees");
  nav.hidden = false;
  nav.replaceChildren(...choices);
}

function draw() {
  drawn = location.hash;
  place = readPlace(location.hash, trees.length, VIEWS);
  say("");
  drawHead();
  const { title, content } = VIEWS[place.view].draw(trees[place.tree], place.rest);
  document.title = `${title} · ${rules.text} decision tree`;
  const kind = `view ${place.view} ${place.tree ? "second" : ""}`;
  main.replaceChildren(h("div", { class: kind }, content));
}

/* ---- Walk ---- */

function drawWalk(tree, words) {
  const { turns, node, solved } = follow(tree, readResponses(words, rules.responses));
  const guess = guessAt(tree, node);
  const number = tree.depth[node];
  const content = [crumbs(tree, turns, solved ? null : guess)];
  if (words.length > turns.length) {
    const unknown = words.slice(turns.length).join(" ");
    const notice = `The tree has nothing after ${unknown} here; this is the last place on the way.`;
    content.push(h("p", { class: "notice" }, notice));
  }
  if (solved) {
    const buttons = [button("Start", here("walk")), button("This secret's game", here("secrets", [guess]))];
    return { title: `Solved: ${guess}`, content: [...content, solvedCard(tree, turns, buttons)] };
  }
  const size = tree.size[node];
  const asked = card(
    "heading",
    guessHeading(`Guess ${number}`, guess),
    quiet(guessWords(size, tree.wins[node] === 1)),
    facts([
      ["Candidates", written(size), number > 1 ? h("small", {}, ` of ${written(rules.size)}`) : null],
      ["Best", counted(tree.best[node], "guess", "guesses")],
      ["Worst", counted(tree.worst[node], "guess", "guesses")],
      ["Mean", meanText(tree.total[node], size)],
      ["Total", written(tree.total[node])],
    ]),
    trees.length > 1 ? otherTree(tree, turns, guess) : null,
  );
  const candidates = candidatesOf(tree, node);
  const list = card(
    "candidates",
    h("h3", { id: "candidates" }, counted(candidates.length, "candidate")),
    longList(candidates, (candidate) => linkToCode(candidate.code), 40, 500),
  );
  const solvedAt = card(
    null,
    bars("When candidates are solved", [histogramOf(tree, node)], { from: number }),
  );
  content.push(columns([asked, responsesCard(tree, node, turns)], [solvedAt, list]));
  return { title: `Guess ${number}: ${guess}`, content };
}

function guessHeading(words, guess, kind = "") {
  return heading(h("span", {}, words), " ", tiles(guess, `large ${kind}`));
}

function guessWords(size, mayWin) {
  if (mayWin)
    return size === 1 ? "Only this candidate is left: it is the secret." : "It may be the secret itself.";
  return "It cannot be the secret: it is asked to tell the candidates apart.";
}

/** The history so far, each guess a link back to it. */
function crumbs(tree, turns, guess) {
  const responses = turns.map((turn) => turn.response);
  const steps = turns.map(({ node, response }, index) => {
    const link = h("a", { href: walkTo(tree, responses.slice(0, index)) }, code(guessAt(tree, node)));
    return h("li", {}, link, " ", h("b", {}, responseText(response)));
  });
  if (guess !== null) steps.push(h("li", { "aria-current": "step" }, code(guess)));
  const buttons = [
    button("← Back", walkTo(tree, responses.slice(0, -1)), "back"),
    button("Start", here("walk"), "start"),
  ];
  return h(
    "nav",
    { class: "history", "aria-label": "History" },
    h("ol", {}, steps),
    turns.length ? h("span", { class: "buttons" }, buttons) : null,
  );
}

function solvedCard(tree, turns, buttons) {
  const secret = guessAt(tree, turns.at(-1).node);
  return card(
    "heading",
    guessHeading(`Solved in ${counted(turns.length, "guess", "guesses")}`, secret, "solved"),
    gameTable(tree, turns),
    h("p", { class: "buttons" }, buttons),
  );
}

/** What the other tree does after the same guesses and responses, if it comes here at all. */
function otherTree(tree, turns, guess) {
  const index = 1 - place.tree;
  const other = trees[index];
  const reached = follow(
    other,
    turns.map((turn) => turn.response),
  );
  const same =
    !reached.left.length &&
    turns.every((turn, i) => guessAt(tree, turn.node) === guessAt(other, reached.turns[i].node));
  const name = h("a", { href: placeHash(index, "walk", same ? place.rest : []) }, treeName(index));
  const words = () => {
    if (!same) return [" has parted from this tree before."];
    const theirs = guessAt(other, reached.node);
    if (theirs === guess) return [" guesses the same here."];
    const total = counted(other.total[reached.node], "guess", "guesses");
    return [" parts here: it guesses ", code(theirs), ` and takes ${total} in all.`];
  };
  return h("p", { class: "notice" }, name, words());
}

function responsesCard(tree, node, turns) {
  const history = turns.map((turn) => turn.response);
  const part = (response, fields) => ({ response, href: walkTo(tree, [...history, response]), ...fields });
  const parts = [...partsOf(tree, node)].map(([response, below]) =>
    part(response, {
      size: tree.size[below],
      best: tree.best[below],
      worst: tree.worst[below],
      next: guessAt(tree, below),
    }),
  );
  if (tree.wins[node]) {
    const guesses = tree.depth[node];
    parts.push(part(winOf(tree), { size: 1, best: guesses, worst: guesses, next: null }));
  }
  const relayout = (name) => {
    layout = name;
    memory.set("layout", name);
    shown.replaceWith(responsesCard(tree, node, turns));
    document.querySelector(".choice [aria-pressed=true]").focus();
  };
  const choose = (name, label) => {
    const on = { click: () => relayout(name) };
    return h("button", { type: "button", "aria-pressed": String(layout === name), on }, label);
  };
  const shown = card(
    "responses",
    h(
      "div",
      { class: "title" },
      h("h3", { id: "responses" }, counted(parts.length, "response")),
      h(
        "div",
        { class: "choice", role: "group", "aria-label": "Show responses as" },
        choose("grid", "Grid"),
        choose("list", "List"),
      ),
    ),
    layout === "grid" ? responseGrid(parts, tree.size[node]) : responseList(parts, tree.size[node]),
  );
  return shown;
}

/** The guesses that a part takes, best to worst. */
function range({ best, worst }, to = "–") {
  return best === worst ? String(best) : `${best}${to}${worst}`;
}

/** Rows of bulls, columns of cows; `content(id)` fills the cell of a response that can occur. */
function bullsAndCows(caption, content) {
  const responses = rules.responses.map(responseOfId);
  const numbers = (what) => [...new Set(responses.map((response) => response[what]))].sort((a, b) => a - b);
  const cows = numbers("cows");
  const known = new Set(rules.responses);
  const rows = numbers("bulls").map((bulls) => [
    `${bulls}B`,
    ...cows.map((number) => {
      const id = responseId(bulls, number);
      // Ids know no game: beyond all positions, an id is that of another response.
      return bulls + number <= rules.positions && known.has(id) ? content(id) : null;
    }),
  ]);
  const heads = [{}, ...cows.map((number) => ({ head: `${number}C` }))];
  const grid = table(caption, heads, rows, cows.length > 5 ? "grid large" : "grid");
  grid.style.setProperty("--columns", heads.length);
  return grid;
}

/** A link to a response, which keys can find. */
function responseLink(id, href, words, ...content) {
  const label = `${responseText(id)}: ${words}`;
  return h(
    "a",
    { href, "data-response": responseText(id), "aria-label": label },
    h("b", {}, responseText(id)),
    content,
  );
}

function responseGrid(parts, size) {
  const partOf = new Map(parts.map((part) => [part.response, part]));
  const grid = bullsAndCows(
    "Responses: a row for each number of bulls, a column for each number of cows",
    (id) => {
      const part = partOf.get(id);
      if (!part) return h("span", { class: "none" }, responseText(id));
      const words = `${counted(part.size, "candidate")}, solved at guess ${range(part, " to ")}`;
      return responseLink(
        id,
        part.href,
        words,
        h("span", {}, written(part.size)),
        h("small", {}, part.next === null ? "solved" : range(part)),
        bar(part.size / size),
      );
    },
  );
  const words = "Under each response: the candidates that give it, and the guesses they take, best to worst.";
  return [grid, quiet(words)];
}

function responseList(parts, size) {
  const columns = [
    { head: "Response" },
    { head: "Candidates", kind: "figure" },
    // Long codes take the room of the bars on a narrow screen.
    { kind: rules.positions > 5 ? "drawn wide" : "drawn" },
    { head: "Share", kind: "figure wide" },
    { head: "Guesses", kind: "figure" },
    { head: "Next guess" },
  ];
  const sorted = [...parts].sort((a, b) => b.size - a.size || a.response - b.response);
  const rows = sorted.map((part) => [
    h("a", { href: part.href, "data-response": responseText(part.response) }, responseText(part.response)),
    written(part.size),
    bar(part.size / sorted[0].size),
    `${((100 * part.size) / size).toFixed(1)} %`,
    range(part),
    part.next === null ? "solved" : code(part.next),
  ]);
  return table("Responses, most candidates first", columns, rows);
}

/* ---- Play ---- */

function drawPlay(tree, words) {
  const { turns, node, solved, left } = follow(tree, readResponses(words, rules.responses));
  const guess = guessAt(tree, node);
  const answers = turns.map((turn) => responseText(turn.response));
  const newGame = (text) => button(text, here("play"), "start");
  if (solved) {
    return { title: `Solved: ${guess}`, content: solvedCard(tree, turns, [newGame("Play again")]) };
  }
  if (left.length) {
    const buttons = [button("← Take back", here("play", answers), "back"), newGame("New game")];
    const contradiction = contradictionCard(tree, [...turns, { node, response: left[0] }], buttons);
    return { title: "No code fits", content: contradiction };
  }
  const number = tree.depth[node];
  const introduction =
    `Think of a secret: ${codeWords(rules)}. The tree guesses, you answer: bulls are symbols in the right ` +
    "place, cows are symbols in another.";
  const buttons = [button("← Take back", here("play", answers.slice(0, -1)), "back"), newGame("New game")];
  const asked = card(
    "heading",
    number === 1 ? paragraph(introduction) : null,
    guessHeading(`Guess ${number}`, guess),
    quiet(`${counted(tree.size[node], "candidate")} left.`),
    answerForm(answers),
    bullsAndCows("Answers: a row for each number of bulls, a column for each number of cows", (id) =>
      responseLink(id, here("play", [...answers, responseText(id)]), responseInWords(id)),
    ),
    turns.length ? h("p", { class: "buttons" }, buttons) : null,
  );
  const soFar = turns.length ? card(null, gameTable(tree, turns, "So far")) : null;
  return { title: `Play: guess ${number}`, content: columns(asked, soFar) };
}

function answerForm(answers) {
  const input = h("input", {
    id: "answer",
    type: "text",
    autocomplete: "off",
    spellcheck: "false",
    size: "8",
    maxlength: "40",
    "aria-describedby": "answer-help",
  });
  const problem = h("p", { class: "problem", role: "alert" });
  const submit = (event) => {
    event.preventDefault();
    const response = readResponse(input.value);
    if (response !== null && rules.responses.includes(response)) {
      location.hash = here("play", [...answers, responseText(response)]);
      return;
    }
    problem.textContent =
      response === null
        ? "Write the answer as 1B2C, or 1,2: bulls first, then cows."
        : `${input.value.trim()} cannot be an answer in this game.`;
    input.setAttribute("aria-invalid", "true");
    input.focus();
  };
  return h(
    "form",
    { class: "entry", on: { submit } },
    h("label", { for: "answer" }, "Answer"),
    input,
    h("button", { type: "submit" }, "Enter"),
    h("span", { id: "answer-help", class: "quiet" }, "1B2C, 1,2 or 12, or choose below"),
    problem,
  );
}

function contradictionCard(tree, turns, buttons) {
  const answers = turns.map(({ node, response }) => ({ guess: guessAt(tree, node), response }));
  const lines = suspectsOf(tree, answers).flatMap((could, turn) => {
    if (!could.size) return [];
    const { guess, response } = answers[turn];
    const others = [...could].sort(([a], [b]) => a - b);
    const options = others.map(([id, codes]) => `${responseText(id)} (${counted(codes, "code")})`);
    const words = `: not ${responseText(response)}, but ${options.join(" or ")}`;
    return [h("li", {}, `Guess ${turn + 1}, `, code(guess), words)];
  });
  return card(
    "heading",
    heading("No code fits these answers"),
    gameTable(tree, turns),
    lines.length
      ? [
          paragraph("If a single answer is wrong, it can be one of these:"),
          h("ul", { class: "suspects" }, lines),
        ]
      : paragraph("More than one of the answers must be wrong."),
    h("p", { class: "buttons" }, buttons),
  );
}

/** Turns in a table: guess, response, and how many candidates there were before. */
function gameTable(tree, turns, caption = null) {
  const columns = [
    { head: "Guess" },
    { head: "Code" },
    { head: "Response" },
    { head: "Candidates before", kind: "figure" },
  ];
  const responses = turns.map((turn) => turn.response);
  const rows = turns.map(({ node, response }, i) => [
    String(i + 1),
    h("a", { class: "code", href: walkTo(tree, responses.slice(0, i)) }, guessAt(tree, node)),
    responseText(response),
    written(tree.size[node]),
  ]);
  return table(caption ?? "Game", columns, rows, "rows", caption !== null);
}

/* ---- Secrets ---- */

function drawSecrets(tree, [wanted = ""]) {
  const input = h("input", {
    id: "search",
    type: "search",
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    maxlength: "40",
    value: wanted,
    "aria-describedby": "search-help",
  });
  const results = h("div", { class: "results" }, searchResults(tree, wanted));
  const search = () => {
    const rest = input.value.trim() ? [input.value.trim()] : [];
    place = { ...place, rest };
    // What is typed is a place, but each letter no step in the browser's history.
    history.replaceState(null, "", here("secrets", rest));
    drawn = location.hash;
    drawHead();
    results.replaceChildren(...searchResults(tree, rest[0] ?? ""));
    say(results.querySelector("h3").textContent, false);
  };
  input.addEventListener("input", search);
  const any = () => {
    const secrets = candidatesOf(tree, 0);
    location.hash = here("secrets", [secrets[Math.floor(Math.random() * secrets.length)].code]);
  };
  const form = h(
    "form",
    { class: "entry", role: "search", on: { submit: (event) => event.preventDefault() } },
    h("label", { for: "search" }, "Secret"),
    input,
    h("button", { type: "button", on: { click: any } }, "Any secret"),
    h(
      "span",
      { id: "search-help", class: "quiet" },
      `${codeWords(rules)}; or a part of it, ? for any symbol`,
    ),
  );
  const content = card("heading", heading("Secrets"), form, results);
  return { title: wanted ? `Secret ${wanted}` : "Secrets", content };
}

function searchResults(tree, text) {
  const wanted = text.toLowerCase();
  const found = candidatesOf(tree, 0).filter(({ code }) => matches(code, wanted));
  if (found.length === 1 && found[0].code === wanted) return secretResults(tree, wanted);
  if (!found.length) return [h("h3", {}, "No such code"), paragraph(`A code has ${codeWords(rules)}.`)];
  const entry = ({ code, guesses }) => [linkToCode(code), h("small", {}, String(guesses))];
  return [
    h("h3", {}, wanted ? `${counted(found.length, "code")} like this` : counted(found.length, "code")),
    quiet("With the guesses that each takes."),
    ...longList(found, entry, 60, 500),
  ];
}

/** The games of a secret, that of the tree looked at first, and where else the code is guessed. */
function secretResults(tree, secret) {
  const taken = (one) => counted(gameOf(one, secret).length, "guess", "guesses");
  const order = trees.length > 1 ? [tree, trees[1 - place.tree]] : [tree];
  const games = order.map((one) => {
    const caption = trees.length > 1 ? [named(trees.indexOf(one)), `: ${taken(one)}`] : null;
    return gameTable(one, gameOf(one, secret), caption);
  });
  const places = placesOf(tree, secret);
  const entry = (node) => {
    const responses = responsesTo(tree, node);
    const label = responses.map(responseText).join(" ") || "first guess";
    return [
      h("a", { href: walkTo(tree, responses) }, label),
      h("small", {}, counted(tree.size[node], "candidate")),
    ];
  };
  return [
    h("h3", {}, `${secret} is solved in ${taken(tree)}`),
    h("div", { class: "games" }, games),
    h("h3", {}, `Guessed in ${counted(places.length, "place")}`),
    quiet("The responses that lead there, and the candidates before the guess."),
    ...longList(places, entry, 30, 200),
  ];
}

/* ---- Figures ---- */

function drawFigures(tree, [wanted]) {
  const histogram = histogramOf(tree, 0);
  const guess = histogram[Number(wanted) - 1] ? Number(wanted) : histogram.length;
  const secrets = candidatesOf(tree, 0).filter(({ guesses }) => guesses === guess);
  const longest = guess === histogram.length ? ", the longest" : "";
  const figures = card(
    "heading",
    heading("Figures"),
    facts([
      ["Codes", written(tree.size[0])],
      ["First guess", code(guessAt(tree, 0))],
      ["Total", counted(tree.total[0], "guess", "guesses")],
      ["Mean", meanText(tree.total[0], tree.size[0])],
      ["Worst case", counted(tree.worst[0], "guess", "guesses")],
      ["Nodes", written(tree.nodes)],
    ]),
    quiet(costWords(tree)),
  );
  const link = (number) => here("figures", [String(number)]);
  const solved = card(null, bars("Secrets solved at each guess", [histogram], { link, current: guess }));
  const list = card(
    "longest",
    h("h3", { id: "longest" }, `${counted(secrets.length, "secret")} at guess ${guess}${longest}`),
    longList(secrets, ({ code }) => linkToCode(code), 100, 500),
  );
  return { title: "Figures", content: columns([figures, solved], list) };
}

/** What the tree was made for. */
function costWords({ cost, totalCost }) {
  if (cost.every((one, index) => one === String(index + 1))) {
    return "Made for the least total: a secret costs as many as its guesses.";
  }
  const total = totalCost === null ? "" : `; ${totalCost} over all secrets`;
  return `Made for the cost ${cost.join(", ")} of a secret solved at guess 1, 2, ...${total}.`;
}

/* ---- Compare ---- */

function drawCompare() {
  const parting = whereTheyPart(...trees);
  const words =
    "Each tree solves a secret of its own, all equally likely; fewer guesses win, and a draw counts one half.";
  const race = card("heading", heading(winnerWords()), quiet(words), raceTable());
  const figures = card(
    "figures",
    h("h3", { id: "figures" }, "Figures"),
    figuresTable(),
    paragraph(sameWords(sameSecrets(...trees))),
  );
  const histograms = trees.map((tree) => histogramOf(tree, 0));
  const solved = card(null, bars("Secrets solved at each guess", histograms));
  const parted = card(
    "parting",
    h("h3", { id: "parting" }, partingWords(parting)),
    parting.length ? partingTable(parting) : null,
  );
  return { title: "Compare", content: [columns([race, solved], figures), parted] };
}

function winnerWords() {
  const { winner } = data.race;
  return winner === null ? "Even in a race" : `${treeName(winner)} wins the race`;
}

function raceTable() {
  const { win, draw, loss, score } = data.race;
  const columns = [{ head: "Race" }, { head: "Chance", kind: "figure" }, { head: "Exactly", kind: "exact" }];
  const broken = (exact) =>
    exact.split("/").flatMap((number, i) => (i ? ["/", h("wbr", {}), number] : [number]));
  const row = (name, share) => [name, share.percent, broken(share.exact)];
  return table("Race", columns, [
    row([named(0), " wins"], win),
    row("Draw", draw),
    row([named(1), " wins"], loss),
    row(["Score of ", named(0)], score),
  ]);
}

function figuresTable() {
  const columns = [{}, ...trees.map((_, i) => ({ head: named(i), kind: "figure" }))];
  const row = (name, figure) => [name, ...trees.map(figure)];
  return table("Figures of both", columns, [
    row("Total", (tree) => written(tree.total[0])),
    row("Mean", (tree) => meanText(tree.total[0], tree.size[0])),
    row("Worst case", (tree) => String(tree.worst[0])),
    row("First guess", (tree) => code(guessAt(tree, 0))),
  ]);
}

function sameWords({ sooner, later, same }) {
  return (
    `On the same secret, ${treeName(0)} is sooner on ${counted(sooner, "secret")}, ${treeName(1)} on ` +
    `${counted(later, "secret")}; on ${counted(same, "secret")} they take equally many guesses.`
  );
}

function partingWords(parting) {
  if (!parting.length) return "The two trees are the same";
  const candidates = parting.reduce((sum, { ours }) => sum + trees[0].size[ours], 0);
  return `They part in ${counted(parting.length, "place")}, with ${counted(candidates, "candidate")} in all`;
}

/** Places where the trees part, the largest first; more of them at a press. */
function partingTable(parting) {
  const columns = [
    { head: "After" },
    { head: "Candidates", kind: "figure" },
    ...trees.map((_, i) => ({ head: named(i) })),
  ];
  const cells = ({ ours, theirs }) => {
    const responses = responsesTo(trees[0], ours);
    const guessed = [ours, theirs].map((node, i) => [
      h("a", { class: "code", href: walkTo(trees[i], responses) }, guessAt(trees[i], node)),
      " ",
      h("small", {}, written(trees[i].total[node])),
    ]);
    return [responses.map(responseText).join(" ") || "first guess", written(trees[0].size[ours]), ...guessed];
  };
  const list = table("Where they part", columns, []);
  const entry = (place) => tableRow(columns, cells(place));
  const more = moreButton(list.querySelector("tbody"), parting, entry, 25, 100);
  return [quiet("What each tree guesses there, and its guesses over all the candidates."), list, more];
}

/* ---- Help ---- */

function drawHelp() {
  const two = trees.length > 1;
  const keys = [
    [["0", "…", "9"], "choose a response: type the bulls, then the cows"],
    [["Backspace"], "one step back"],
    [["Home"], "back to the first guess"],
    [["←", "→", "↑", "↓"], "move among the responses"],
    [["w", "p", "s", "f"], "walk, play, secrets, figures"],
    ...(two ? [[["c"], "compare"]] : []),
    [["/"], "search for a secret"],
    [["?"], "this help"],
  ];
  const words = [
    ["Code", codeWords(rules)],
    ["Secret", "the code to be found"],
    ["Response", "what a guess is told: 1B2C is one bull and two cows"],
    ["Bull", "a symbol of the guess that the secret has in the same place"],
    ["Cow", "a symbol of the guess that the secret has in another place"],
    ["Candidate", "a code that fits all responses so far"],
    ["Best, worst", "the fewest and the most guesses that a candidate takes, counted from the first guess"],
    ["Total, mean", "guesses, counted from the first, over all candidates"],
  ];
  const toggle = h("input", { type: "checkbox", checked: shortcuts });
  toggle.addEventListener("change", () => {
    shortcuts = toggle.checked;
    memory.set("shortcuts", shortcuts ? "on" : "off");
  });
  const rows = keys.map(([names, does]) => [names.map((name) => [h("kbd", {}, name), " "]), does]);
  const keyboard = card(
    "heading",
    heading("Keyboard"),
    table("Keys", [{}, {}], rows),
    paragraph(h("label", {}, toggle, " Letters, digits and signs are shortcuts")),
    quiet("The address remembers the place: keep it, send it, or go back with the browser."),
  );
  const glossary = card("words", h("h2", { id: "words" }, "Words"), facts(words));
  return { title: "Help", content: columns(keyboard, glossary) };
}

/* ---- Keyboard ---- */

const LETTERS = {
  w: "walk",
  p: "play",
  s: "secrets",
  f: "figures",
  c: "compare",
  "/": "secrets",
  "?": "help",
};

let firstDigit = null;
let focusNext = "heading";

/** Two digits choose a response: bulls first, then cows. */
function typeDigit(digit) {
  if (firstDigit === null) {
    firstDigit = digit;
    say(`${digit}B, and how many cows?`);
    return;
  }
  const wanted = `${firstDigit}B${digit}C`;
  firstDigit = null;
  const link = main.querySelector(`a[data-response="${wanted}"]`);
  if (link) link.click();
  else say(`${wanted} is not among the responses here.`);
}

/** Move the focus among the responses, to the nearest in a direction. */
function moveFocus(from, key) {
  const across = key === "ArrowLeft" || key === "ArrowRight";
  const sign = key === "ArrowLeft" || key === "ArrowUp" ? -1 : 1;
  const start = from.getBoundingClientRect();
  const distance = (link) => {
    const end = link.getBoundingClientRect();
    const [along, aside] = across ? [end.x - start.x, end.y - start.y] : [end.y - start.y, end.x - start.x];
    return sign * along > 1 ? Math.abs(along) + 3 * Math.abs(aside) : Infinity;
  };
  const links = [...main.querySelectorAll("a[data-response]")];
  // `from` is infinitely far from itself, so that it keeps the focus where nothing lies that way.
  links.reduce((best, link) => (distance(link) < distance(best) ? link : best), from).focus();
}

/** What a key does here; null if nothing. */
function actionOf(key, target) {
  if (key.startsWith("Arrow")) {
    const response = target.closest("a[data-response]");
    return response && (() => moveFocus(response, key));
  }
  if (key === "Backspace" || key === "Home") {
    const link = document.getElementById(key === "Home" ? "start" : "back");
    return link && (() => link.click());
  }
  if (!shortcuts) return null;
  if (/^\d$/.test(key)) return main.querySelector("a[data-response]") && (() => typeDigit(key));
  if (!Object.hasOwn(LETTERS, key) || !Object.hasOwn(VIEWS, LETTERS[key])) return null;
  return () => {
    const view = LETTERS[key];
    const target = view === "secrets" ? "search" : "heading";
    if (place.view === view) {
      document.getElementById(target).focus();
    } else {
      focusNext = target;
      location.hash = here(view);
    }
  };
}

document.addEventListener("keydown", (event) => {
  const typing = event.target.matches("input:not([type=checkbox])");
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!/^\d$/.test(event.key)) firstDigit = null;
  const action = actionOf(event.key, event.target);
  if (!action) return;
  event.preventDefault();
  action();
});

window.addEventListener("hashchange", () => {
  // An address that was left at once has been followed already.
  if (location.hash === drawn) return;
  firstDigit = null;
  draw();
  // The new place is read out, and Tab goes on from there.
  document.getElementById(focusNext).focus();
  focusNext = "heading";
});

document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});

draw();
