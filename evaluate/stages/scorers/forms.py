"""The table of forms."""

from __future__ import annotations

from collections.abc import Mapping

from evaluate.challenge.scorer import Form
from evaluate.stages.scorers.base import Adapter
from evaluate.stages.scorers.codabench import CODABENCH
from evaluate.stages.scorers.command import COMMAND
from evaluate.stages.scorers.evalai import EVALAI
from evaluate.stages.scorers.grand_challenge import GRAND_CHALLENGE
from evaluate.stages.scorers.kaggle import KAGGLE
from evaluate.stages.scorers.medperf import MEDPERF
from evaluate.stages.scorers.physionet import PHYSIONET
from evaluate.stages.scorers.synapse import SYNAPSE

FORMS: Mapping[Form, Adapter] = {
    Form.COMMAND: COMMAND,
    Form.CODABENCH: CODABENCH,
    Form.KAGGLE: KAGGLE,
    Form.GRAND_CHALLENGE: GRAND_CHALLENGE,
    Form.EVALAI: EVALAI,
    Form.PHYSIONET: PHYSIONET,
    Form.SYNAPSE: SYNAPSE,
    Form.MEDPERF: MEDPERF,
}
