"""The wheel is built and installed once for all tests here."""

import pytest

from tests.snapeq.installed import Installed, install_wheel


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return install_wheel(tmp_path_factory.mktemp("installed"))
