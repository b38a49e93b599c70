# SPDX-License-Identifier: Apache-2.0
"""Checks that sources name the standard headers that they use. A build does not detect a missing include, since the
headers are precompiled (cmake/precompile.cmake), and each file of joined sources sees the includes of the others."""
import re

from layers import COSTLY, INCLUDE

CHECKED = ("src/", "include/", "cli/", "tests/", "fuzz/", "bench/load/", "bench/application/")
PROJECTS = "tests/cli/cases/"  # projects of users: programs that the tests of the tool build
FOLDERS = ("src/", "include/", "", "tests/", "bench/")  # to which paths of includes are relative

# The names of each header, after `std::`.
HEADERS = {
    "algorithm": r"adjacent_find|all_of|any_of|binary_search|clamp|copy(?:_n|_if|_backward)?|count(?:_if)?|equal|"
                 r"equal_range|fill(?:_n)?|find(?:_if|_if_not|_end|_first_of)?|for_each|generate(?:_n)?|is_sorted|"
                 r"lexicographical_compare|lower_bound|max|max_element|merge|min|min_element|minmax|mismatch|"
                 r"next_permutation|none_of|nth_element|partial_sort|partition|remove_if|replace(?:_if)?|reverse|"
                 r"rotate|search|set_(?:difference|intersection|union)|shuffle|sort|stable_(?:partition|sort)|"
                 r"transform|unique|upper_bound",
    "array": r"array|to_array",
    "atomic": r"atomic\w*|memory_order\w*",
    "charconv": r"from_chars\w*|to_chars\w*",
    "chrono": r"chrono",
    "coroutine": r"coroutine_\w+|noop_coroutine|suspend_\w+",
    "cstdint": r"u?int(?:8|16|32|64|ptr|max)_t",
    "cstring": r"mem(?:chr|cmp|cpy|move|set)|str(?:chr|cmp|error|len|ncmp|rchr|str)",
    "expected": r"expected|unexpected",
    "functional": r"bind_front|function|greater(?:_equal)?|invoke|less(?:_equal)?|move_only_function|reference_wrapper",
    "map": r"map|multimap",
    "memory": r"addressof|allocator|construct_at|destroy_at|enable_shared_from_this|make_shared|make_unique|shared_ptr|"
              r"to_address|unique_ptr|weak_ptr",
    "mutex": r"call_once|lock_guard|mutex|once_flag|scoped_lock|unique_lock",
    "optional": r"nullopt|optional",
    "span": r"as_bytes|as_writable_bytes|span",
    "stdexcept": r"domain_error|invalid_argument|length_error|logic_error|out_of_range|overflow_error|range_error|"
                 r"runtime_error",
    "string": r"getline|sto(?:i|l|ll|ul|ull|d)|string|to_string",
    "string_view": r"string_view",
    "utility": r"as_const|cmp_\w+|exchange|forward|index_sequence\w*|integer_sequence|make_index_sequence|move|pair|"
               r"swap|to_underlying|unreachable",
    "variant": r"get_if|holds_alternative|monostate|variant|visit",
    "vector": r"vector",
}
HEADER_OF = re.compile(r"\bstd::(?:" + "|".join(f"(?P<{h}>(?:{names})\\b)" for h, names in HEADERS.items()) + ")")


def check(source, paths):
    """Yields the first use of each standard header that neither the source nor a header of the project names."""
    if not source.is_cpp or not source.path.startswith(CHECKED) or source.path.startswith(PROJECTS):
        return
    named = standard_headers(source, paths)
    if source.path.startswith("include/"):
        named |= COSTLY  # exempt, since cheaper standard headers declare the parts that public headers use
    for m in HEADER_OF.finditer(source.code):
        if m.lastgroup not in named:
            named = named | {m.lastgroup}
            yield source.line_at(m.start()), f"`{m[0]}` needs <{m.lastgroup}>"


def standard_headers(source, paths):
    """Returns the standard headers that a file and its headers of the project include by name."""
    found, seen, left = set(), {source.path}, [source]
    while left:
        system, own = included(left.pop(), paths)
        found |= system
        left += [paths[path] for path in own - seen]
        seen |= own
    return found


def included(source, paths, known={}):
    """Returns the standard headers, and the paths of the project's headers, that a file includes itself."""
    if source in known:
        return known[source]
    system, own = known[source] = set(), set()
    folder = source.path.rpartition("/")[0] + "/"
    for quote, name in INCLUDE.findall(source.text):
        path = next((f + name for f in (folder, *FOLDERS) if f + name in paths), None)
        if path:
            own.add(path)
        elif quote == "<":
            system.add(name)
    return system, own
