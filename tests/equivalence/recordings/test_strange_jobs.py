"""Jobs of other engines, their queries, inputs and outputs written by hand as a stranger would have them."""

from pathlib import Path

import pytest

from tests.equivalence.command.command import Ran, snapeq

KSQLDB = """CREATE STREAM clicks (user_id VARCHAR KEY, page VARCHAR, ts BIGINT)
  WITH (KAFKA_TOPIC='clicks', VALUE_FORMAT='JSON', TIMESTAMP='ts');
SELECT user_id, COUNT(*) AS n FROM clicks WINDOW TUMBLING (SIZE 30 SECONDS) GROUP BY user_id EMIT FINAL;
"""
OVER = """CREATE TABLE txn (acct INT, amount INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector'='x');
SELECT acct, ts, SUM(amount) OVER (PARTITION BY acct ORDER BY ts
  RANGE BETWEEN INTERVAL '1' MINUTE PRECEDING AND CURRENT ROW) AS s FROM txn;
"""
LATE = """CREATE TABLE s (k STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '2' SECOND)
  WITH ('connector'='x');
SELECT k, window_start, window_end, COUNT(*) AS n
FROM TABLE(TUMBLE(TABLE s, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY k, window_start, window_end;
"""
VIEW = """CREATE TABLE orders (id INT PRIMARY KEY, status VARCHAR, total INT);
CREATE MATERIALIZED VIEW m AS SELECT status, COUNT(*) AS n FROM orders GROUP BY status;
"""


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def check(dialect: str, query: str, stream: str, output: str, *options: str) -> Ran:
    Path("q.sql").write_text(query)
    return snapeq("check", "q.sql", "--dialect", dialect, "--stream", stream, "--output", output, *options)


def test_columns_in_capital_letters() -> None:
    Path("in.json").write_text('{"USER_ID":"u","PAGE":"a","TS":1000}\n{"USER_ID":"u","PAGE":"b","TS":29999}\n')
    Path("out.json").write_text('{"USER_ID":"u","WINDOWSTART":0,"WINDOWEND":30000,"N":2}\n')
    ran = check("ksqldb", KSQLDB, "clicks=in.json", "out.json", "--as", "panes", "--no-explain")
    assert (ran.code, ran.out) == (0, "AGREED: in every pane both hold the same\n")
    Path("in.json").write_text('{"USER_ID":"u","PAGE":"a","TS":1000}\n{"USER_ID":"u","PAGE":"b","TS":"soon"}\n')
    assert (
        "in.json: line 2, column ts: 'soon' does not fit" in check("ksqldb", KSQLDB, "clicks=in.json", "out.json").err
    )


def test_printed_rows_of_over_have_their_own_time() -> None:
    Path("in.csv").write_text("acct,amount,ts\n1,10,2024-01-01 00:00:00\n1,20,2024-01-01 00:01:00\n")
    for last, verdict in ((30, "AGREED: at every instant both"), (20, "explained by: frame one too short")):
        Path("out.txt").write_text(f"+I[1, 2024-01-01T00:00, 10]\n2> +I[1, 2024-01-01T00:01, {last}]\n")
        for kind in ([], ["--as", "events"]):
            assert verdict in check("flink", OVER, "txn=in.csv", "out.txt", "--columns", "acct,ts,s", *kind).out


def test_a_policy_takes_the_watermark_that_the_query_declares() -> None:
    rows = ["01", "09", "11", "08", "13", "07", "21"]
    Path("in.csv").write_text("k,ts\n" + "".join(f"a,2024-01-01 00:00:{row}\n" for row in rows))
    panes = [f"a,2024-01-01 00:00:{i}0,2024-01-01 00:00:{i + 1}0,{n}\n" for i, n in enumerate((3, 2, 1))]
    Path("out.csv").write_text("k,window_start,window_end,n\n" + "".join(panes))
    assert check("flink", LATE, "s=in.csv", "out.csv", "--policy", "flink").code == 0
    assert check("flink", LATE, "s=in.csv", "out.csv", "--late", "keep").code == 1


def test_the_end_of_a_changelog_is_its_last_change() -> None:
    new, paid = '{"id":1,"status":"new","total":5}', '{"id":2,"status":"paid","total":7}'
    Path("in.json").write_text(
        f'{{"before":null,"after":{new},"op":"c","ts_ms":1000}}\n{{"before":null,"after":{paid},"op":"c","ts_ms":2000}}\n'
        f'{{"before":{new},"after":null,"op":"d","ts_ms":3000}}\n'
    )
    options = ("--input-as", "orders=debezium", "--as", "snapshot", "--at", "end")
    Path("out.csv").write_text("status,n\npaid,1\n")
    assert check("risingwave", VIEW, "orders=in.json", "out.csv", *options).code == 0
    Path("out.csv").write_text("status,n\npaid,1\nnew,1\n")
    ran = check("risingwave", VIEW, "orders=in.json", "out.csv", *options)
    assert ran.code == 1
    assert "input read as append-only: rows of orders that are deleted or replaced stay" in ran.out


def test_what_a_dialect_takes_a_file_for_is_said() -> None:
    Path("in.csv").write_text("k,ts\na,2024-01-01 00:00:01\n")
    Path("out.csv").write_text("k,n,beside\na,1,x\n")
    query = "CREATE TABLE s (k STRING, ts STRING); SELECT k, COUNT(*) AS n FROM s GROUP BY k"
    said = check("flink", query, "s=in.csv", "out.csv")
    assert said.code == 0
    assert "out.csv is taken for snapshot: nothing in it says when rows hold" in said.err
    assert "not compared, since the query has no such columns: beside" in said.err


def test_disorder_is_said_where_order_is_not_promised_and_names_the_option_where_it_is() -> None:
    Path("in.csv").write_text("k,ts\na,2024-01-01 00:00:09\na,2024-01-01 00:00:08\n")
    Path("out.csv").write_text("k,window_start,window_end,n\na,2024-01-01 00:00:00,2024-01-01 00:00:10,2\n")
    windows = "SELECT k, COUNT(*) AS n FROM TUMBLE(s, ts, INTERVAL '10' SECOND) GROUP BY k, window_end"
    ran = check("risingwave", f"CREATE TABLE s (k VARCHAR, ts TIMESTAMP); {windows}", "s=in.csv", "out.csv")
    assert ran.code == 0
    assert "in.csv: rows are not in the order of time; they are taken in that order" in ran.err
    own = "CREATE STREAM s(k TEXT, ts TIMESTAMP) ORDERED BY ts; SELECT k FROM s WINDOW(RANGE 10)"
    ran = check("snapeq", own, "s=in.csv", "out.csv")
    assert ran.code == 2
    assert "in.csv: line 3, column ts" in ran.err
    assert "or --late keep, which takes rows in any order" in ran.err
