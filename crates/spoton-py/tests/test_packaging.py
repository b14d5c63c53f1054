"""The wheel and the source package."""

import importlib.metadata
import subprocess
import tarfile
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
LICENCE = (PACKAGE.parents[1] / "LICENSE").read_bytes()


def test_the_licence_is_that_of_the_project():
    assert (PACKAGE / "LICENSE").read_bytes() == LICENCE


def test_the_wheel_has_the_licence():
    installed = importlib.metadata.distribution("spoton")
    assert installed.metadata["License-Expression"] == "MIT" and installed.metadata.get_all("License-File") == ["LICENSE"]
    [licence] = [file for file in installed.files if file.name == "LICENSE"]
    assert ".dist-info" in str(licence) and licence.locate().read_bytes() == LICENCE


def test_the_source_package_has_the_licence(tmp_path):
    command = ["maturin", "sdist", "--manifest-path", str(PACKAGE / "Cargo.toml"), "--out", str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True)
    [made] = tmp_path.iterdir()
    with tarfile.open(made) as package:
        top, *_ = package.getnames()[0].split("/")
        assert package.extractfile(f"{top}/LICENSE").read() == LICENCE
        about = package.extractfile(f"{top}/PKG-INFO").read().decode()
    assert "License-File: LICENSE" in about and "License-Expression: MIT" in about
