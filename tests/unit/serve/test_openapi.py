"""The API answers whatever its description allows, and nothing else: schemathesis asks, always the same questions."""

from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from evaluate.store.people.logins import Scope, make_token
from tests.support.sites import ADMIN, Site_

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")
BOUNDED = settings(
    max_examples=6,
    derandomize=True,
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_every_operation_answers_as_its_description_says(method: str, site: Site_) -> None:
    from schemathesis.specs.openapi import checks

    asked = [
        schemathesis.checks.not_a_server_error,
        checks.status_code_conformance,
        checks.content_type_conformance,
        checks.response_schema_conformance,
    ]
    site.scored("red", 0.5)
    # of an admin, to whom no operation is closed
    _token, secret = make_token(site.store.database, ADMIN, method, tuple(Scope), 1.0)
    described = schemathesis.openapi.from_asgi("/api/v1/openapi.json", site.app)
    operations = [operation.ok() for operation in described.get_all_operations()]
    own = [one for one in operations if one.method.upper() == method]
    assert own
    for operation in own:

        @BOUNDED
        @given(case=operation.as_strategy())
        def ask(case: Any) -> None:
            case.call_and_validate(headers={"Authorization": f"Bearer {secret}"}, checks=asked)

        ask()
