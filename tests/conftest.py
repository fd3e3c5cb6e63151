"""What all tests share: the optional folder of real data, and one numerical thread."""

import os
import re
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import hypothesis
import numpy as np
import pytest

hypothesis.settings.register_profile("quorum", deadline=None)  # machines are noisy: timing decides no test
hypothesis.settings.load_profile("quorum")

SHARED = Path(os.environ.get("QUORUM_SHARED", Path(__file__).resolve().parents[2] / "shared"))


def pytest_addoption(parser):
    parser.addoption("--method", metavar="KEY", help="of the tests that are made for each method, those of this one")


def pytest_collection_modifyitems(config, items):
    wanted = config.getoption("--method")
    if not wanted:
        return
    others = [item for item in items if _of_methods(item) not in (None, wanted)]
    config.hook.pytest_deselected(items=others)
    items[:] = [item for item in items if item not in others]


def _of_methods(item) -> str | None:
    """The method a test is made for."""
    made_with = getattr(item, "callspec", None) and item.callspec.params
    if not made_with:
        return None
    key = made_with.get("key") or getattr(made_with.get("cls"), "key", None)
    return key if isinstance(key, str) else None


@pytest.fixture(scope="session")
def shared():
    """The optional folder of golden results and real base clusterings; tests that need it skip without it."""
    if not (SHARED / "golden").is_dir():
        pytest.skip(f"needs the optional test data in {SHARED} (golden results and pools), which is not there")
    return SHARED


@pytest.fixture(scope="session")
def golden(shared):
    """golden("spce_Ecoli_2") -> the arrays of that file, as a dict."""

    def load(name):
        with np.load(shared / "golden" / f"{name}.npz", allow_pickle=False) as file:
            return {key: file[key] for key in file.files}

    return load


@pytest.fixture(scope="session")
def pool(shared):
    """pool("Ecoli") -> (members (n, 100) of labels 1..K, truth (n,))."""
    from scipy.io import loadmat

    def load(name):
        file = loadmat(shared / "pools" / f"{name}.mat")
        return np.asarray(file["members"], dtype=np.int64), np.asarray(file["gt"]).ravel().astype(np.int64)

    return load


@pytest.fixture(autouse=True)
def no_run_of_another_test():
    """Runs are shared by all who ask for the same: a test begins without those of the tests before."""
    from consensus_core.live import together

    together._RUNS.clear()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """What goes to one process together (`--dist loadgroup`): a file, whose fixtures are made once; of the laws, which
    are one long file, what is of one method. In the order of the folder: the browser's files, of few tests that take
    long, come first, and short ones fill up the end.

    Marks of xdist_group would say the same, but the xdist of today writes them where the pytest of today does not look.
    """
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            file, _, test = nodeid.partition("::")
            if file.endswith("test_contract.py") and "[" in test:
                return f"{file} {re.split('[][-]', test)[1]}"
            return file

    if config.getvalue("dist") != "loadgroup":
        return None
    config.option.loadscopereorder = False
    return ByFile(config, log)
