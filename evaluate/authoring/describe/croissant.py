"""Croissant 1.1 of a challenge's public data: files with digests, records with their split; gaps are marked.

Nothing of a hidden exam is in it but the number of its records.
"""

from __future__ import annotations

import mimetypes
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evaluate.challenge.types import Challenge, RecordSet
from evaluate.core.files import sha256_kept

GAP = "GAP: the organisers know this"
GAP_URL = "https://example.org/GAP"
CONFORMS = "http://mlcommons.org/croissant/1.1"
_CONTEXT: Mapping[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "containedIn": "cr:containedIn",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
_DEFINITIONS = "https://mlcommons.org/definitions"
_SPLITS = ("training", "validation", "test")


def croissant(challenge: Challenge, published: str = "") -> dict[str, Any]:
    """The metadata as values of JSON.

    ``published``: a day, such as 2026-01-31.
    """
    train = challenge.train.records if challenge.train is not None else None
    known = zip(_SPLITS, (train, challenge.quiz, challenge.exam), strict=True)
    sets = [(split, records) for split, records in known if records is not None]
    public = [(split, records) for split, records in sets if not records.hidden]
    hidden = [
        f"{len(records.records)} further records ({split}) are secret." for split, records in sets if records.hidden
    ]
    return {
        "@context": dict(_CONTEXT),
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS,
        "name": challenge.name,
        "description": " ".join([challenge.title, *hidden]),
        "license": GAP_URL,
        "url": GAP_URL,
        "creator": {"@type": "sc:Organization", "name": GAP},
        "datePublished": published or "1970-01-01",
        "version": "1.0.0",
        "citeAs": GAP,
        "distribution": list(_files(public)),
        "recordSet": [_splits([split for split, _ in sets]), _records(public)],
    }


def _files(public: list[tuple[str, RecordSet]]) -> Iterator[dict[str, Any]]:
    """A file of a record, with its digest."""
    for split, records in public:
        for record in records.records:
            for name, path in records.files(record).items():
                yield {
                    "@type": "cr:FileObject",
                    "@id": f"{split}/{name}",
                    "name": f"{split}/{name}",
                    "contentUrl": f"{split}/{name}",
                    "encodingFormat": mimetypes.guess_type(name)[0] or "application/octet-stream",
                    "sha256": sha256_kept(path),
                }


def _splits(names: Sequence[str]) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": "splits",
        "name": "splits",
        "dataType": "cr:Split",
        "key": {"@id": "splits/name"},
        "field": [
            _field("splits/name", "sc:Text", "The name of a split."),
            _field("splits/url", "sc:URL", "Which split it is."),
        ],
        "data": [{"splits/name": name, "splits/url": f"{_DEFINITIONS}/{name}_split"} for name in names],
    }


def _records(public: list[tuple[str, RecordSet]]) -> dict[str, Any]:
    split = _field("records/split", "sc:Text", "Its split.") | {"references": {"field": {"@id": "splits/name"}}}
    return {
        "@type": "cr:RecordSet",
        "@id": "records",
        "name": "records",
        "key": {"@id": "records/name"},
        "field": [_field("records/name", "sc:Text", "The name of a record."), split],
        "data": [
            {"records/name": record, "records/split": name} for name, records in public for record in records.records
        ],
    }


def _field(name: str, kind: str, text: str) -> dict[str, Any]:
    return {"@type": "cr:Field", "@id": name, "name": name, "description": text, "dataType": kind}
