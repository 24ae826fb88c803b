"""The table of contracts."""

from __future__ import annotations

from collections.abc import Mapping

from evaluate.challenge.contract import ContractName
from evaluate.challenge.types import Challenge
from evaluate.stages.contracts.base import OWN, Contract
from evaluate.stages.contracts.physionet import YEARS

CONTRACTS: Mapping[ContractName, Contract] = {**YEARS}


def contract_of(challenge: Challenge) -> Contract:
    """The contract that its entries were written for."""
    return OWN if challenge.contract is None else CONTRACTS[challenge.contract]
