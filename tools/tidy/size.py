# SPDX-License-Identifier: Apache-2.0
"""Limits on the size of files and functions."""
import ast

from outline import all_items, outline

FILE_LINES = 400
FUNCTION_LINES = 60
COLUMNS = 120  # for Python, shell, CMake and comments of C++; clang-format checks the rest of C++


def check(source):
    if source.generated or not (source.is_cpp or source.is_script):
        return
    if len(source.lines) > FILE_LINES:
        yield FILE_LINES + 1, f"{len(source.lines)} lines; a file has at most {FILE_LINES}"
    for number, line in enumerate(source.lines, 1):
        if len(line) > COLUMNS and (source.is_script or is_prose(line)):
            yield number, f"{len(line)} columns; a line has at most {COLUMNS}"
    functions = cpp_functions(source) if source.is_cpp else python_functions(source)
    for line, name, length in functions:
        if length > FUNCTION_LINES:
            yield line, f"{name} has {length} lines; a function has at most {FUNCTION_LINES}"


def is_prose(line):
    """Returns whether a line of C++ is a comment, except `// error:`, an expected message that cannot be wrapped."""
    return line.lstrip().startswith("//") and not line.startswith("// error: ")


def cpp_functions(source):
    for item in all_items(outline(source.code)):
        if item.kind == "function":
            first, last = source.line_at(item.start), source.line_at(item.end)
            yield first, "`" + item.head.split("(")[0].split()[-1] + "`", last - first + 1


def python_functions(source):
    if not source.is_python:
        return
    for node in ast.walk(ast.parse(source.text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.lineno, f"`{node.name}`", node.end_lineno - node.lineno + 1
