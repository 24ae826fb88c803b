from __future__ import annotations


def attack(site):
    who = "token@example.org"
    for scopes in (["organise"], ["read", "organise"]):
        made = site.ask("POST", "/api/v1/me/tokens", who, values={"name": "more", "scopes": scopes, "days": 1}).status
        if made != 403:
            yield f"GOT a token of {scopes}: {made}"
    made = site.ask("POST", "/api/v1/me/tokens", who, values={"name": "ci", "scopes": ["read"], "days": 1})
    headers = {"Authorization": f"Bearer {made.json.get('secret', made.json.get('token'))}"}
    before = site.ask("GET", "/api/v1/me", headers=headers).status
    cookie = {"Cookie": site.cookie(who)}
    site.ask("POST", "/logout", who, form={"everywhere": "true"})
    site.forget(who)
    after = site.ask("GET", "/api/v1/me", headers=headers).status
    session = site.ask("GET", "/api/v1/me", headers=cookie).status
    if 401 != after or 401 != session:
        yield f"GOT in after logging out everywhere: token {after}, session {session}"
    yield "refused, worked and ended" if before == 200 else f"the token did not work: {before} {made.text}"
