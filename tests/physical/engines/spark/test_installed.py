"""Spark from an installed wheel: its workers find snapeq where it is installed, and nothing else of that name."""

from pathlib import Path

from tests.physical.engines.spark.conftest import put_foreign_package, without_generated_code
from tests.snapeq.installed import install_wheel

QUERY = "S(x int) | window(range 2) | group(x; count(*) as n)"


def test_workers_use_the_installed_packages(tmp_path: Path) -> None:
    installed = install_wheel(tmp_path)
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    put_foreign_package(folder)
    (folder / "s.csv").write_text("x,_start,_end\n1,0,1\n1,1,2\n2,4,5\n", encoding="utf-8")
    command = ["snapeq", "run", QUERY, "--engine", "spark", "--stream", "S=s.csv", "--master", "local[1]"]
    ran = installed.run(*command, "--partitions", "1", cwd=folder, variables=without_generated_code(tmp_path / "conf"))
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout == "x,n,_start,_end,_count\n1,1,0,1,1\n1,2,1,2,1\n1,1,2,3,1\n2,1,4,6,1\n"
