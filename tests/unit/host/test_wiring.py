from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.types import Kind
from evaluate.config.types import Config
from evaluate.core.errors import ChallengeError
from evaluate.core.model import Entry, LicenceServer
from evaluate.host.wiring import HostMeans, licence_server, make_job
from evaluate.images.image import Image
from evaluate.images.recipe import Recipe
from evaluate.stages.job import NullMonitor

CHALLENGE = load_challenge("adaptor2021")
SERVER = LicenceServer(host="licence.example.org", ports=(27000, 27001))


def test_challenge_gets_the_licence_server_that_it_asks_for_or_the_host_is_told_what_to_write() -> None:
    asking = replace(CHALLENGE, licence=True)
    assert licence_server(CHALLENGE, Config(licence_server=SERVER)) is None
    assert licence_server(asking, Config(licence_server=SERVER)) == SERVER
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
