"""The contracts of other platforms, so that entries that were written for them run here as they are.

`contract` says what a contract is, a module each has those of one platform, with the form of its scorers, and here is
their table; the stages ask it and know no contract by its name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from evaluate.config.challenge.contract import ContractName
from evaluate.config.challenge.types import Challenge
from evaluate.stages.contracts import grand_challenge, physionet_years
from evaluate.stages.contracts.contract import OWN, Contract

CONTRACTS: Mapping[ContractName, Contract | Callable[[Challenge], Contract]] = {
    **physionet_years.YEARS,
    ContractName.GRAND_CHALLENGE: grand_challenge.grand_challenge,
}
"""Contracts, and those that a challenge has a say in."""


def contract_of(challenge: Challenge) -> Contract:
    """The contract that its entries were written for."""
    contract = OWN if challenge.platform is None else CONTRACTS[challenge.platform]
    contract = contract if isinstance(contract, Contract) else contract(challenge)
    return physionet_years.with_programs(contract, challenge.programs) if challenge.programs is not None else contract
