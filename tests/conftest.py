"""What every test shares."""

import signal
from collections.abc import Callable

import pytest
from click.testing import CliRunner, Result
from hypothesis import settings

# A slow machine is no failure: no test asserts a duration, so neither does hypothesis.
settings.register_profile("moo", deadline=None)
settings.load_profile("moo")

# A shell starts what runs in the background with Ctrl-C ignored, and a program that is started so
# keeps to that. The tests that interrupt programs would wait for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def moo() -> Callable[..., Result]:
    """Run the command line in this process: ``moo("solve", "2x4")``."""
    from moo_research.cli import main

    def run(*arguments: object) -> Result:
        result = CliRunner().invoke(main, [str(argument) for argument in arguments])
        # SystemExit is how the program ends; anything else would have been a traceback.
        assert result.exception is None or isinstance(result.exception, SystemExit)
        return result

    return run
