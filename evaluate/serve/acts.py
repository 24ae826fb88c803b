"""Acts at the site: each is one function, which a form of a page and the API both call."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Form
from fastapi.responses import Response

from evaluate.serve.api import models
from evaluate.serve.pages.rendering import go

_Act = TypeVar("_Act", bound=Callable[..., Any])
"""Does it, and returns the answer of the API; its argument ``asked`` is the content of a form or a request."""


@dataclass(frozen=True, kw_only=True)
class Acts:
    """Routes of acts, in the API and among the pages."""

    api: APIRouter
    pages: APIRouter

    def __call__(
        self,
        path: str,
        page: str,
        *,
        form: str = "",
        method: str = "POST",
        answer: type[models.Model] | None = None,
        status: int | None = None,
    ) -> Callable[[_Act], _Act]:
        """Let a form and the API call a function.

        * ``path``: below that of the API's router.
        * ``page``: next page after the form, and the key of its message; with names of arguments, and ``result``, in
          braces.
        * ``form``: address of the form below that of the pages' router; by default ``path``.
        * ``answer``: model of the API's answer; by default nothing.
        """
        code = status or (204 if answer is None else 200)

        def register(act: _Act) -> _Act:
            def answered(**given: Any) -> Any:
                result = act(**given)
                return Response(status_code=code) if answer is None else result

            def shown(**given: Any) -> Response:
                result = act(**given)
                path_after, _, message = page.format(result=result, **given).partition("?")
                return go(path_after, message)

            parameters = list(inspect.signature(act, eval_str=True).parameters.values())
            of_form = [
                parameter.replace(annotation=Annotated[parameter.annotation, Form()])
                if parameter.name == "asked"
                else parameter
                for parameter in parameters
            ]
            handler: Any
            for handler, accepted in ((answered, parameters), (shown, of_form)):
                handler.__name__, handler.__doc__ = act.__name__, inspect.getdoc(act)
                handler.__signature__ = inspect.Signature(accepted, return_annotation=Response)
            self.api.api_route(path, methods=[method], response_model=answer, status_code=code)(answered)
            self.pages.post(form or path)(shown)
            return act

        return register
