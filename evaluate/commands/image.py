"""`evaluate image`: build and look at virtual machine images."""

from __future__ import annotations

import click

from evaluate.commands.state import state_of
from evaluate.images.build import build_image
from evaluate.images.image import list_images, load_image, verify_image
from evaluate.images.recipe import load_recipe


@click.group()
def image() -> None:
    """Build and look at virtual machine images."""


@image.command("build")
@click.argument("name")
@click.option("--rebuild", is_flag=True, help="Build again, with the package versions of today.")
@click.pass_context
def image_build(ctx: click.Context, name: str, rebuild: bool) -> None:
    """Build the image NAME by its recipe (a minute or two)."""
    built = build_image(load_recipe(name), state_of(ctx), lambda text: click.echo(text, err=True), rebuild=rebuild)
    click.echo(f"{built.name} {built.digest}")


@image.command("list")
@click.argument("name", required=False)
@click.pass_context
def image_list(ctx: click.Context, name: str | None) -> None:
    """The images that are built, or every package of the image NAME with its version."""
    if name is None:
        for found in list_images(state_of(ctx)):
            click.echo(f"{found} {load_image(found, state_of(ctx)).digest}")
        return
    for package in load_image(name, state_of(ctx)).packages:
        click.echo(f"{package.name} {package.version}")


@image.command("verify")
@click.argument("name")
@click.pass_context
def image_verify(ctx: click.Context, name: str) -> None:
    """Compute every digest of the image NAME again."""
    click.echo(f"{name} {verify_image(name, state_of(ctx)).digest}: every file is as it was built")


COMMANDS = (image,)
