"""A receipt as a Workflow Run RO-Crate 0.5: the run of an entry as one `CreateAction`, for archives and other readers.

It says what the receipt says, which is what the team may see, and refers to the receipt for proof.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

CRATE = "https://w3id.org/ro/crate/1.1"
PROCESS = "https://w3id.org/ro/wfrun/process/0.5"
CONTEXT = [f"{CRATE}/context", "https://w3id.org/ro/terms/workflow-run/context"]
_SOURCE = "https://schema.org/"
_PASSED = ("OK", "DRY_RUN")
_LICENCE = "https://spdx.org/licenses/CC0-1.0"


def crate(statement: Mapping[str, Any], receipt: str = "receipt.json") -> dict[str, Any]:
    """The crate's ``ro-crate-metadata.json`` as values of JSON.

    * ``statement``: the statement of an entry's receipt.
    * ``receipt``: the name of the receipt's file beside it.
    """
    said = statement["predicate"]
    subject = statement["subject"][0]
    entry, challenge, evaluator = said["entry"], said["challenge"], said["evaluator"]
    digest = subject["digest"]["sha256"]
    name = f"Evaluation of {subject['name']} in {challenge['name']}"
    passed = said["verdict"] in _PASSED
    scores, usage = list(_scores(said)), list(_usage(said))
    image = _image(said)
    run: dict[str, Any] = {
        "@id": "#run",
        "@type": "CreateAction",
        "name": name,
        "description": f"Verdict {said['verdict']}; stages " + ", ".join(one["stage"] for one in said["stages"]),
        "instrument": {"@id": "#evaluate"},
        "object": [{"@id": f"#{digest}"}, {"@id": "#challenge"}],
        "result": [{"@id": receipt}, *({"@id": one["@id"]} for one in scores)],
        "endTime": said["ended"],
        "actionStatus": {"@id": f"{_SOURCE}{'CompletedActionStatus' if passed else 'FailedActionStatus'}"},
    }
    if entry.get("submitted"):
        run["startTime"] = entry["submitted"]
    if entry.get("team"):
        run["agent"] = {"@id": "#team"}
    if not passed:
        last = said["stages"][-1]
        run["error"] = f"{last['stage']}: {last['verdict']} {last.get('message', '')}".strip()
    if usage:
        run["resourceUsage"] = [{"@id": one["@id"]} for one in usage]
    if image is not None:
        run["containerImage"] = {"@id": image["@id"]}
    root = {
        "@id": "./",
        "@type": "Dataset",
        "name": name,
        "description": f"What a signed receipt says about it; the receipt is {receipt}.",
        "datePublished": said["ended"],
        "license": {"@id": _LICENCE},
        "conformsTo": {"@id": PROCESS},
        "hasPart": [{"@id": receipt}],
        "mentions": [{"@id": "#run"}],
    }
    program = {
        "@id": "#evaluate",
        "@type": "SoftwareApplication",
        "name": evaluator["name"],
        "softwareVersion": evaluator["version"],
        "sha256": evaluator["sha256"],
    }
    uploaded = {
        "@id": f"#{digest}",
        "@type": "CreativeWork",
        "name": subject["name"],
        "sha256": digest,
        **({"version": entry["commit"]} if entry.get("commit") else {}),
    }
    judged = {
        "@id": "#challenge",
        "@type": "CreativeWork",
        "name": challenge["name"],
        "sha256": challenge["rules"]["sha256"],
        "description": f"scored by {challenge['metric']['name']}",
    }
    team = {"@id": "#team", "@type": "Organization", "name": entry.get("team", "")}
    proof = {"@id": receipt, "@type": "File", "name": "the signed receipt", "encodingFormat": "application/json"}
    about = {
        "@id": "ro-crate-metadata.json",
        "@type": "CreativeWork",
        "conformsTo": [{"@id": CRATE}],
        "about": {"@id": "./"},
    }
    graph = [about, root, {"@id": PROCESS, "@type": "CreativeWork", "name": "Process Run Crate", "version": "0.5"}, run]
    graph += [program, uploaded, judged, proof, *([team] if entry.get("team") else []), *scores, *usage]
    return {"@context": CONTEXT, "@graph": [*graph, *([image] if image is not None else [])]}


def _scores(said: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The numbers that the receipt states."""
    score = said.get("score") or {}
    return [_value(f"#score-{n}", name, value) for n, (name, value) in enumerate((score.get("values") or {}).items())]


def _usage(said: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What each stage used."""
    found = []
    for stage in said["stages"]:
        for name, value in (stage.get("usage") or {}).items():
            if value:
                found.append(_value(f"#{stage['stage']}-{name}", f"{stage['stage']}: {name}", value))
    return found


def _value(identity: str, name: str, value: Any) -> dict[str, Any]:
    return {"@id": identity, "@type": "PropertyValue", "name": name, "value": str(value)}


def _image(said: Mapping[str, Any]) -> dict[str, Any] | None:
    """The image that the entry ran in."""
    machine = said.get("machine")
    if not machine or not machine.get("image"):
        return None
    return {
        "@id": "#image",
        "@type": "ContainerImage",
        "name": "image of the virtual machine",
        "sha256": machine["image"].removeprefix("sha256:"),
    }
