"""``moo play``: games between a person and the computer."""

from __future__ import annotations

import re
import secrets
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from moo_research.cli import common, turns
from moo_research.errors import CodeError, HistoryError, MooError, ResponseError, shown
from moo_research.history import Turn, read_code, read_response
from moo_research.layout import counted
from moo_research.rules import MAX_POSITIONS, Response, Rules

if TYPE_CHECKING:
    from moo_research.game import Judge, Record
    from moo_research.tree import DecisionTree

_USUAL = Rules.of("4x10")
_LONGEST_LINE = 1 << 12

_CORRECTION = re.compile(r"(?:turn|answer|fix)?\s*(\d{1,4})\s*[:=：]\s*(.+)", re.IGNORECASE)
_WON = ("y", "yes", "win", "won", "correct", "right")


@click.group(invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    """Play with the computer: it guesses and you answer, or it answers and you guess.

    At every prompt: u takes the last turn back, ? shows help, 0, q or Ctrl-D ends the game.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def _game_options(function: common.Function) -> common.Function:
    """Add what both games need: the rules, how they are written, and JSON."""
    for option in (
        common.json_option,
        turns.writing_options,
        click.option(
            "--digits",
            type=click.IntRange(1, MAX_POSITIONS),
            metavar="N",
            help="Play Nx10: N different digits out of ten.",
        ),
        click.argument("rules", type=Rules.of, required=False),
    ):
        function = option(function)
    return function


def _rules(rules: Rules | None, digits: int | None) -> Rules:
    if digits is None:
        return rules or _USUAL
    if rules is not None and rules != Rules(digits, 10):
        raise click.UsageError(f"--digits {digits} does not go with {rules}; leave one of them out")
    return Rules(digits, 10)


@command.command("guess")
@_game_options
def guess_command(
    rules: Rules | None, digits: int | None, first_symbol: int, notation: str, as_json: bool
) -> None:
    """The computer guesses: think of a code, and answer its guesses.

    Bulls are symbols in the right place, cows those in another place. Write 1B2C, 1A2B, 1H2B, 1,2,
    12, or EAT 1 BITE 2. Where the answers contradict each other, those that can be mistaken are
    named. Play is optimal at 4x10, and wherever the candidates can be searched in about a second.
    """
    writing = turns.Writing(_rules(rules, digits), first_symbol, notation)
    _GuessGame(writing, as_json).play()


@command.command("judge")
@_game_options
@click.option("--adversary", is_flag=True, help="No secret: answer so that the game is long.")
@click.option(
    "--against",
    metavar="PLAYER",
    help="With --adversary: the player or tree file whose guesses will come.",
)
@click.option("--secret", metavar="CODE", help="The secret, instead of one drawn at random.")
@click.option(
    "--seed", type=click.IntRange(min=0), metavar="S", help="Draw the secret with this seed."
)
def judge_command(
    rules: Rules | None,
    digits: int | None,
    first_symbol: int,
    notation: str,
    as_json: bool,
    adversary: bool,
    against: str | None,
    secret: str | None,
    seed: int | None,
) -> None:
    """The computer answers: guess the code that it has chosen.

    With --adversary it has chosen none: it gives the answer that leaves the most codes possible,
    and never contradicts itself. h asks for a hint.
    """
    from moo_research.game import Adversary, Honest, TreeAdversary, draw_secret

    if adversary and (secret is not None or seed is not None):
        raise click.UsageError("an adversary has no secret; leave out --secret and --seed")
    if against is not None and not adversary:
        raise click.UsageError("--against is for --adversary")
    given = None if rules is None and digits is None else _rules(rules, digits)
    tree = None if against is None else _tree_of(against, given)
    chosen = given or (tree.rules if tree else _USUAL)
    writing = turns.Writing(chosen, first_symbol, notation)
    judge: Judge
    if tree is not None:
        judge = TreeAdversary(tree)
    elif adversary:
        judge = Adversary()
    elif secret is not None:
        judge = Honest(read_code(secret, chosen, first_symbol))
    else:
        judge = Honest(draw_secret(chosen, secrets.randbits(64) if seed is None else seed))
    _JudgeGame(writing, as_json, judge).play()


def _tree_of(name: str, rules: Rules | None) -> DecisionTree:
    """The tree of a player, for the rules that were asked for, or those that it has."""
    from moo_research import players
    from moo_research.simulate import decision_tree

    player = players.get(name)
    if isinstance(player, players.TreePlayer):
        if player.tree is not None and rules is None:
            return player.tree
        return player.tree_for(rules or _USUAL)
    return decision_tree(player, rules or _USUAL)


class _Ended(Exception):
    """The person has ended the game."""


class _Game:
    """A dialogue: prompts, commands, and the history at the end."""

    help: str
    mode: str

    def __init__(self, writing: turns.Writing, as_json: bool) -> None:
        from moo_research.game import Record

        self.writing = writing
        self.rules = writing.rules
        self.as_json = as_json
        self.record: Record = Record(self.rules)

    # ---- what the two games do differently ----

    def begin(self) -> None:
        """Say what the game is about."""
        raise NotImplementedError

    def step(self) -> None:
        """Do one turn, or whatever the person asks for instead."""
        raise NotImplementedError

    def outcome(self) -> dict[str, Any]:
        """Say how the game ended, and return what else the JSON object has."""
        raise NotImplementedError

    # ---- what they share ----

    def play(self) -> None:
        """Play until the code is found or the person ends it, then show the history."""
        self.say(common.describe_rules(self.rules))
        self.begin()
        try:
            while not self.record.won:
                self.step()
        except _Ended:
            pass
        except KeyboardInterrupt:
            self.say("")
            raise
        outcome = self.outcome()
        self.show_history()
        if self.as_json:
            common.print_json(
                {
                    "mode": self.mode,
                    "rules": str(self.rules),
                    "won": self.record.won,
                    "turns": [
                        {
                            "guess": self.writing.code(turn.guess),
                            "response": str(turn.response),
                            "candidates": count,
                        }
                        for turn, count in zip(self.record.turns, self.record.counts, strict=False)
                    ],
                    "candidates": self.record.count,
                    **outcome,
                }
            )

    def say(self, text: str, nl: bool = True) -> None:
        """Say something to the person; standard output is left to JSON if that is asked for."""
        click.echo(text, nl=nl, err=self.as_json)

    def ask(self, prompt: str) -> str:
        """Read a line that is not empty. Raises _Ended where the game is ended."""
        while True:
            self.say(prompt, nl=False)
            line = _read_line()
            if line is None:
                self.say("")
                raise _Ended
            if not sys.stdin.isatty():  # nobody has seen it being typed
                self.say(line)
            word = line.strip().lower()
            if word in ("q", "quit", "exit") or (word == "0" and self.rules.positions > 1):
                if not self.is_answer(word):
                    raise _Ended
            elif word in ("?", "help") and not self.is_answer(word):
                self.say(self.help)
                continue
            elif word in ("u", "undo") and not self.is_answer(word):
                self.undo()
                return ""
            if word:
                return line

    def is_answer(self, word: str) -> bool:
        """Whether a word that is a command is also what the game asks for."""
        return False

    def undo(self) -> None:
        """Take the last turn back."""
        try:
            self.say(f"   taken back: {self.writing.turn(self.record.undo())}")
        except HistoryError as error:
            self.say(f"   {error}")

    @property
    def prompt(self) -> str:
        """The number of the turn, and how many candidates are left."""
        number = len(self.record.turns) + 1
        count = self.record.count
        return f"{number}." + ("" if count is None else f" [{counted(count, 'candidate')}]")

    def show_history(self) -> None:
        """Show the turns in the form that ``moo audit`` and ``moo hint`` read."""
        if not self.record.turns:
            return
        self.say("\nhistory, with the candidates before each guess")
        for number, (turn, count) in enumerate(
            zip(self.record.turns, self.record.counts, strict=False), 1
        ):
            note = "" if count is None else f"   # {count}"
            self.say(f"{number}. {self.writing.turn(turn)}{note}")


class _GuessGame(_Game):
    """The computer guesses."""

    mode = "guess"
    help = (
        "   Answer with bulls (right place) and cows (other place): 1B2C, 1,2 or 12; y: it is it.\n"
        "   u takes the last answer back, 2: 1B1C corrects answer 2, 0 ends the game."
    )

    def __init__(self, writing: turns.Writing, as_json: bool) -> None:
        super().__init__(writing, as_json)
        from moo_research.advice import Adviser

        self.adviser = Adviser(self.record.state.space)

    def begin(self) -> None:
        self.say("Think of a code; I guess it. Answer with bulls and cows, such as 1B2C or 1,2.")
        self.say("u: take back, 2: 1B1C corrects answer 2, ?: help, 0 or Ctrl-D: end")

    def step(self) -> None:
        if self.record.count == 0:
            self.contradiction()
            return
        guess = self.adviser.advise_in(self.record.state).guess
        while True:
            line = self.ask(f"{self.prompt} I guess {self.writing.code(guess)}: ")
            if not line or self.correction(line):
                return
            try:
                response = (
                    Response(self.rules.positions, 0)
                    if line.strip().lower() in _WON
                    else read_response(line, self.rules)
                )
            except ResponseError as error:
                self.say(f"   {error}")
                continue
            self.record.add(Turn(guess, response))
            return

    def correction(self, line: str) -> bool:
        """Whether a line corrects an answer, as in ``2: 1B1C``; does so, or says why not."""
        match = _CORRECTION.fullmatch(line.strip())
        if match is None:
            return False
        try:
            response = read_response(match[2], self.rules)
            self.record.correct(int(match[1]), response)
        except MooError as error:
            self.say(f"   {error}")
        else:
            self.say(f"   answer {int(match[1])} is now {self.writing.response(response)}")
        return True

    def contradiction(self) -> None:
        """Say which answers can be mistaken, and have one mended."""
        from moo_research.game import audit

        result = audit(self.record.turns, space=self.record.space)
        many = turns.how_many_are_mistaken(result.slips)
        self.say(f"\nNo code agrees with your answers, {many}:")
        for line in turns.describe_suspects(result, self.writing):
            self.say(f"   {line}")
        turn, response = result.explanations[0].right[0]
        example = f"{turn}: {self.writing.response(response)}"
        while True:
            line = self.ask(f"Correct it (such as {example}), u: take back, 0: end: ")
            if not line or self.correction(line):
                return
            self.say(f"   {shown(line.strip())} is no correction; write one such as {example}")

    def outcome(self) -> dict[str, Any]:
        if self.record.won:
            number = counted(len(self.record.turns), "guess", "guesses")
            self.say(f"Found in {number}.")
        elif self.record.count == 1:
            state = self.record.state
            code = self.writing.code(state.space.text(int(state.candidates[0])))
            self.say(f"The code must be {code}.")
        return {}


class _JudgeGame(_Game):
    """The computer answers."""

    mode = "judge"
    help = (
        "   Bulls are symbols in the right place, cows those in another place.\n"
        "   u takes the last guess back, h gives a hint, 0 ends the game."
    )

    def __init__(self, writing: turns.Writing, as_json: bool, judge: Judge) -> None:
        super().__init__(writing, as_json)
        self.judge = judge
        self._advise: Callable[[], str] | None = None

    def begin(self) -> None:
        from moo_research.game import Honest

        if isinstance(self.judge, Honest):
            self.say("I have chosen a code; guess it.")
        else:
            self.say("I answer so as to keep you guessing, and never contradict myself.")
        self.say("u: take back, h: hint, ?: help, 0 or Ctrl-D: end")

    def step(self) -> None:
        line = self.ask(f"{self.prompt} your guess: ")
        if not line:
            return
        if line.strip().lower() in ("h", "hint") and not self.is_answer(line):
            self.hint()
            return
        try:
            guess = read_code(line, self.rules, self.writing.first_symbol)
        except CodeError as error:
            self.say(f"   {error}")
            return
        response = self.judge.answer(self.record, guess)
        self.record.add(Turn(guess, response))
        self.say(f"   {self.writing.response(response)}")

    def is_answer(self, word: str) -> bool:
        try:
            read_code(word, self.rules, self.writing.first_symbol)
        except CodeError:
            return False
        return True

    def hint(self) -> None:
        """Advise the person."""
        if self._advise is None:
            from moo_research.advice import Adviser

            try:
                adviser = Adviser(self.record.state.space)
            except MooError as error:
                self.say(f"   {error}")
                return
            self._advise = lambda: adviser.advise_in(self.record.state).guess
        self.say(f"   try {self.writing.code(self._advise())}")

    def outcome(self) -> dict[str, Any]:
        from moo_research.game import Honest

        secret = self.judge.secret if isinstance(self.judge, Honest) else None
        if self.record.won:
            number = counted(len(self.record.turns), "guess", "guesses")
            self.say(f"Right: found in {number}.")
            secret = self.record.turns[-1].guess
        elif secret is not None:
            self.say(f"The code was {self.writing.code(secret)}.")
        else:
            state = self.record.state
            some = self.writing.code(state.space.text(int(state.candidates[0])))
            more = counted(int(state.candidates.size), "code", "codes")
            self.say(f"I had chosen none; {more} still possible, such as {some}.")
        return {"secret": None if secret is None else self.writing.code(secret)}


def _read_line() -> str | None:
    """Read a line of standard input, whatever bytes it has; None at its end."""
    if sys.stdin is None:
        return None
    line = sys.stdin.buffer.readline(_LONGEST_LINE)
    return line.decode(errors="replace").rstrip("\r\n") if line else None
