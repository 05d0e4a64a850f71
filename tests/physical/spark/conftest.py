"""One Spark session for all tests here: its start takes longer than most of them.

It is started in a folder where another package called `semantics` lies, which no worker may pick up.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from physical.spark import session as sessions


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    foreign = tmp_path_factory.mktemp("workers")
    (foreign / "semantics").mkdir()
    (foreign / "semantics" / "__init__.py").write_text("raise ImportError('this is another package')")
    here = Path.cwd()
    os.chdir(foreign)
    try:
        session = sessions.session(settings={"spark.sql.codegen.wholeStage": "false"})
    finally:
        os.chdir(here)
    yield session
    sessions.stop()
