"""The service as its users meet it: handing in, seeing verdicts, ranking, seasons, what the keeper does, what programs get."""

import csv
import io
from pathlib import Path

import pytest

from rexbench.interop.judged import judged_campaign
from rexbench.reports.content import make_content
from rexbench.service.seasons import end_season
from rexbench.task.folder import Task
from tests.service.conftest import Archive, Up, form_token
from tests.waiting import wait_until


def test_an_archive_is_handed_in_judged_and_ranked(service: Up, archive: Archive, toy: Task) -> None:
    good = service.hand_in("ann", archive("solver", cost_usd=1.5, agent="aider", agent_version="0.86"))
    bad = service.hand_in("bob", archive("idler", [b""]))
    service.places(2)
    with service.program("rea") as client:
        (standings,) = client.get("/api/leaderboard").json()["standings"]
    assert (standings["tier"], standings["hints"], standings["tasks"]) == ("replication", "none", ["toy"])
    first, second = standings["places"]
    assert (first["submission"], first["agent"], first["value"], first["usd"]) == (good, "solver", 1.0, 1.5)
    assert (first["account"], first["version"]) == ("ann", "aider 0.86")
    assert (second["submission"], second["agent"], second["value"], second["usd"]) == (bad, "idler", 0.0, None)
    assert [place["rank"] for place in standings["places"]] == [1, 1], "one task cannot tell two agents apart"


def test_the_leaderboard_says_what_a_report_says(service: Up, archive: Archive, toy: Task) -> None:
    near = next(iter(toy.vault.near_misses.values()))
    numbers = [
        service.hand_in("ann", archive("solver", [toy.vault.gold, b"", toy.vault.gold])),
        service.hand_in("bob", archive("other", [near, toy.vault.gold])),
        service.hand_in("bob", archive("solver", [b"", toy.vault.gold, near])),
    ]
    reported = make_content([service.folder(number) for number in numbers]).table("headline")
    assert reported
    places = service.places(3)
    ours = {(place["submission"], place["agent"]): (place["runs"], place["value"], place["low"], place["high"]) for place in places}
    rows = [(row["runs"], row["success"], row["low"], row["high"]) for row in reported.records()]
    whose = [(numbers[0], "solver"), (numbers[1], "other"), (numbers[2], "solver")]
    assert ours == dict(zip(whose, rows, strict=True))


def test_a_verdict_is_reproduced_from_the_seed_that_a_season_publishes(
    service: Up, archive: Archive, toy: Task, tmp_path: Path
) -> None:
    number = service.hand_in("ann", archive())
    with service.program("ann") as client:
        before = client.get("/api/leaderboard").json()["season"]
        assert "seed" not in before and "seed" not in client.get("/api/seasons").json()[0]
        with service.database.change() as change:
            end_season(change, "test")
        after = client.get("/api/leaderboard?season=one").json()["season"]
        told = client.get(f"/api/submissions/{number}").json()["runs"][0]
        saved = tmp_path / "again.zip"
        saved.write_bytes(client.get(f"/api/submissions/{number}/archive").content)
    assert after["commitment"] == before["commitment"]
    campaign = judged_campaign(saved, service.bench, tmp_path / "again", None, after["seed"])
    again = service.bench.conduct(campaign).runs()[0]
    assert again.outcome == told["outcome"]
    evaluations = [made.model_dump(mode="json") for made in again.evaluations]
    assert [made["metrics"] for made in told["evaluations"]] == [made["metrics"] for made in evaluations]
    assert [made["variant_seed"] for made in told["evaluations"]] == [made["variant_seed"] for made in evaluations]


def test_an_archive_is_handed_in_by_a_browsers_form(service: Up, archive: Archive) -> None:
    with service.browser("ann") as client:
        form = form_token(client.get("/submissions").text)
        with archive().open("rb") as file:
            answer = client.post("/submissions", data={"csrf_token": form}, files={"archive": ("a.zip", file)})
        assert answer.status_code == 303, answer.text
        page = answer.headers["location"]
        wait_until(lambda: "It is judged" in client.get(page).text or "o-success" in client.get(page).text)
        assert "solver/toy/none/1" in client.get(page).text
        assert page in client.get("/submissions").text


def test_what_is_moderated_is_shown_when_a_keeper_publishes_it(service: Up, archive: Archive) -> None:
    with service.browser("kim") as keeper, service.program("rea") as reader:
        form = form_token(keeper.get("/keeper").text)
        assert keeper.post("/keeper", data={"csrf_token": form, "do": "end"}).status_code == 200
        assert keeper.post("/keeper", data={"csrf_token": form, "do": "start", "name": "two", "moderated": "on"}).status_code == 200
        number = service.hand_in("ann", archive())
        assert reader.get("/api/leaderboard").json()["standings"] == []
        assert reader.get(f"/api/submissions/{number}").status_code == 404
        assert (
            f"Submission {number} is published"
            in keeper.post("/keeper", data={"csrf_token": form, "do": "publish", "number": number}).text
        )
        wait_until(lambda: reader.get("/api/leaderboard").json()["standings"])
        assert reader.get(f"/api/submissions/{number}").status_code == 200
        keeper.post("/keeper", data={"csrf_token": form, "do": "withdraw", "number": number})
        assert reader.get(f"/api/submissions/{number}").status_code == 404
        log = keeper.get("/api/export.json").json()["log"]
    assert [(entry["who"], entry["did"]) for entry in log[-6:]] == [
        ("kim", "season ended"),
        ("kim", "season started"),
        ("ann", "handed in"),
        ("the judge", "judged"),
        ("kim", "published"),
        ("kim", "withdrawn"),
    ]


def test_a_keeper_opens_and_closes_accounts(service: Up) -> None:
    with service.browser("kim") as keeper:
        form = form_token(keeper.get("/keeper").text)
        limits = {"uploads_a_day": "3", "most_waiting": "2"}
        page = keeper.post("/keeper", data={"csrf_token": form, "do": "open", "name": "eve", "role": "reader", **limits}).text
        service.tokens["eve"] = "rex_" + page.split("rex_")[1].split("<")[0]
        assert service.tokens["eve"] not in keeper.get("/keeper").text
        with service.program("eve") as client, service.browser("eve") as signed_in:
            assert client.get("/api/seasons").status_code == signed_in.get("/").status_code == 200
            keeper.post("/keeper", data={"csrf_token": form, "do": "close", "name": "eve"})
            assert client.get("/api/seasons").status_code == 401
            assert signed_in.get("/").headers["location"] == "/sign-in"


def test_the_same_archive_twice_is_one_submission(service: Up, archive: Archive) -> None:
    number = service.hand_in("ann", archive())
    with service.program("ann") as client:
        again = client.post("/api/submissions", content=archive().read_bytes())
        assert (again.status_code, again.json()["id"]) == (200, number)
        assert len(client.get("/api/submissions").json()) == 1
    other = service.hand_in("bob", archive())
    assert other != number


def test_everything_is_exported_as_json_and_csv(service: Up, archive: Archive, toy: Task) -> None:
    number = service.hand_in("ann", archive("solver", [toy.vault.gold, b""]))
    with service.program("kim") as client:
        told = client.get("/api/export.json").json()
        rows = list(csv.DictReader(io.StringIO(client.get("/api/export.csv").text)))
    assert {"submissions", "seasons", "accounts", "log"} == told.keys()
    assert [(row["submission"], row["run"], row["outcome"]) for row in rows] == [
        (str(number), "solver/toy/none/1", "success"),
        (str(number), "solver/toy/none/2", "empty_patch"),
    ]
    assert all(token not in str(told) for token in service.tokens.values())
    with service.program("rea") as client:
        assert {"submissions", "seasons"} == client.get("/api/export.json").json().keys()


def test_the_description_names_every_address_for_programs(service: Up) -> None:
    with service.program() as client:
        described = client.get("/openapi.json").json()
    from rexbench.service.api import Api
    from rexbench.service.app import Desk
    from tests.service.conftest import BOUNDS

    routes = Api(Desk(service.bench, service.database, BOUNDS, False, False)).routes()
    offered = {
        (route.path.replace(":int", ""), method.lower()) for route in routes for method in route.methods or () if method != "HEAD"
    }
    assert offered == {(path, method) for path, methods in described["paths"].items() for method in methods}


@pytest.mark.parametrize("path", ["/", "/submissions", "/keeper", "/submissions/1"])
def test_a_stranger_is_led_to_sign_in(service: Up, path: str) -> None:
    with service.browser() as client:
        assert client.get(path).headers["location"] == "/sign-in"
