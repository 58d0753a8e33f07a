"""A program in one file of JavaScript that plays the tree; docs/formats.md tells more about it."""

from moo_research.formats import Written, program
from moo_research.tree import DecisionTree

__all__ = ["write"]

_HEAD = """\
/*
@HEAD@

    const { checkio, nextGuess } = @NAME@;
    checkio([@TEXTS@]);
    nextGuess([@TURNS@]);

The two are the same: they return the next guess, as text, from the turns so far.
Begin with an empty list. After guesses that are not its own it goes on with a code that may be
the secret. They throw an Error if the history is not understood, or if no code fits it. As a
classic script of a page, or imported as a module, the file defines the global @NAME@;
required by Node.js (as .cjs), it is what require() returns. Written by moo export.
*/

"""

_CODE = r"""
(function () {
    "use strict";
    const POSITIONS = @P@, SYMBOLS = "@SYMBOLS@", REPEATS = @REPEATS@, LEADING_ZERO = @ZERO@;
    const BASE = @BASE@, PLACES = @PLACES@, EFFORT = @EFFORT@, NARROWEST = @NARROWEST@;
    const TREE =
@LINES@;

    const CODES = [];
    (function list(code) {
        if (code.length === POSITIONS) {
            CODES.push(code);
            return;
        }
        for (const symbol of SYMBOLS) {
            if (!REPEATS && code.includes(symbol)) continue;
            if (!LEADING_ZERO && code === "" && symbol === SYMBOLS[0]) continue;
            list(code + symbol);
        }
    })("");
    const KNOWN = new Set(CODES);
    const surplus = new Int8Array(128);

    function responseId(bulls, common) {
        return common * (common + 1) / 2 + bulls;
    }

    function respond(guess, secret) {
        let bulls = 0, common = 0;
        for (let i = 0; i < POSITIONS; i++) {
            const a = guess.charCodeAt(i), b = secret.charCodeAt(i);
            if (a === b) bulls++;
            if (surplus[a]++ < 0) common++;
            if (surplus[b]-- > 0) common++;
        }
        for (let i = 0; i < POSITIONS; i++) {
            surplus[guess.charCodeAt(i)] = surplus[secret.charCodeAt(i)] = 0;
        }
        return responseId(bulls, common);
    }

    // The codes by their response to the guess: a list of lists, empty where there are none.
    function split(guess, codes) {
        const parts = Array.from({ length: responseId(POSITIONS, POSITIONS) + 1 }, () => []);
        for (const code of codes) parts[respond(guess, code)].push(code);
        return parts;
    }

    // Fewest codes left on average: of every k-th of the codes, then of every k-th of the others.
    function ownGuess(codes, others) {
        let best = codes[0], least = Infinity;
        for (const pool of [codes, others]) {
            const step = 1 + Math.floor(codes.length * pool.length / EFFORT);
            for (let i = 0; i < pool.length && least > codes.length; i += step) {
                let squares = 0;
                for (const part of split(pool[i], codes)) squares += part.length ** 2;
                if (squares < least) [best, least] = [pool[i], squares];
            }
        }
        return best;
    }

    // Reads the tree as far as the turns lead; null if they leave it. It is its guesses, parents
    // first, in arithmetic code: a mark (own player, candidate, any code), then a number.
    function treeGuess(turns) {
        const counts = Array.from({ length: 32 }, () => [1, 1, 1]);
        let digit = 0, width = NARROWEST * BASE, value = 0;

        function shift() {
            const code = digit < TREE.length ? TREE.charCodeAt(digit++) : 35;
            value = value * BASE + code - 35 - (code > 60) - (code > 63) - (code > 92);
        }

        function take(start, size) {
            value -= start;
            width = size;
            while (width < NARROWEST) {
                width *= BASE;
                shift();
            }
        }

        function mark(size) {
            const ours = counts[32 - Math.clz32(size)];
            const unit = Math.floor(width / (ours[0] + ours[1] + ours[2]));
            let kind = 0, start = 0;
            while (value >= (start + ours[kind]) * unit) start += ours[kind++];
            take(start * unit, ours[kind]++ * unit);
            return kind;
        }

        function oneOf(codes) {
            const unit = Math.floor(width / codes.length), number = Math.floor(value / unit);
            take(number * unit, unit);
            return codes[number];
        }

        for (let i = 0; i < PLACES; i++) shift();
        // Candidates, and how many turns led there; -1 off the way.
        const stack = [[CODES, 0]];
        while (stack.length) {
            let [codes, turn] = stack.pop();
            const kind = mark(codes.length);
            if (kind === 0) {
                while (turn >= 0) {
                    const guess = ownGuess(codes, CODES);
                    if (turn === turns.length) return guess;
                    if (guess !== turns[turn][0]) return null;
                    codes = split(guess, codes)[turns[turn++][1]];
                }
                continue;
            }
            const guess = oneOf(kind === 1 ? codes : CODES);
            if (turn === turns.length) return guess;
            if (turn >= 0 && guess !== turns[turn][0]) return null;
            const parts = split(guess, codes);
            // The winning response, the last one, leaves nothing to guess.
            for (let r = parts.length - 2; r >= 0; r--) {
                if (!parts[r].length || turn >= 0 && r > turns[turn][1]) continue;
                stack.push([parts[r], turn >= 0 && r === turns[turn][1] ? turn + 1 : -1]);
            }
        }
        return null;
    }

    function nextGuess(history) {
        const turns = [];
        let codes = CODES;
        for (const [guess, bulls, cows] of history) {
            const shown = JSON.stringify(guess) + " " + bulls + "B" + cows + "C";
            if (!KNOWN.has(guess) || !(bulls >= 0 && cows >= 0)) {
                throw new Error("not understood: " + shown + " is no turn of this game");
            }
            const response = responseId(bulls, bulls + cows);
            turns.push([guess, response]);
            codes = codes.filter((code) => respond(guess, code) === response);
            if (!codes.length) throw new Error("no code fits the history up to " + shown);
        }
        return treeGuess(turns) || ownGuess(codes, []);
    }

    function checkio(data) {
        return nextGuess(data.map((line) => {
            const match = /^\s*(\w+)\s+(\d+)B(\d+)C\s*$/i.exec(line);
            if (!match) {
                const shown = JSON.stringify(line);
                throw new Error("not understood: " + shown + "; write it like @TEXT@");
            }
            return [match[1], Number(match[2]), Number(match[3])];
        }));
    }

    const player = { checkio, nextGuess };
    if (typeof module === "object" && module.exports) module.exports = player;
    else globalThis.@NAME@ = player;
})();
"""


def write(tree: DecisionTree, *, max_bytes: int | None = None) -> Written:
    """Return a program in JavaScript; see :func:`moo_research.formats.program.fit` for errors."""
    return program.write(tree, "JavaScript", _render, max_bytes)


def _render(made: program.Program, terse: bool) -> str:
    rules = made.rules
    return made.source(
        _HEAD,
        program.shortened(_CODE, "//", "") if terse else _CODE.lstrip("\n"),
        HEAD="\n".join(made.head()),
        TEXTS=", ".join(f'"{guess} {got}"' for guess, got in made.example),
        TURNS=", ".join(f'["{guess}", {got.bulls}, {got.cows}]' for guess, got in made.example),
        TEXT=" ".join(map(str, made.example[0])),
        NAME=f"moo_{rules}",
        REPEATS=str(rules.repeats).lower(),
        ZERO=str(rules.leading_zero).lower(),
        LINES=" +\n".join(f'        "{line}"' for line in made.lines),
    )
