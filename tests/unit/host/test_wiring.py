from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.types import Kind
from evaluate.config.load import load_config
from evaluate.config.types import Config
from evaluate.core.errors import ChallengeError
from evaluate.core.model import Entry, LicenceServer
from evaluate.host.wiring import HostMeans, licence_server, make_job
from evaluate.images.image import Image
from evaluate.images.recipe import Recipe
from evaluate.stages.job import NullMonitor

CHALLENGE = load_challenge("adaptor2021")
SERVER = LicenceServer(host="licence.example.org", ports=(27000, 27001))


def test_without_a_file_defaults_hold(tmp_path: Path) -> None:
    assert load_config(tmp_path) == Config()


def test_everything_is_read(tmp_path: Path) -> None:
    (tmp_path / "evaluate.yaml").write_text(
        "gpus: ['0000:65:00.0']\nlicence_server: {host: licence.example.org, ports: [27000, 27001]}\n"
    )
    assert load_config(tmp_path) == Config(gpus=("0000:65:00.0",), licence_server=SERVER)


def test_every_mistake_is_named_at_once(tmp_path: Path) -> None:
    (tmp_path / "evaluate.yaml").write_text("gpu: [x]\ngpus: [65]\nlicence_server: {host: 'a b', ports: [0, 0]}\n")
    with pytest.raises(ChallengeError) as found:
        load_config(tmp_path)
    for wish in (
        "gpus[1]: expected a PCI address such as 0000:65:00.0, found 65",
        "licence_server.host: expected a name or address, found 'a b'",
        "licence_server.ports[1]: expected a TCP port, found 0",
        "unknown key 'gpu'; did you mean 'gpus'?",
    ):
        assert wish in str(found.value)


def test_challenge_gets_what_it_asks_for_and_no_more() -> None:
    config = Config(licence_server=SERVER)
    assert licence_server(CHALLENGE, config) is None
    asking = replace(CHALLENGE, licence=True)
    assert licence_server(asking, config) == SERVER


def test_host_that_lacks_it_is_told_what_to_write() -> None:
    asking = replace(CHALLENGE, licence=True)
    with pytest.raises(ChallengeError, match=r"need a licence server; name it in evaluate.yaml"):
        licence_server(asking, Config())


def test_challenge_whose_image_has_no_recipe_is_at_fault_not_the_host(tmp_path: Path) -> None:
    def image_of(recipe: Recipe) -> Image:
        raise AssertionError(recipe.name)

    entry = Entry(archive=tmp_path / "red.zip", sha256="", size=0, commit="")
    with pytest.raises(ChallengeError, match=r"adaptor2021: no image recipe 'bookwurm'; known: .*bookworm"):
        make_job(
            HostMeans(state=tmp_path, monitor=NullMonitor(), image_of=image_of),
            entry,
            replace(CHALLENGE, image="bookwurm"),
            tmp_path,
            kind=Kind.SCRIPTS,
        )
