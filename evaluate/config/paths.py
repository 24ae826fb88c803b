"""The files and folders that an ``evaluate.yaml`` names, and the same text with other paths in it.

Only the paths change: comments and layout stay as the organiser wrote them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import yaml

from evaluate.core.errors import UsageError

Named = tuple[str, ...]
"""Keys from the top of the file down to a path."""
CHALLENGES = "challenges"
_FILES = (
    ("notify", "mail", "password_file"),
    ("notify", "mail", "ca_file"),
    ("web", "oidc", "client_secret_file"),
)


def named_paths(text: str) -> dict[Named, str]:
    """Every path as it is written; the folder of a challenge under ``("challenges", NAME)``."""
    return {keys: node.value for keys, node in _nodes(text)}


def with_paths(text: str, paths: Mapping[Named, Path]) -> str:
    """The text with some of its paths replaced.

    Raises UsageError if a path is not written where it is used, but behind an anchor of YAML.
    """
    nodes = dict(_nodes(text))
    found = text
    for keys in sorted(paths, key=lambda keys: nodes[keys].start_mark.index, reverse=True):
        start, end = nodes[keys].start_mark.index, nodes[keys].end_mark.index
        found = found[:start] + json.dumps(str(paths[keys])) + found[end:]
    if named_paths(found) != named_paths(text) | {keys: str(path) for keys, path in paths.items()}:
        wanted = "; ".join(f"{'.'.join(keys)}: {path}" for keys, path in paths.items())
        raise UsageError(f"evaluate.yaml: its paths are behind anchors; write them by hand: {wanted}")
    return found


def _nodes(text: str) -> Iterator[tuple[Named, yaml.ScalarNode]]:
    top = yaml.compose(text, Loader=yaml.SafeLoader)
    challenges = _below(top, CHALLENGES)
    for key, value in challenges.value if isinstance(challenges, yaml.MappingNode) else ():
        node = _below(value, "folder") if isinstance(value, yaml.MappingNode) else value
        if isinstance(node, yaml.ScalarNode) and node.tag.endswith(":str"):
            yield (CHALLENGES, key.value), node
    for keys in _FILES:
        if isinstance(node := _below(top, *keys), yaml.ScalarNode):
            yield keys, node


def _below(node: yaml.Node | None, *keys: str) -> yaml.Node | None:
    for name in keys:
        if not isinstance(node, yaml.MappingNode):
            return None
        node = next((value for key, value in node.value if key.value == name), None)
    return node
