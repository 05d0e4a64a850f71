"""Built-in functions that mean something else in a dialect, by the names that this language has for that meaning.

Only what the name decides is here. What else differs for odd arguments is in docs/functions.md.
"""

from typing import Final

_NULLS_LEFT_OUT: Final = {"GREATEST": "GREATEST_IGNORE_NULLS", "LEAST": "LEAST_IGNORE_NULLS"}
_FROM_THE_END: Final = {"SUBSTRING": "SUBSTR"}
"""A negative position counts from the end."""
FLINK: Final = _FROM_THE_END
SPARK: Final = {**_NULLS_LEFT_OUT, **_FROM_THE_END, "SIZE": "CARDINALITY"}
POSTGRES: Final = {
    **_NULLS_LEFT_OUT,
    "CONCAT": "CONCAT_IGNORE_NULLS",
    "SUBSTR": "SUBSTRING",
    "LOG": "LOG10",
}
"""RisingWave, Materialize and Arroyo follow PostgreSQL."""
ARROYO: Final = {**POSTGRES, "TO_CHAR": "STRFTIME"}
"""Formats of times are those of C."""
KSQLDB: Final = {
    **_NULLS_LEFT_OUT,
    **_FROM_THE_END,
    "CONCAT": "CONCAT_IGNORE_NULLS",
    "FROM_UNIXTIME": "TIMESTAMP_MILLIS",
    "EXTRACTJSONFIELD": "GET_JSON_OBJECT",
    "CORRELATION": "CORR",
}
"""Times are numbers of milliseconds."""
DUCKDB: Final = {
    **_NULLS_LEFT_OUT,
    **_FROM_THE_END,
    "CONCAT": "CONCAT_IGNORE_NULLS",
    "LOG": "LOG10",
    "STRING_TO_ARRAY": "SPLIT",
}
