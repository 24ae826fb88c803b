import math
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from evaluate.authoring.skeleton import write_skeleton
from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.load import challenge_folder
from evaluate.config.challenge.types import Kind
from evaluate.config.load import FILE, VARIABLE, load_config
from evaluate.config.schema.keys import Address
from evaluate.config.terms import AttemptLimits, Phase, Terms
from evaluate.config.types import Config, Security
from evaluate.core.errors import ChallengeError, UsageError
from evaluate.core.model import LayerLimits


def written(folder: Path, text: str) -> Path:
    (folder / FILE).write_text(text)
    return folder


def problems(folder: Path, text: str) -> list[str]:
    with pytest.raises(ChallengeError) as e:
        load_config(written(folder, text))
    return [re.sub(rf"^{re.escape(str(folder / FILE))}:\d+: ", "", line) for line in str(e.value).splitlines()]


def test_units_shorthands_times_and_paths_are_read_and_every_key_has_a_default(tmp_path: Path) -> None:
    assert load_config(tmp_path) == load_config(written(tmp_path, "# nothing yet\n")) == Config()
    sample = load_challenge("cinc2017").folder
    (tmp_path / "password").write_text("secret\n")
    config = load_config(
        written(
            tmp_path,
            f"""
free_gib: 0.5
dependencies: {{packages: 200, download_gib: 1, installed_gib: 2.5}}
prometheus: "[::1]:9464"
notify:
  mail:
    server: mail.example.org
    security: starttls
    user: evaluate
    password_file: password
    sender: a@example.org
challenges:
  af: {sample}
  kits19:
    attempts: {{phase: 3, day: 2, week: 0}}
    phases:
      - {{name: first, ends: 2019-07-15}}
      - {{name: second, begins: 2019-07-15, ends: 2019-07-29T12:00:00+02:00, attempts: 1}}
""",
        )
    )
    assert config.free_bytes == 1 << 29
    assert config.dependencies == LayerLimits(packages=200, download_bytes=1 << 30, installed_bytes=5 << 29)
    assert config.prometheus == Address(host="::1", port=9464)
    assert config.notify.mail is not None
    assert (config.notify.mail.security, config.notify.mail.port) == (Security.STARTTLS, 587)
    assert config.notify.mail.password_file == tmp_path / "password"
    assert config.challenges["af"] == Terms(folder=sample)
    kits = config.challenges["kits19"]
    assert kits.attempts == AttemptLimits(phase=3, day=2, week=0)
    half = datetime(2019, 7, 15, tzinfo=UTC).timestamp()
    end = datetime(2019, 7, 29, 10, tzinfo=UTC).timestamp()
    assert kits.phases == (
        Phase(name="first", begins=-math.inf, ends=half),
        Phase(name="second", begins=half, ends=end, attempts=AttemptLimits(phase=1)),
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("slots: 0", "slots: expected auto or a whole number from 1, found 0"),
        ("prometheus: 9464", "prometheus: expected an address such as 127.0.0.1:9464, found 9464"),
        ("database: mysql://x", "database: expected an SQLAlchemy URL such as postgresql+psycopg://user@host/name"),
        ("database: postgresql+psycopg://u@h/n", "key 'shared' is missing"),
        (
            "heartbeat: {seconds: 60}",
            "heartbeat.ttl_seconds: expected at least 203.4, since a host that is cut off ends",
        ),
        (
            "notify: {mail: {server: 'smtp.example.org:587', sender: a@b}}",
            "notify.mail.server: expected the name of a host, with its port under 'port', found 'smtp.example.org:587'",
        ),
        ("notify: {mail: {server: a, sender: a@b, security: tls, ca_file: no.pem}}", "no.pem: no such file"),
        ("notify: {mail: {server: a, sender: x@y, user: u}}", "key 'password_file' is missing; expected with 'user'"),
        ("repositories: {a.org: {user: u}}", "repositories.a.org: expected 'user' and 'token_file' together"),
        ("repositories: {a.org: {}}", "repositories.a.org: expected 'user' and 'token_file' for https, 'ssh_host_key'"),
        ("repositories: {a.org: {ssh_host_key: x}}", "ssh_host_key: expected a key such as ssh-ed25519 AAAAC3…"),
        (
            "repositories: {GitHub.com: {user: u, token_file: t}}",
            "repositories.GitHub.com: expected a host such as github.com or git.example.org:8443, in lower case, found",
        ),
        (
            "challenges: {kits1: {}}",
            "challenges.kits1: these rules are for no challenge: none of this name comes with the program",
        ),
        (
            "challenges: {kits19: {attempts: many}}",
            "challenges.kits19.attempts.phase: expected a whole number (0: any number), found 'many'",
        ),
        (
            "challenges: {kits19: {phases: [{name: a, data: final}]}}",
            "challenges.kits19.phases[1].data: expected one of exam, the exams in ",
        ),
        (
            "challenges: {kits19: {phases: [{name: a, begins: 2020-01-02, ends: 2020-01-01}]}}",
            "challenges.kits19.phases[1].ends: expected a time after begins",
        ),
        (
            "challenges: {kits19: {phases: [{name: a, ends: 2020-01-02}, {name: b, begins: 2020-01-01}]}}",
            "challenges.kits19.phases: 'b' begins before 'a' ends",
        ),
        (
            f"challenges: {{kits19: {{attempts: 1}}, mine: {{folder: {challenge_folder('kits19')}, attempts: 2}}}}",
            f"challenges.mine: the folder of 'kits19' again: {challenge_folder('kits19')}",
        ),
        (
            "challenges: {kits19: {phases: [{name: a, ends: 2020-01-01}, {name: a, begins: 2020-01-01}]}}",
            "challenges.kits19.phases: 'a' appears twice",
        ),
    ],
)
def test_mistake_is_named_with_key_expected_and_found(tmp_path: Path, text: str, message: str) -> None:
    assert any(message in problem for problem in problems(tmp_path, text))
    assert len(problems(tmp_path, f"{text}\nfoo: 1\nbar: 2\n")) >= 3, "all are named at once"


def test_rules_never_depend_on_the_current_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    state, hearts = tmp_path / "state", tmp_path / "hearts"
    state.mkdir()
    write_skeleton(hearts, Kind.ANSWERS)
    for text, ours in (
        ("challenges: {hearts: {scores: withheld}}", None),
        ("challenges: {hearts: {folder: hearts, scores: withheld}}", None),
        ("challenges:\n  hearts: ../hearts", hearts),
    ):
        written(state, text)
        for folder in (tmp_path, hearts, state):
            monkeypatch.chdir(folder)
            if ours is None:
                with pytest.raises(ChallengeError, match=rf"^{state / FILE}:1: challenges\.hearts"):
                    load_config(state)
            else:
                assert load_config(state).locate("hearts") == ours


def test_password_is_not_sent_in_the_clear_to_another_machine(tmp_path: Path) -> None:
    (tmp_path / "password").touch()
    text = "notify: {mail: {server: SERVER, sender: a@b, user: u, password_file: password}}"
    (problem,) = problems(tmp_path, text.replace("SERVER", "mail.example.org"))
    assert "security: expected starttls or tls where a password is sent, found 'none'" in problem
    load_config(written(tmp_path, text.replace("SERVER", "localhost")))


def test_file_of_the_variable_goes_before_that_of_the_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, slots in (("state.yaml", 2), ("variable.yaml", 3)):
        (tmp_path / name).write_text(f"slots: {slots}")
    (tmp_path / "state.yaml").rename(tmp_path / FILE)
    assert load_config(tmp_path).slots == 2
    monkeypatch.setenv(VARIABLE, str(tmp_path / "variable.yaml"))
    assert load_config(tmp_path).slots == 3
    monkeypatch.setenv(VARIABLE, str(tmp_path / "none.yaml"))
    with pytest.raises(UsageError, match=f"{VARIABLE} .*no such file"):
        load_config(tmp_path)


def test_token_that_others_can_read_is_named_and_one_that_is_missing_is_no_error(tmp_path: Path) -> None:
    """A backup has no token, and must be restorable."""
    text = "repositories: {github.com: {user: u, token_file: token}}"
    (account,) = load_config(written(tmp_path, text)).repositories.values()
    assert account.token_file == tmp_path / "token"
    (tmp_path / "token").touch(0o644)
    assert problems(tmp_path, text) == [
        f"repositories.github.com.token_file: {tmp_path}/token: expected mode 600, found 644; run `chmod 600` on it"
    ]
