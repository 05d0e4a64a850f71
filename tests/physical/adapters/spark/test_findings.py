"""What the documentation says of Spark's answers is what Spark answers, and what it calls right is right."""

from collections.abc import Callable
from itertools import product

import pytest

from physical.adapters.spark.event_time_engine import SparkEventTimeEngine
from physical.adapters.spark.feed import EventFeed
from physical.adapters.spark.sql_engine import SparkSqlEngine
from physical.engines.spark.errors import SparkFailed
from semantics import ArithmeticOverflow, show
from tests.physical.adapters.spark.blocks import ERROR, HORIZON, Block, blocks
from tests.physical.engines.spark.lookahead import asked_ahead

SQL = blocks("spark-sql.md")
STREAMING = blocks("spark-streaming.md")


@pytest.mark.parametrize("block", [*SQL, *STREAMING], ids=lambda block: block.title)
def test_what_the_page_calls_right_is_right(block: Block) -> None:
    assert block.reference() == block.says("right")


@pytest.mark.parametrize("block", [*SQL, *STREAMING], ids=lambda block: block.title)
def test_every_block_shows_a_difference(block: Block) -> None:
    assert any(block.says(key) != block.says("right") for key in block.lines if key.startswith("spark"))


def by_sql(asked: tuple[int, bool]) -> str:
    number, ansi = asked
    return answer(SparkSqlEngine(ansi=ansi), SQL[number])


def by_streaming(number: int) -> tuple[str, int]:
    block = STREAMING[number]
    feed = EventFeed(
        delay=block.option("delay", 0),
        shift=-block.option("epoch", -5040),
        sentinels=block.option("sentinels", 2),
        rows=1,
    )
    engine = SparkEventTimeEngine(feed=feed, timed=block.lines.get("event time") == "selected")
    return answer(engine, block), engine.late


def by_tables(number: int) -> str:
    return answer(SparkEventTimeEngine(streaming=False), STREAMING[number])


of_sql = asked_ahead(by_sql, product(range(len(SQL)), [True, False]))
of_streaming = asked_ahead(by_streaming, range(len(STREAMING)))
of_tables = asked_ahead(by_tables, range(len(STREAMING)))


@pytest.mark.parametrize("ansi", [True, False], ids=["ANSI", "not ANSI"])
@pytest.mark.parametrize("block", SQL, ids=lambda block: block.title)
def test_spark_sql_answers_as_the_page_says(
    of_sql: Callable[[tuple[int, bool]], str], block: Block, ansi: bool
) -> None:
    assert of_sql((SQL.index(block), ansi)) == block.says("spark" if ansi else "spark without ANSI")


@pytest.mark.parametrize("block", STREAMING, ids=lambda block: block.title)
def test_spark_streaming_answers_as_the_page_says(of_streaming: Callable[[int], tuple[str, int]], block: Block) -> None:
    assert of_streaming(STREAMING.index(block)) == (block.says("spark"), block.option("late", 0))


@pytest.mark.parametrize("block", STREAMING, ids=lambda block: block.title)
def test_the_same_query_over_tables_is_right(of_tables: Callable[[int], str], block: Block) -> None:
    assert of_tables(STREAMING.index(block)) == block.says("right")


@pytest.mark.usefixtures("spark")
def test_a_sum_that_overflows_on_the_way_depends_on_the_order() -> None:
    block = next(block for block in SQL if block.title.startswith("A sum that fits"))
    rows = block.lines["let A"].replace("(1)@0 (-1)@0", "(-1)@0 (1)@0")
    assert rows != block.lines["let A"]
    assert answer(SparkSqlEngine(), Block(block.title, block.lines | {"let A": rows})) == block.says("right")


def answer(engine: SparkSqlEngine | SparkEventTimeEngine, block: Block) -> str:
    """What an engine says to a block, as text."""
    try:
        return show(engine.run(block.plan, block.streams, HORIZON).to_logical(HORIZON))
    except (ArithmeticOverflow, SparkFailed):
        return ERROR
