"""Faults of a page: an open element, an id that is used twice, something loaded from elsewhere."""

from html.parser import HTMLParser

_VOID = {"meta", "br", "hr", "img", "link", "input"}


class _Checker(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: set[str] = set()
        self.problems: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        if tag in _VOID:
            self.handle_endtag(tag)
        for name, value in attrs:
            if name in ("src", "href", "action") and not (value or "").startswith(("#", "data:")):
                self.problems.append(f"<{tag} {name}> loads or leads to {value}")
            if name == "id" and value in self.ids:
                self.problems.append(f"id {value} twice")
            if name == "id" and value:
                self.ids.add(value)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}> closes another element")


def problems_of_page(page: str) -> list[str]:
    """Faults in the text of a page."""
    checker = _Checker()
    checker.feed(page)
    checker.close()
    problems = [*checker.problems, *(f"<{tag}> is not closed" for tag in checker.open)]
    return problems + [f"{word} in the page" for word in ("url(", "@import", "http://", "https://") if word in page]
