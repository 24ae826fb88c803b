"""Container images as entries: from an archive to a configuration and layers that can be read.

Two forms of archive are read, compressed with gzip or not: an OCI image layout (``oci-layout``, ``index.json``,
``blobs/``) and what ``docker save`` writes (``manifest.json``); newer archives are both at once.  All of it is
untrusted: JSON is bounded, names are looked up inside the archive only, contents are compared with their digests.

Sources: OCI Image Format Specification 1.1; Docker Image Specification 1.2.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import posixpath
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Annotated, Any, cast

from msgspec import Meta

from evaluate.config.challenge.types import ArchiveLimits
from evaluate.core.errors import EntryError
from evaluate.untrusted.tar import (
    GZIP,
    RATIO,
    RATIO_FREE_BYTES,
    blaming,
    host_file,
    is_compressed,
    members,
    most_unpacked,
    open_plain,
    pieces,
)

MODEL = "model.tar.gz"
"""A tarball beside the image, which some contracts unpack into it."""
_MOST_JSON_BYTES = 4 << 20
MOST_LAYERS = 128
Digest = Annotated[str, Meta(pattern=r"^sha256:[0-9a-f]{64}$")]
_MOST_WORDS_BYTES, _MOST_PATH = 32 << 10, 1000
"""Three lists of words fit into one frame to the guest even if JSON encodes each byte as six."""
_DEPTH = 4
_PLATFORM = ("linux", "amd64")


@dataclass(frozen=True, kw_only=True)
class ImageConfig:
    """Settings that an image asks to be run with."""

    entrypoint: tuple[str, ...]
    cmd: tuple[str, ...]
    env: Mapping[str, str]
    cwd: str
    user: str
    labels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Blob:
    """A part of the archive."""

    name: str
    offset: Annotated[int, Meta(ge=0)]
    size: Annotated[int, Meta(ge=0)]


@dataclass(frozen=True, kw_only=True)
class Layer:
    """One layer, the lowest being number 0."""

    number: Annotated[int, Meta(ge=0, lt=MOST_LAYERS)]
    blob: Blob
    diff_id: Digest
    """``sha256:…`` of the uncompressed tar."""

    @property
    def label(self) -> str:
        """For messages."""
        return f"layer {self.number} ({self.diff_id[7:19]})"


@dataclass(frozen=True, kw_only=True)
class OciImage:
    """An image, as its archive describes it."""

    digest: Digest
    """``sha256:…`` of the configuration, which names every layer by its digest: the identity of the image."""
    config: ImageConfig
    layers: tuple[Layer, ...]
    model: Blob | None = None
    """The file `MODEL` of the archive, if there is one."""


def read_image(archive: Path, plain: Path, limits: ArchiveLimits) -> OciImage:
    """The image in an archive; a compressed one is decompressed to ``plain``, in which the image's parts then are.

    Raises EntryError if it is not such an archive, holds several images or none for this platform, or is damaged.
    Raises Fault if the archive cannot be read, or ``plain`` cannot be written.
    """
    damaged = "the container image is damaged"
    with blaming(damaged, archive):
        if is_compressed(archive):
            with gzip.open(archive) as packed:
                _copy_bounded(packed, plain, most_unpacked(archive, limits.unpacked_bytes), "the archive", damaged)
            return _read(plain, limits)
        return _read(archive, limits)


def _read(archive: Path, limits: ArchiveLimits) -> OciImage:
    blobs = _index(archive, limits.files)
    with archive.open("rb") as f:
        if "manifest.json" in blobs:
            config_name, layer_names = _docker(_json(f, blobs, "manifest.json"))
        elif "index.json" in blobs:
            config_name, layer_names = _oci(f, blobs)
        else:
            raise EntryError(
                "not a container image: expected an OCI layout (with index.json) or what 'docker save' writes "
                f"(with manifest.json); the archive contains {', '.join(sorted(blobs)[:5]) or 'nothing'}"
            )
        raw = _bytes(f, blobs, config_name)
    values = _parse(raw, config_name)
    diff_ids = _take(values, ("rootfs", "diff_ids"), list, config_name)
    platform = (values.get("os"), values.get("architecture"))
    if platform != _PLATFORM:
        raise EntryError(f"the image is for {platform[0]}/{platform[1]}; expected {'/'.join(_PLATFORM)}")
    if len(diff_ids) != len(layer_names) or len(diff_ids) > MOST_LAYERS:
        raise EntryError(f"{config_name} names {len(diff_ids)} layers, the archive {len(layer_names)}")
    return OciImage(
        digest="sha256:" + hashlib.sha256(raw).hexdigest(),
        config=_config(_take({"config": values.get("config") or {}}, ("config",), dict, config_name), config_name),
        layers=tuple(
            Layer(number=i, blob=_blob(blobs, name), diff_id=_digest(diff_id, config_name))
            for i, (name, diff_id) in enumerate(zip(layer_names, diff_ids, strict=True))
        ),
        model=blobs.get(MODEL),
    )


def unpack_layer(archive: Path, layer: Layer, target: Path, most_bytes: int) -> int:
    """Write a layer of a plain archive as a plain tar to ``target``; its size.

    Raises EntryError if it does not match its digest, is larger than ``most_bytes``, or is compressed by anything but
    gzip.
    """
    digest, size = unpack_blob(archive, layer.blob, layer.label, target, most_bytes)
    if digest != layer.diff_id:
        raise EntryError(f"{layer.label} does not match the image: expected {layer.diff_id}, found {digest}")
    return size


def unpack_blob(archive: Path, blob: Blob, label: str, target: Path, most_bytes: int) -> tuple[str, int]:
    """Write a part of a plain archive, decompressed, to ``target``; the digest of that, and its size.

    Raises EntryError if it is larger than ``most_bytes``, or is compressed by anything but gzip.
    """
    with archive.open("rb") as f:
        f.seek(blob.offset)
        head = f.read(4)
        if head == b"\x28\xb5\x2f\xfd":
            raise EntryError(f"{label} is compressed with zstd; save the image with gzip or without compression")
        part = cast(IO[bytes], _Part(f, blob))
        stream = gzip.GzipFile(fileobj=part) if head.startswith(GZIP) else part
        most_bytes = min(most_bytes, max(RATIO_FREE_BYTES, RATIO * blob.size))
        return _copy_bounded(stream, target, most_bytes, label, f"{label} is damaged")


class _Part:
    """A part of a file as a stream."""

    def __init__(self, f: IO[bytes], blob: Blob) -> None:
        f.seek(blob.offset)
        self._f, self._left = f, blob.size

    def read(self, size: int = -1) -> bytes:
        data = self._f.read(self._left if size < 0 else min(size, self._left))
        self._left -= len(data)
        return data


def _copy_bounded(
    stream: IO[bytes] | gzip.GzipFile, target: Path, most_bytes: int, what: str, damaged: str
) -> tuple[str, int]:
    digest, size = hashlib.sha256(), 0
    with host_file(target), target.open("wb") as out:
        large = f"{what} unpacks to more than the {most_bytes >> 20} MiB that are allowed"
        for piece in pieces(stream, most_bytes, large, damaged):
            size += len(piece)
            digest.update(piece)
            out.write(piece)
    return "sha256:" + digest.hexdigest(), size


def _index(archive: Path, most: int) -> dict[str, Blob]:
    """Place of each file of the archive; a link inside it, as older ``docker save`` writes, stands for its target."""
    blobs: dict[str, Blob] = {}
    links: dict[str, str] = {}
    with archive.open("rb") as f, open_plain(f) as tar:
        for n, member in enumerate(members(tar)):
            if n >= most:
                raise EntryError(f"the archive contains more than {most} files")
            name = _clean(member.name)
            if member.isreg():
                blobs[name] = Blob(name=name, offset=member.offset_data, size=member.size)
            elif member.issym():
                links[name] = _clean(f"{name.rpartition('/')[0]}/{member.linkname}")
            elif member.islnk():
                links[name] = _clean(member.linkname)
    for name, target in links.items():
        if target in blobs:
            blobs.setdefault(name, blobs[target])
    return blobs


def _clean(name: str) -> str:
    """A name without ``.`` and ``..``, which never lead out of the archive, since they are only looked up in it."""
    return posixpath.normpath(f"/{name}").lstrip("/")


def _docker(manifest: Any) -> tuple[str, list[str]]:
    if not isinstance(manifest, list) or not manifest:
        raise EntryError("manifest.json: expected a list with one image")
    if len(manifest) > 1:
        tags = [image.get("RepoTags") if isinstance(image, dict) else None for image in manifest]
        names = [str(tag[0])[:100] if isinstance(tag, list) and tag else "unnamed" for tag in tags]
        raise EntryError(f"the archive contains {len(manifest)} images ({', '.join(names[:5])}); save one")
    return (
        _take(manifest[0], ("Config",), str, "manifest.json"),
        [str(name) for name in _take(manifest[0], ("Layers",), list, "manifest.json")],
    )


def _oci(f: IO[bytes], blobs: Mapping[str, Blob]) -> tuple[str, list[str]]:
    where, document = "index.json", _json(f, blobs, "index.json")
    for _ in range(_DEPTH):
        if not isinstance(document, dict) or "manifests" not in document:
            break
        images = _take(document, ("manifests",), list, where)
        # attachments of build tools (signatures) have an unknown platform
        fitting = [image for image in images if not _part(image, "platform") or _platform(image) == _PLATFORM]
        if not fitting:
            platforms = ", ".join("/".join(_platform(image)) for image in images[:5])
            raise EntryError(f"{where}: no image for {'/'.join(_PLATFORM)}; there is {platforms or 'none'}")
        if len(fitting) > 1:
            names = ", ".join(_name(descriptor) for descriptor in fitting[:5])
            raise EntryError(f"{where}: {len(fitting)} images for {'/'.join(_PLATFORM)} ({names}); save one")
        where = _path(_take(fitting[0], ("digest",), str, where))
        document = _json(f, blobs, where)
    config = _path(_take(document, ("config", "digest"), str, where))
    layers = _take(document, ("layers",), list, where)
    return config, [_path(_take(layer, ("digest",), str, where)) for layer in layers]


def _platform(descriptor: Any) -> tuple[str, str]:
    platform = _part(descriptor, "platform")
    return str(platform.get("os", "?"))[:40], str(platform.get("architecture", "?"))[:40]


def _name(descriptor: Any) -> str:
    """The name of an image in an index, or the beginning of its digest."""
    notes, digest = _part(descriptor, "annotations"), str(_part({"": descriptor}, "").get("digest", "unnamed"))
    name = notes.get("io.containerd.image.name") or notes.get("org.opencontainers.image.ref.name")
    return str(name or digest[:19])[:100]


def _part(value: Any, key: str) -> dict[str, Any]:
    """A part of a JSON object if it is an object too, otherwise an empty one."""
    part = value.get(key) if isinstance(value, dict) else None
    return part if isinstance(part, dict) else {}


def _path(digest: str) -> str:
    return "blobs/" + _digest(digest, "index.json").replace(":", "/", 1)


def _digest(value: Any, where: str) -> str:
    text = str(value)
    if not text.startswith("sha256:") or len(text) != 71 or not set(text[7:]) <= set("0123456789abcdef"):
        raise EntryError(f"{where}: expected a digest 'sha256:…', found {text[:80]!r}")
    return text


def _blob(blobs: Mapping[str, Blob], name: str) -> Blob:
    blob = blobs.get(_clean(name))
    if blob is None:
        raise EntryError(f"the image names {name[:100]!r}, which is not in the archive")
    return blob


def _bytes(f: IO[bytes], blobs: Mapping[str, Blob], name: str) -> bytes:
    blob = _blob(blobs, name)
    if blob.size > _MOST_JSON_BYTES:
        raise EntryError(f"{name} has {blob.size >> 20} MiB; at most {_MOST_JSON_BYTES >> 20} are allowed")
    f.seek(blob.offset)
    data = f.read(blob.size)
    folder, _, digest = name.rpartition("/")
    if folder == "blobs/sha256" and hashlib.sha256(data).hexdigest() != digest:
        raise EntryError(f"{name} does not match its digest")
    return data


def _json(f: IO[bytes], blobs: Mapping[str, Blob], name: str) -> Any:
    return _parse(_bytes(f, blobs, name), name)


def _parse(data: bytes, name: str) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as e:
        raise EntryError(f"{name} is not JSON: {e}") from e


def _take(value: Any, keys: tuple[str, ...], kind: type, where: str) -> Any:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    if not isinstance(value, kind):
        raise EntryError(f"{where}: {'.'.join(keys)}: expected a {kind.__name__}, found {str(value)[:60]!r}")
    return value


def _config(values: Any, where: str) -> ImageConfig:
    def words(key: str) -> tuple[str, ...]:
        texts = values.get(key) or []
        if not isinstance(texts, list) or not all(map(is_word, texts)):
            raise EntryError(f"{where}: config.{key}: expected a list of words, found {str(texts)[:60]!r}")
        size = sum(len(word.encode()) + 1 for word in texts)
        if size > _MOST_WORDS_BYTES:
            raise EntryError(
                f"{where}: config.{key} has {size >> 10} KiB; at most {_MOST_WORDS_BYTES >> 10} are allowed"
            )
        return tuple(texts)

    def word(key: str) -> str:
        text = values.get(key) or ""
        if not is_word(text) or len(text) > _MOST_PATH:
            raise EntryError(f"{where}: config.{key}: expected a word, found {str(text)[:60]!r}")
        return str(text)

    def labels() -> dict[str, str]:
        """Labels that can be read; a contract looks up the few that it knows."""
        mapping = values.get("Labels")
        pairs = mapping.items() if isinstance(mapping, dict) else ()
        kept = {key: text for key, text in pairs if is_word(key) and is_word(text)}
        if sum(len(key.encode()) + len(text.encode()) for key, text in kept.items()) > _MOST_WORDS_BYTES:
            raise EntryError(f"{where}: config.Labels: at most {_MOST_WORDS_BYTES >> 10} KiB are allowed")
        return kept

    return ImageConfig(
        entrypoint=words("Entrypoint"),
        cmd=words("Cmd"),
        env=dict(item.split("=", 1) for item in words("Env") if "=" in item),
        cwd=word("WorkingDir") or "/",
        user=word("User"),
        labels=labels(),
    )


def is_word(value: Any) -> bool:
    """True if it can be an argument of a program: text without zero bytes that UTF-8 can express."""
    return isinstance(value, str) and "\0" not in value and not any("\ud800" <= c <= "\udfff" for c in value)
