"""``python -m moo_research`` is ``moo``."""

from moo_research.cli import main

if __name__ == "__main__":
    main()
