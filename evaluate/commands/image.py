"""`evaluate image`: build and look at virtual machine images."""

from __future__ import annotations

from pathlib import Path

import click

from evaluate.commands.state import state_of
from evaluate.images.build import build_image
from evaluate.images.image import image_folder, list_images, load_image, lock_of, read_lock, verify_image
from evaluate.images.recipe import load_recipe

_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)


@click.group()
def image() -> None:
    """Build, list and verify virtual machine images."""


@image.command("build")
@click.argument("name")
@click.option("--rebuild", is_flag=True, help="Build again, with current package versions.")
@click.option("--locked", type=_FILE, help="Build with exactly the packages of a lock file (`image lock`).")
@click.pass_context
def image_build(ctx: click.Context, name: str, rebuild: bool, locked: Path | None) -> None:
    """Build image NAME from its recipe (takes half a minute to two minutes)."""
    lock = read_lock(locked) if locked is not None else None
    built = build_image(
        load_recipe(name), state_of(ctx), lambda text: click.echo(text, err=True), rebuild=rebuild, lock=lock
    )
    click.echo(f"{built.name} {built.digest}")


@image.command("list")
@click.argument("name", required=False)
@click.pass_context
def image_list(ctx: click.Context, name: str | None) -> None:
    """List the built images, or every package of image NAME with its version."""
    if name is None:
        for built in list_images(state_of(ctx)):
            click.echo(f"{built} {load_image(built, state_of(ctx)).digest}")
        return
    for package in load_image(name, state_of(ctx)).packages:
        click.echo(f"{package.name} {package.version}")


@image.command("lock")
@click.argument("name")
@click.pass_context
def image_lock(ctx: click.Context, name: str) -> None:
    """Print the lock file of image NAME: every package with its version and digest."""
    click.echo(lock_of(image_folder(name, state_of(ctx))).text, nl=False)


@image.command("verify")
@click.argument("name")
@click.pass_context
def image_verify(ctx: click.Context, name: str) -> None:
    """Verify every file of image NAME against its digest."""
    click.echo(f"{name} {verify_image(name, state_of(ctx)).digest}: every file is as it was built")


COMMANDS = (image,)
