"""Functions in the SQL of engines: templates with places for arguments, where the meaning is the same for all of them.

A key is a name and the kinds of the parameters, as in `abs(int)`, or a name and their number, as in `replace/3`.
"""

from collections.abc import Mapping
from typing import Final

from semantics.expression import Call
from semantics.functions.definition import BuiltIn

Templates = Mapping[str, str]

TEXTS: Final[Templates] = {
    "length/1": "CAST(length({0}) AS BIGINT)",
    "concat/2": "({0} || {1})",
    "concat/3": "({0} || {1} || {2})",
    "trim/1": "trim({0})",
    "ltrim/1": "ltrim({0})",
    "rtrim/1": "rtrim({0})",
    "ltrim/2": "ltrim({0}, {1})",
    "rtrim/2": "rtrim({0}, {1})",
    "replace/3": "replace({0}, {1}, {2})",
}
"""What nearly all have."""
MORE_TEXTS: Final[Templates] = {
    **TEXTS,
    "trim/2": "btrim({0}, {1})",
    "translate/3": "translate({0}, {1}, {2})",
    "starts_with/2": "starts_with({0}, {1})",
    "position/2": "CAST(strpos({1}, {0}) AS BIGINT)",
    "octet_length/1": "CAST(octet_length({0}) AS BIGINT)",
    "md5/1": "md5({0})",
}
NUMBERS: Final[Templates] = {
    "abs(int)": "abs({0})",
    "abs(float)": "abs({0})",
    "abs(decimal)": "abs({0})",
    "sign(int)": "CAST(sign({0}) AS BIGINT)",
    "floor(float)": "floor({0})",
    "ceil(float)": "ceil({0})",
    "floor(int)": "({0})",
    "ceil(int)": "({0})",
    "sqrt/1": "(CASE WHEN {0} < 0 THEN NULL ELSE sqrt({0}) END)",
    "bitand/2": "({0} & {1})",
    "bitor/2": "({0} | {1})",
    "greatest_ignore_nulls/2": "greatest({0}, {1})",
    "greatest_ignore_nulls/3": "greatest({0}, {1}, {2})",
    "least_ignore_nulls/2": "least({0}, {1})",
    "least_ignore_nulls/3": "least({0}, {1}, {2})",
}
TIMES: Final[Templates] = {
    "extract(str,timestamp)": "CAST(floor(date_part({0}, {1})) AS BIGINT)",
    "extract(str,date)": "CAST(date_part({0}, {1}) AS BIGINT)",
    "date_trunc(str,timestamp)": "date_trunc({0}, {1})",
    "date_trunc(str,date)": "CAST(date_trunc({0}, {1}) AS DATE)",
}


def template_of(templates: Templates, call: Call) -> str | None:
    """The template for exactly these parameters, or for so many; none for a function that is not built in."""
    if not isinstance(call.function, BuiltIn):
        return None
    name, kinds = call.function.name, [type_.kind for type_ in call.function.parameters]
    return templates.get(f"{name}({','.join(kinds)})") or templates.get(f"{name}/{len(kinds)}")
