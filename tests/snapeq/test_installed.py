"""What a user gets from the wheel, in an empty environment and far from the checkout."""

import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

import snapeq
from tests.paths import ROOT
from tests.snapeq.installed import BUILD, Installed

QUERY = "CREATE STREAM S(x INT, t BIGINT) ORDERED BY t; SELECT DISTINCT x FROM S WINDOW(RANGE 2)"
ENGINE = """
from snapeq import PhysicalStream, evaluate

class Reference:
    name = "mine"

    def supports(self, plan):
        return plan.operator in ("Source", "Filter") and all(map(self.supports, plan.inputs))

    def run(self, plan, sources, horizon):
        streams = {name: PhysicalStream.of(stream).to_interval() for name, stream in sources.items()}
        return evaluate(plan, streams, horizon)
"""
TEST = """
def test_engine(snapeq_conform):
    assert snapeq_conform("engines:Reference", cases=200).cases == 200
"""


def test_it_comes_from_the_wheel(installed: Installed, tmp_path: Path) -> None:
    code = "import sys, snapeq, semantics, physical, equivalence, pytest_snapeq; print(sys.path)"
    code += "; print(*(m.__file__ for m in (snapeq, semantics, physical, equivalence, pytest_snapeq)), sep='\\n')"
    path, *files = installed.run("python", "-c", code, cwd=tmp_path).stdout.splitlines()
    assert len(files) == 5
    assert all(Path(file).is_relative_to(installed.packages) for file in files)
    assert f"'{ROOT}'" not in path


def test_it_is_typed(installed: Installed) -> None:
    packages = ("semantics", "physical", "equivalence", "snapeq")
    assert all((installed.packages / package / "py.typed").is_file() for package in packages)


def test_the_command_and_the_module_say_the_version(installed: Installed, tmp_path: Path) -> None:
    for command in (("snapeq",), ("python", "-m", "snapeq")):
        ran = installed.run(*command, "--version", cwd=tmp_path)
        assert (ran.returncode, ran.stdout, ran.stderr) == (0, f"snapeq {snapeq.__version__}\n", "")


def test_a_query_runs_and_its_kernels_are_cached(installed: Installed, tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text("x,t\n1,0\n1,1\n2,4\n", encoding="utf-8")
    cache = {"SNAPEQ_CACHE": str(tmp_path / "cache")}
    ran = installed.run("snapeq", "run", QUERY, "--stream", "S=s.csv", cwd=tmp_path, variables=cache)
    assert (ran.returncode, ran.stdout) == (0, "x,_start,_end,_count\n1,0,3,1\n2,4,6,1\n")
    assert ran.stderr == "snapeq: compiling its kernels, this once\n"
    assert len([*tmp_path.glob("cache/snapeq/kernels-*/*/*.nbi")]) > 0
    assert [*installed.packages.glob("**/*.nbi")] == []


def test_the_golden_corpus_comes_along(installed: Installed, tmp_path: Path) -> None:
    ran = installed.run("snapeq", "verify", "--only", "operators", "--quick", cwd=tmp_path)
    assert ran.returncode == 0
    assert all(line.endswith(("all hold", "in all")) for line in ran.stderr.splitlines())
    cases = len([*(ROOT / "tests" / "corpus").glob("*.case")])
    assert f"golden cases {cases} {cases} {cases}" in " ".join(ran.stdout.split())
    assert ran.stdout.endswith("everything holds\n")


def test_an_engine_is_judged_in_a_process_of_its_own(installed: Installed, tmp_path: Path) -> None:
    (tmp_path / "engines.py").write_text(ENGINE, encoding="utf-8")
    ran = installed.run("snapeq", "conform", "engines:Reference", "--cases", "200", cwd=tmp_path)
    assert (ran.returncode, ran.stdout.splitlines()[-1]) == (0, "engine mine: 200 cases; it conforms")
    assert ran.stderr == ""


def test_pytest_has_the_fixtures(installed: Installed, tmp_path: Path) -> None:
    (tmp_path / "engines.py").write_text(ENGINE, encoding="utf-8")
    (tmp_path / "test_engine.py").write_text(TEST, encoding="utf-8")
    ran = installed.run("python", "-m", "pytest", "-W", "error", "--snapeq-seed", "3", cwd=tmp_path)
    assert (ran.returncode, "1 passed" in ran.stdout) == (0, True), ran.stdout


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source distribution, unpacked."""
    folder = tmp_path_factory.mktemp("sources")
    build = "import sys; from hatchling.build import build_sdist; build_sdist(sys.argv[1])"
    subprocess.run([sys.executable, "-c", build, str(folder)], cwd=ROOT, check=True, capture_output=True)
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        opened.extractall(folder, filter="data")
    return folder / archive.name.removesuffix(".tar.gz")


def test_the_wheel_can_be_built_from_the_source_distribution(
    installed: Installed, sources: Path, tmp_path: Path
) -> None:
    subprocess.run([sys.executable, "-c", BUILD, str(tmp_path)], cwd=sources, check=True, capture_output=True)
    (again,) = tmp_path.glob("*.whl")
    assert again.read_bytes() == installed.wheel.read_bytes()
