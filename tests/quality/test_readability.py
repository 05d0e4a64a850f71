"""The definition table stays readable: no operator of the algebra is longer than 12 lines without its docstring."""

import ast
from pathlib import Path

import pytest

import semantics

ALGEBRA = Path(semantics.__file__).with_name("algebra.py")
FUNCTIONS = [node for node in ast.parse(ALGEBRA.read_text(encoding="utf-8")).body if isinstance(node, ast.FunctionDef)]
PUBLIC = [function for function in FUNCTIONS if not function.name.startswith("_")]


def lines_without_docstring(function: ast.FunctionDef) -> int:
    first = function.body[0]
    has_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    docstring = (first.end_lineno or 0) - first.lineno + 1 if has_docstring else 0
    return (function.end_lineno or 0) - function.lineno + 1 - docstring


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.name)
def test_operators_are_short(function: ast.FunctionDef) -> None:
    assert lines_without_docstring(function) <= 12


@pytest.mark.parametrize("function", PUBLIC, ids=lambda function: function.name)
def test_every_operator_shows_its_definition_and_an_example(function: ast.FunctionDef) -> None:
    assert ">>> " in (ast.get_docstring(function) or "")
