"""The extension modules. Everything else about the package is in pyproject.toml.

No flag names a processor: the C code chooses its vector instructions when it runs.
"""

from glob import glob

from Cython.Build import cythonize
from setuptools import Extension, setup

RESPONSES = ["ext/responses.c"]
ENGINE = sorted(path for path in glob("ext/*.c") if not path.startswith("ext/_"))
OPTIONS = {
    "include_dirs": ["ext"],
    "depends": sorted(glob("ext/*.h")),
    "extra_compile_args": ["-O3", "-std=gnu11", "-fno-math-errno", "-pthread"],
    "extra_link_args": ["-pthread", "-lm"],
}

setup(
    ext_modules=cythonize(
        [
            Extension("moo_research._responses", ["ext/_responses.pyx", *RESPONSES], **OPTIONS),
            Extension("moo_research._engine", ["ext/_engine.pyx", *ENGINE], **OPTIONS),
            Extension("moo_research._players", ["ext/_players.pyx", *ENGINE], **OPTIONS),
        ],
        # The C that Cython writes stays out of ext/, which holds only what people wrote.
        build_dir="build/cython",
        compiler_directives={"language_level": "3"},
    )
)
