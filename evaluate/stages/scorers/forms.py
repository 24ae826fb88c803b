"""The table of forms."""

from __future__ import annotations

from collections.abc import Mapping

from evaluate.challenge.scorer import Form
from evaluate.stages.scorers.base import Adapter
from evaluate.stages.scorers.codabench import CODABENCH
from evaluate.stages.scorers.command import COMMAND
from evaluate.stages.scorers.grand_challenge import GRAND_CHALLENGE
from evaluate.stages.scorers.physionet import PHYSIONET

FORMS: Mapping[Form, Adapter] = {
    Form.COMMAND: COMMAND,
    Form.CODABENCH: CODABENCH,
    Form.GRAND_CHALLENGE: GRAND_CHALLENGE,
    Form.PHYSIONET: PHYSIONET,
}
