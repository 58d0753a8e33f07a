"""The checker in C, against the one in Python.

checker.py is what is expected: the same verdict, and the same place and reason of a rejection. It
has its own tests against brute force.
"""

from __future__ import annotations

import gzip
import os
import random
import re
import shutil
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from moo_research import checker
from moo_research.certificate import save_certificate
from moo_research.objective import Objective
from moo_research.search import solve
from tests.test_certificate import TAMPERED, body_of, certificate, damage
from tests.test_certificate import sealed as sealed_body
from tests.test_checker import BEST, NO_RULES, WORSE, head, sealed

SOURCE = Path(checker.__file__).with_name("checker.c")
RESULTS = Path(__file__).parents[1] / "results"

MORE_CLAIMS = f"more than {2**26}"

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def compiled(folder: Path, *options: str) -> Run:
    """Build it as docs/certificate.md says, and return what runs it."""
    compiler = os.environ.get("CC", "cc").split()
    if shutil.which(compiler[0]) is None:
        pytest.skip(f"there is no C compiler {compiler[0]}")
    program = folder / "checker"
    flags = ["-O3", "-std=c11", "-pthread", "-Wall", "-Wextra", "-Wpedantic", *options]
    built = subprocess.run(
        [*compiler, *flags, "-o", program, SOURCE, "-lpthread"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert built.stderr == ""

    def run(*arguments: object, data: bytes | None = None) -> subprocess.CompletedProcess[str]:
        found = subprocess.run(
            [program, *map(str, arguments)], input=data, capture_output=True, check=False
        )
        return subprocess.CompletedProcess(
            found.args, found.returncode, found.stdout.decode(), found.stderr.decode()
        )

    return run


@pytest.fixture(scope="session")
def check_c(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return compiled(tmp_path_factory.mktemp("compiled"))


SMALL = ("-DMOST_WORDS=1", "-DCACHED_SETS=1", "-DDENSE=100000", "-DCOLUMNS_FROM=0")


@pytest.fixture(scope="session")
def check_c_small(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """With no table of bits, no cache worth the name, and every short cut taken at once."""
    return compiled(tmp_path_factory.mktemp("small"), *SMALL, "-DMATRIX_UP_TO=160")


@pytest.fixture(
    scope="session",
    params=[
        ("-DLEAST_WIDTH=32",),
        ("-DLEAST_WIDTH=64",),
        (*SMALL, "-DLEAST_WIDTH=32"),
        (*SMALL, "-DLEAST_WIDTH=64"),
        ("-DDENSE=1",),
    ],
    ids=" ".join,
)
def check_c_otherwise(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Run:
    return compiled(tmp_path_factory.mktemp("otherwise"), "-O1", *request.param)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("certificates")


def compare(run: Run, path: Path, *arguments: object) -> checker.Verdict:
    """Check a file with both; they must say the same."""
    expected = checker.check(path)
    found = run(path, *arguments)
    lines = found.stdout.splitlines()
    if expected.accepted:
        said = checker.describe(expected).splitlines()
        assert (found.returncode, lines[0]) == (0, said[0]), lines
        assert re.fullmatch(rf"{expected.claims} claims checked in \d+\.\d s", lines[1])
        assert len(lines) == 2
    else:
        # The one limit that differs.
        reason = str(expected.reason).replace(f"more than {checker.MOST_CLAIMS}", MORE_CLAIMS)
        assert (found.returncode, lines) == (1, [f"rejected: {reason}"])
    assert found.stderr == ""
    return expected


def compare_text(run: Run, folder: Path, data: str | bytes) -> checker.Verdict:
    path = folder / "file.cert"
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return compare(run, path)


def test_it_comes_with_the_package() -> None:
    assert SOURCE.is_file()


# ---- True certificates ----

QUICK = {"4x6r-mean", "4x10-strongest", "4x10-mean"}


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=name, marks=() if name in QUICK else pytest.mark.long)
        for path in sorted(RESULTS.glob("*.cert.gz"))
        for name in [path.name.removesuffix(".cert.gz")]
    ],
)
def test_the_evidence_is_accepted(path: Path, check_c: Run) -> None:
    """The head of the file says what is proven."""
    with gzip.open(path, "rt") as stream:
        _, rules, cost, optimum = (next(stream).split(" ", 1)[1].strip() for _ in range(4))
    found = check_c(path, 2)
    proven = (
        "no strategy keeps the limit"
        if optimum == "none"
        else f"the least cost of a strategy is {optimum}"
    )
    assert found.stdout.splitlines()[0] == f"accepted: {rules}, costs {cost}: {proven}"
    assert found.returncode == 0


OBJECTIVES = {
    "mean": Objective.mean(),
    "odds": Objective.odds(3),
    "nothing": Objective.raw((0, 0, 0)),
    "stepped": Objective.raw((0, 0, 1, 5)),
    "convex": Objective("convex", (1, 2, 4, 8, 16), 16),
    "concave": Objective("concave", (7, 9, 10), 0),
    "long": Objective("long", tuple(range(0, 120, 2)), 7),
    "limit": Objective.raw((1, 2, 3)),
}
GAMES = ["1x1", "1x7", "2x3", "2x5", "3x4", "4x4", "2x3r", "3x2r", "3x3r", "2x4z", "3x4z", "3x3rz"]


@pytest.mark.parametrize("text", GAMES)
def test_small_games(text: str, check_c: Run, check_c_small: Run, folder: Path) -> None:
    """Each also with the optimum one more and one less, in the tree or not."""
    for objective in OBJECTIVES.values():
        written = certificate(text, objective)
        for run in (check_c, check_c_small):
            verdict = compare_text(run, folder, written)
            assert verdict.accepted
        for other in ((verdict.optimum or 0) + 1, (verdict.optimum or 0) - 1, "none", "inf"):
            lines = body_of(written).split("\n")
            lines[3] = f"optimum {other}"
            raised = [str(other) if line == str(verdict.optimum) else line for line in lines]
            for changed in (lines, raised):
                compare_text(check_c, folder, sealed_body("\n".join(changed)))


LARGER = ["3x6", "4x6r", "3x7z", "1x20", "2x12", "4x5rz", "5x6"]


@pytest.fixture(scope="session")
def larger_games(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("larger")
    paths = []
    for text in LARGER:
        for objective in (Objective.mean(), Objective.raw((0, 0, 0, 1))):
            paths.append(folder / f"{len(paths)}-{text}.cert.gz")
            save_certificate(paths[-1], solve(text, objective=objective, trace=True))
    return paths


def test_larger_games(larger_games: list[Path], check_c: Run, check_c_small: Run) -> None:
    """tests/test_certificate.py has checker.py accept such as these."""
    for path in larger_games:
        assert check_c(path, 2).returncode == 0
        assert check_c_small(path).returncode == 0


def test_what_is_for_speed_decides_nothing(
    larger_games: list[Path], check_c_otherwise: Run, folder: Path
) -> None:
    for path in larger_games:
        assert check_c_otherwise(path).returncode == 0
    test_claims_changed_one_by_one("3x5", check_c_otherwise, check_c_otherwise, folder)


# ---- Forged ones ----


@pytest.mark.parametrize("seed", range(8))
def test_damaged_certificates_get_the_same_verdict(seed: int, check_c: Run, folder: Path) -> None:
    draw = random.Random(seed)
    text = ["2x4", "2x5", "3x4", "2x4r", "2x6", "3x3r", "3x5", "3x4z"][seed]
    objective = draw.choice(list(OBJECTIVES.values()))
    original = body_of(certificate(text, objective))
    rejected = 0
    for _ in range(80):
        body = original
        for _ in range(draw.choice([1, 1, 1, 2, 3])):
            body = damage(body, draw)
        rejected += not compare_text(check_c, folder, sealed_body(body)).accepted
    assert rejected > 20


@pytest.mark.parametrize("text", ["3x5", "3x6", "3x5r"])
def test_claims_changed_one_by_one(
    text: str, check_c: Run, check_c_small: Run, folder: Path
) -> None:
    """Each bound raised and lowered, and each claim left out."""
    lines = body_of(certificate(text, Objective.mean())).split("\n")
    first = next(i for i, line in enumerate(lines) if line.startswith("claims ")) + 1
    draw = random.Random(text)
    rejected = 0
    for i in sorted(draw.sample(range(first, len(lines) - 1), min(40, len(lines) - 1 - first))):
        bound, space, history = lines[i].partition(" ")
        for other in (int(bound) + 1, int(bound) - 1, 0, "inf", None):
            if other is None:
                changed = [*lines[:i], *lines[i + 1 :]]
                changed[first - 1] = f"claims {len(lines) - 2 - first}"
            else:
                changed = [*lines[:i], f"{other}{space}{history}", *lines[i + 1 :]]
            for run in (check_c, check_c_small):
                verdict = compare_text(run, folder, sealed_body("\n".join(changed)))
            rejected += not verdict.accepted
    assert rejected > 10


@pytest.mark.parametrize("name", TAMPERED)
def test_tampering(name: str, check_c: Run, folder: Path) -> None:
    pattern, change = TAMPERED[name]
    body = body_of(certificate("3x6", Objective.mean()))
    body = re.sub(pattern, change, body, count=1, flags=re.M)
    assert not compare_text(check_c, folder, sealed_body(body)).accepted


NODES = (
    "1 0B2C 10|1 0B0C 10|1 2B0C 10|3 0B1C 10|0 01|x 0B1C 10|1 0B1C|200 0B1C 01||"
    "1 0B1C 00|1 0B1C 99|1 1B1C 01|1 0b1C 01|1 0B1C 01 |1  01|01 0B1C 01"
)
CLAIMS = (
    "5 01 0B1C|6 01 0B1C|5 01 2B0C|5 01 0B0C|5 01 0B1C 10 0B2C|5 00 0B1C|5 03 0B1C|"
    "5 01|5  01 0B1C|-5 01 0B1C|05 01 0B1C|5.0 01 0B1C|1e1 01 0B1C|0 01 0B1C||13|"
    "1125899906842624 01 0B1C|1125899906842625 01 0B1C|9999999999999999 01 0B1C|"
    "99999999999999999999999999 01 0B1C|inf 01 0B1C|Inf 01 0B1C|5\t01\t0B1C|5 01 10B0C|"
    "5 01 0B1C\r|5 'a 0B1C|5 \"'a 0B1C|5 \\ 0B1C|5 \0 0B1C|5 \x7f 0B1C|5 ab' \"c|"
    "5 012 0B1C|5 0 0B1C|5 0A 0B1C|5 01 0B1|5 01 0B1C0|5 01 /B1C|5 01 0B:C"
)


def test_forgeries_by_hand(check_c: Run, folder: Path) -> None:
    mean, free = "1 step 1", "0 0 0 limit"
    accepted = 0
    for lines in (
        [*head(mean, "13"), "tree 6", *BEST, "claims 1", "13"],
        [*head(mean, "14"), "tree 7", *WORSE, "claims 1", "13"],
        [*head(mean, "14"), "tree 7", *WORSE, "claims 0"],
        [*head(mean, "14"), "tree 7", *WORSE, "claims 1", "5 01 0B1C"],
        [*head(mean, "14"), "tree 7", *WORSE, "claims 1", "14"],
        [*head(mean, "13"), "tree 7", *WORSE, "claims 1", "13"],
        [*head("1 2 3 limit", "none"), "tree 0", "claims 1", "inf"],
        [*head("1 2 3 limit", "none"), "tree 6", *BEST, "claims 1", "inf"],
        [*head(mean, "none"), "tree 0", "claims 1", "inf"],
        [*head(free, "0"), "tree 6", *BEST, "claims 1", "0"],
        *([*head(free, "0"), "tree 5", *BEST[:i], *BEST[i + 1 :], "claims 1"] for i in range(6)),
        *([*head(free, "0"), f"tree {cut}", *BEST[:cut], "claims 1", "0"] for cut in range(6)),
        [*head(free, "0"), "tree 7", *WORSE, "claims 1", "0"],
        *(
            [*head(free, "0"), "tree 7", *BEST, wrong, "claims 1", "0"]
            for wrong in NODES.split("|")
        ),
        *(
            [*head(mean, "13"), "tree 6", *BEST, "claims 2", "13", claim]
            for claim in CLAIMS.split("|")
        ),
        [*head(mean, "13"), "tree 6", *BEST, "claims 1", "13 " + "01 0B1C " * 1100],
        [*head(mean, "13"), "tree 6", *BEST, "claims 2", "13", "0" + " 01 0B1C" * 200],
        [*head(mean, "13"), "tree 6", *BEST, "claims 2", "13", "0" + " 01 0B1C" * 201],
        [*head(mean, "13"), "tree 6", *BEST, "claims 3", "13", "5 01 0B1C", "2 01 0B1C"],
        [*head(mean, "13"), "tree 6", *BEST, "claims 3", "13", "5 01 0B2C", "2 01 0B1C"],
        [*head(mean, "13"), "tree 6", *BEST, "claims 3", "13", "5 01 0B1C 12 1B0C", "2 01 0B1C"],
        [*head(mean, "13"), "tree 6", *BEST, "claims 1000000000000", "13"],
        [*head(mean, "13"), "tree 2097153", *BEST, "claims 1", "13"],
    ):
        accepted += compare_text(check_c, folder, sealed(*lines)).accepted
    assert accepted == 5  # the first, the one that is free, and three claims


COSTS = (
    "|1|limit|step 1|1 step|1  step 1|1 step 1 |2 1 limit|0 step 1125899906842624|limit limit"
    "|1 limit 1|1 step 01|0 step 1125899906842625|1 2 3 4 5 6 7 8 9 step 2|0 0 limit|5 step 0"
    "|1 1 1 1 1 1 1 1 1 1 1 1 limit|0 step 187649984473770|0 step 3000000000000"
    "|1125899906842624 limit|1 step step 1|1 2 2 step 1"
)


@pytest.mark.parametrize("cost", COSTS.split("|"))
def test_costs(cost: str, check_c: Run, folder: Path) -> None:
    for optimum in ("13", "0", "none"):
        tree = ["tree 0"] if optimum == "none" else ["tree 6", *BEST]
        bound = "inf" if optimum == "none" else optimum
        compare_text(
            check_c, folder, sealed(*head(cost, optimum), *tree, "claims 2", bound, "0 01 0B1C")
        )


@pytest.mark.parametrize("text", [*NO_RULES.split("|"), "10x10", "6x36r", "2x1", "1x1z", "32x2r"])
def test_no_rules(text: str, check_c: Run, folder: Path) -> None:
    data = f"moo-certificate 1\nrules {text}\ncost 1 step 1\n".encode()
    assert not compare_text(check_c, folder, data).accepted


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"moo",
        b"moo-certificate",
        b"moo-certificate 1",
        b"moo-certificate 1\r\n",
        b"moo-certificate  1\n",
        b"moo-certificate 12345678901234567890123456789012345678901234567890\n",
        b"\xff\n",
        b"\x1f\n",
        b"\x1f",
        b"x" * 8192 + b"\n",
        b"x" * 8193 + b"\n",
        b"x" * 2_000_000,
        b"moo-certificate 1\nrules 2x3\ncost 1 step 1\noptimum 13\ntree 1\n" + b"\n" * 2_000_000,
        b"moo-certificate 1\nrules 2x3\ncost 1 step 1\noptimum 13\ntree 1\n0 01\xc3\xa4\n",
    ],
)
def test_no_certificates(data: bytes, check_c: Run, folder: Path) -> None:
    assert not compare_text(check_c, folder, data).accepted


def test_the_seal_and_the_ends_of_the_file(check_c: Run, folder: Path) -> None:
    text = certificate("2x4", Objective.mean())
    assert compare_text(check_c, folder, text).accepted
    end = text.index("end ")
    for wrong in (
        text[:-1],
        text + "\n",
        text + "x",
        text * 2,
        text[:-3] + "g\n",
        text[:end] + text[end:].upper(),
        text[:end] + "end " + "0" * 64 + "\n",
        text.replace("optimum 30", "optimum 31"),
        *(text[:cut] for cut in range(0, len(text), 7)),
    ):
        assert not compare_text(check_c, folder, wrong).accepted


# ---- Compression ----


def compare_packed(run: Run, folder: Path, data: bytes) -> bool:
    """Where a file is damaged, the place depends on how much is decompressed at a time."""
    path = folder / "packed.cert.gz"
    path.write_bytes(data)
    expected = checker.check(path)
    found = run(path)
    assert found.returncode == (0 if expected.accepted else 1), (expected.reason, found.stdout)
    if not expected.accepted:
        assert found.stdout.startswith("rejected: ")
        about = re.sub(r"^.*?: | \(.*", "", str(expected.reason), flags=re.S)
        if about.startswith(("something follows the compressed", "the compress")):
            assert re.search("something follows|the compress", found.stdout)
    return expected.accepted


def packed(data: bytes, level: int = 6, strategy: int = zlib.Z_DEFAULT_STRATEGY) -> bytes:
    packer = zlib.compressobj(level, wbits=31, strategy=strategy)
    return packer.compress(data) + packer.flush()


def test_compressed_files(check_c: Run, folder: Path) -> None:
    """Stored, with the fixed code, with codes of its own; small and larger than a window."""
    for text in ("2x4", "3x6", "4x5r"):
        data = certificate(text, Objective.mean()).encode()
        for level in (0, 1, 6, 9):
            assert compare_packed(check_c, folder, packed(data, level))
        for strategy in (zlib.Z_FIXED, zlib.Z_HUFFMAN_ONLY, zlib.Z_RLE, zlib.Z_FILTERED):
            assert compare_packed(check_c, folder, packed(data, 6, strategy))


def test_the_header_of_a_compressed_file(check_c: Run, folder: Path) -> None:
    data = packed(certificate("2x4", Objective.mean()).encode())
    start, rest = data[:10], data[10:]
    for flags, more in (
        (0x01, b""),
        (0x04, b"\x05\x00hello"),
        (0x08, b"name\0"),
        (0x10, b"comment\0"),
        (0x1D, b"\x01\x00xname\0comment\0"),
    ):
        header = start[:3] + bytes([flags]) + start[4:] + more
        assert compare_packed(check_c, folder, header + rest)
        summed = header[:3] + bytes([flags | 2]) + header[4:]
        checksum = (zlib.crc32(summed) & 0xFFFF).to_bytes(2, "little")
        assert compare_packed(check_c, folder, summed + checksum + rest)
        assert not compare_packed(check_c, folder, summed + b"\0\0" + rest)
    assert not compare_packed(check_c, folder, start[:3] + b"\x80" + start[4:] + rest)
    assert not compare_packed(check_c, folder, start[:2] + b"\x07" + start[3:] + rest)


def test_damaged_compression(check_c: Run, folder: Path) -> None:
    data = certificate("3x5", Objective.mean()).encode()
    good = packed(data)
    for wrong in (
        good + b"x",
        good + b"\0" * 512,
        good + good,
        good + packed(b""),
        packed(b"") + good,
        packed(data[:1000]) + packed(data[1000:]),
        packed(b""),
        good[:-8] + b"\0" * 8,
        good[:-4] + b"\0" * 4,
        *(good[:cut] for cut in (2, 3, 9, 10, 11, 50, len(good) // 2, len(good) - 1)),
    ):
        assert not compare_packed(check_c, folder, wrong)
    draw = random.Random(1)
    accepted = 0
    for _ in range(150):
        wrong_bytes = bytearray(good)
        for _ in range(draw.choice([1, 1, 2])):
            wrong_bytes[draw.randrange(2, len(good))] ^= 1 << draw.randrange(8)
        accepted += compare_packed(check_c, folder, bytes(wrong_bytes))
    assert accepted < 30  # nothing depends on the time stamp and some flags


def test_bombs(check_c: Run, folder: Path) -> None:
    start = b"moo-certificate 1\nrules 2x4\ncost 1 step 1\noptimum 30\ntree 12\n"
    for bomb in (packed(b"0" * 30_000_000), packed(start + b"\n" * 30_000_000)):
        assert not compare_text(check_c, folder, bomb).accepted


# ---- Running it ----


def test_standard_input_and_threads(check_c: Run, folder: Path) -> None:
    path = folder / "piped.cert.gz"
    save_certificate(path, solve("4x7", trace=True))
    data = path.read_bytes()
    expected = check_c(path).stdout.splitlines()[0]
    assert expected.startswith("accepted: 4x7, ")
    for piped in (data, gzip.decompress(data)):
        for threads in ([], [1], [2], [7]):
            found = check_c("-", *threads, data=piped)
            assert found.stdout.splitlines()[0] == expected
    assert check_c("-", data=data[:-1]).returncode == 1
    assert check_c("-", data=b"").stdout == (
        "rejected: after line 0: the file is cut short: no first line\n"
    )


def test_of_several_false_claims_the_first_is_told(check_c: Run, folder: Path) -> None:
    path = folder / "many.cert"
    save_certificate(path, solve("4x8", trace=True))
    lines = path.read_text().splitlines()[:-1]
    start = next(i for i, line in enumerate(lines) if line.startswith("claims ")) + 1
    assert len(lines) - start > 600  # more than two threads take at first
    for at in (start + 333, len(lines) - 1):
        bound, _, history = lines[at].partition(" ")
        lines[at] = f"{int(bound) + 1000} {history}"
    path.write_text(sealed(*lines))
    for threads in (1, 2, 3, 50):
        reason = compare(check_c, path, threads).reason
        assert reason and reason.startswith(f"line {start + 334}: it is claimed that ")


def test_what_cannot_be_checked(check_c: Run, folder: Path) -> None:
    for arguments in ([], ["a", "0"], ["a", "01"], ["a", "1000"], ["a", "x"], ["a", "1", "2"]):
        found = check_c(*arguments)
        assert (found.returncode, found.stdout) == (2, "")
        assert found.stderr == "usage: checker FILE [THREADS]\n"
    for path in (folder / "missing.cert", folder):
        found = check_c(path)
        assert (found.returncode, found.stdout) == (2, "")
        assert re.fullmatch(rf"{re.escape(str(path))}: [A-Z][a-z ]+\n", found.stderr)


@pytest.mark.skipif(sys.platform != "linux", reason="limits on memory differ")
def test_too_little_memory(check_c: Run, folder: Path) -> None:
    import resource

    path = folder / "small.cert"
    path.write_text(certificate("3x5", Objective.mean()))
    program = check_c(path).args[0]
    found = subprocess.run(
        [program, path],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (6 << 20, 6 << 20)),
    )
    assert found.returncode == 2
    assert found.stderr == f"{path}: there is not enough memory\n"


@pytest.mark.long
@pytest.mark.parametrize("sanitizer", ["address,undefined", "thread"])
def test_sanitizers_find_nothing(sanitizer: str, tmp_path: Path, folder: Path) -> None:
    """Where the compiler has them."""
    try:
        run = compiled(tmp_path, f"-fsanitize={sanitizer}", "-fno-sanitize-recover=all", "-g")
    except subprocess.CalledProcessError:
        pytest.skip(f"the compiler has no -fsanitize={sanitizer}")
    save_certificate(folder / "sane.cert.gz", solve("4x8", trace=True))
    assert compare(run, folder / "sane.cert.gz", 3).accepted
    test_forgeries_by_hand(run, folder)
    test_damaged_certificates_get_the_same_verdict(0, run, folder)
    test_damaged_compression(run, folder)
    test_of_several_false_claims_the_first_is_told(run, folder)
    for data in (b"", b"x" * 8193, b"moo-certificate 1\nrules 1x36\n"):
        compare_text(run, folder, data)
