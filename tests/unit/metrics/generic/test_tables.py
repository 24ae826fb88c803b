from pathlib import Path

import pytest

from metrics.base import AnswerError, ReferenceDataError
from metrics.generic import make
from metrics.generic.tables import Table, read_table
from tests.support.packing import zipped
from tests.support.score_tables import column, scored, write

ACCURACY = {"measure": "classification.accuracy"}


def read(path: Path) -> Table:
    return read_table(path, AnswerError, order=("label", "patient"))


def cells(table: Table) -> list[tuple[str, str]]:
    return list(zip(table.names, table.column("label"), strict=True))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("answers.csv", "record,label\nr1,1\nr2,B\n"),
        ("answers.csv", "r1,1\r\nr2,B"),
        ("answers.csv", "record,label\rr1,1\rr2\u00a0,B\r"),
        ("answers.txt", "r1, 1 \n\n r2,B\n\n"),
        ("answers.csv", '\ufefflabel,record\n"1",r1\nB,"r2"\n'),
        ("answers.csv", "r1,1,p1\nr2,B,p2\n"),
        ("answers.json", '{"r1": "1", "r2": "B"}'),
        ("answers.json", '{"r1": {"label": 1}, "r2": {"label": "B"}}'),
        ("answers.json", '[{"record": "r1", "label": "1"}, {"record": "r2", "label": "B"}]'),
        ("answers.csv.txt", "r1,1\nr2,B\n"),  # a suffix that Windows hides
        ("answers.json.txt", '{"r1": 1, "r2": "B"}'),
    ],
)
def test_same_table_in_every_form(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    (tmp_path / "README.md").write_text("ignored")
    assert cells(read(tmp_path / name)) == cells(read(tmp_path)) == [("r1", "1"), ("r2", "B")]


def test_folder_holds_one_table_or_a_file_for_each_record(tmp_path: Path) -> None:
    write(tmp_path / "many" / "r1.json", '{"label": "A"}')
    write(tmp_path / "many" / "r2.csv", "label\nB")
    write(tmp_path / "many" / "r3.csv", "")
    write(tmp_path / "many" / "r4.json", "[]")
    write(tmp_path / "many" / "r5.csv", "label")
    table = read(tmp_path / "many")
    assert cells(table) == [("r1", "A"), ("r2", "B")]
    assert table.groups() == {"r1": [0], "r2": [1], "r3": [], "r4": [], "r5": []}
    for name in ("answers.csv", "answers.json"):
        write(tmp_path / "one" / name, "{}")
    with pytest.raises(AnswerError, match=r"expected one table, found answers\.csv, answers\.json"):
        read(tmp_path / "one")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("record;score\nr1;0,5\n", "semicolons are between its cells"),
        ("r1;0,5\nr2;0,25\n", "semicolons are between its cells"),
        ("record\tscore\nr1\t0.5\n", "tabs are between its cells"),
        ("sep=;\nrecord;score\nr1;0.5\n", "that line is for Excel alone: delete it"),
        ("\n\nSEP=,\nrecord,score\nr1,0.5\n", "that line is for Excel alone: delete it"),
        ("record,score\nr1,0,5\n", "write a point instead of a decimal comma"),
        ('record,score\nr1,"0,5"\n', "write a point instead of a decimal comma"),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_tables_of_spreadsheets_are_named_by_what_to_change(
    tmp_path: Path, text: str, complaint: str, encoding: str
) -> None:
    (tmp_path / "a.csv").write_text(text, encoding)
    with pytest.raises(AnswerError, match=complaint):
        read_table(tmp_path / "a.csv", AnswerError, order=("score",)).numbers("score")


def test_semicolons_and_commas_within_cells_are_no_fault(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('record,label\nr1,A;B\nr2,"1,5"\n')
    assert cells(read(tmp_path / "a.csv")) == [("r1", "A;B"), ("r2", "1,5")]
    (tmp_path / "a.csv").write_text(f"r1{';' * 100_000},A\n")  # were each searched for again, minutes
    assert cells(read(tmp_path / "a.csv")) == [(f"r1{';' * 100_000}", "A")]
    write(tmp_path / "many" / "r1.csv", "A;B")
    assert cells(read_table(tmp_path / "many", AnswerError, order=("label",))) == [("r1", "A;B")]


def test_an_empty_file_of_a_record_is_an_answer(tmp_path: Path) -> None:
    references, answers = write(tmp_path / "r.csv", "record,onset,offset\nr1,1,2"), write(tmp_path / "a" / "r1.csv", "")
    report = make({"measure": "events.overlap"}).score(references, answers.parent)
    assert report.values["f1"] == 0
    assert not any("have no answer" in note for note in report.notes)


def test_a_spreadsheet_is_to_be_saved_as_csv(tmp_path: Path) -> None:
    for path in (tmp_path / "answers.xlsx", tmp_path / "a.csv"):
        zipped(path, {"xl/workbook.xml": "<workbook/>"})
        with pytest.raises(AnswerError, match=r"Excel.*save it as CSV"):
            read(path)
    (tmp_path / "a.csv").unlink()
    with pytest.raises(AnswerError, match=r"answers\.xlsx: save it as CSV"):
        read(tmp_path)


def test_record_list_decides_which_records_count_and_may_name_files(tmp_path: Path) -> None:
    records = ["r2.mat", "data/r1.hea"]
    report = scored(tmp_path, ACCURACY, column("label", "AAB"), "r0,A\nr2,B\nother,A", records=records)
    assert report.values == {"accuracy": 0.5}
    assert list(report.per_record) == ["r2", "r1"]
    assert report.notes == (
        "1 of 2 records have no answer, counted as wrong",
        "2 answers for records outside the list are ignored: r0, other",
    )
    with pytest.raises(ReferenceDataError, match="expected a reference for every record") as caught:
        scored(tmp_path, ACCURACY, column("label", "A"), "r0,A", records=["r9"])
    assert caught.value.record == "r9"
    for records in ([], ["r0", "r0"]):
        with pytest.raises(ReferenceDataError):
            scored(tmp_path, ACCURACY, column("label", "A"), "r0,A", records=records)


@pytest.mark.parametrize(
    ("column_of_patients", "options", "clusters"),
    [
        ("patient", {}, ("p", "p", "r2")),
        ("site", {}, ("r0", "r1", "r2")),
        ("site", {"cluster": "site"}, ("p", "p", "r2")),
    ],
)
def test_clusters_are_patients_where_the_references_name_them(
    tmp_path: Path, column_of_patients: str, options: dict[str, str], clusters: tuple[str, ...]
) -> None:
    references = f"record,label,{column_of_patients}\nr0,A,p\nr1,B,p\nr2,A,\n"
    resampler = scored(tmp_path, {**ACCURACY, **options}, references, "r0,A").resampler
    assert resampler is not None and resampler.clusters == clusters
    with pytest.raises(ReferenceDataError, match="expected a column 'centre'"):
        scored(tmp_path, {**ACCURACY, "cluster": "centre"}, references, "r0,A")


def test_columns_have_the_names_that_options_give(tmp_path: Path) -> None:
    spec = {**ACCURACY, "record_column": "ecg", "label_column": "rhythm"}
    assert scored(tmp_path, spec, "ecg,rhythm\na,N", "rhythm,ecg\nN,a").values == {"accuracy": 1.0}
