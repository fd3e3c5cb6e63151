"""What pyproject.toml cannot say: the dashboard and the samples lie beside the core here, and inside it in a wheel."""

from setuptools import find_namespace_packages, setup
from setuptools.command.build_py import build_py

DASHBOARD, SAMPLES, DOCS = (f"consensus_core.{name}" for name in ("dashboard", "sample_data", "docs"))
pages = find_namespace_packages(include=["pages*"])
INSIDE = {DASHBOARD: ".", SAMPLES: "sample_data", DOCS: "docs"}  # in a wheel -> here
INSIDE |= {f"{DASHBOARD}.{name}": name.replace(".", "/") for name in pages}


class Build(build_py):
    def find_package_modules(self, package, package_dir):
        """Of this folder only the server, of samples and docs not the programs that make them."""
        found = super().find_package_modules(package, package_dir)
        return [one for one in found if package not in (DASHBOARD, SAMPLES, DOCS) or one[1] == "app"]


setup(
    packages=[*find_namespace_packages(include=["consensus_core*"]), *INSIDE],
    package_dir=INSIDE,
    cmdclass={"build_py": Build},
)
