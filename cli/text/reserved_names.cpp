// SPDX-License-Identifier: Apache-2.0
#include "cli/text/reserved_names.hpp"

#include <algorithm>

namespace apus::cli::text {

namespace {

// sorted, for binary search
constexpr std::string_view taken_names[] = {"alignas",    "alignof",      "and",           "and_eq",
                                            "apus",       "asm",          "auto",          "bitand",
                                            "bitor",      "bool",         "break",         "case",
                                            "catch",      "char",         "char16_t",      "char32_t",
                                            "char8_t",    "class",        "co_await",      "co_return",
                                            "co_yield",   "compl",        "concept",       "const",
                                            "const_cast", "consteval",    "constexpr",     "constinit",
                                            "continue",   "decltype",     "default",       "delete",
                                            "do",         "double",       "dynamic_cast",  "else",
                                            "enum",       "explicit",     "export",        "extern",
                                            "false",      "float",        "for",           "friend",
                                            "goto",       "if",           "import",        "inline",
                                            "int",        "long",         "main",          "make_app",
                                            "module",     "mutable",      "namespace",     "new",
                                            "noexcept",   "not",          "not_eq",        "nullptr",
                                            "operator",   "or",           "or_eq",         "private",
                                            "protected",  "public",       "register",      "reinterpret_cast",
                                            "requires",   "return",       "short",         "signed",
                                            "sizeof",     "static",       "static_assert", "static_cast",
                                            "std",        "struct",       "switch",        "template",
                                            "this",       "thread_local", "throw",         "true",
                                            "try",        "typedef",      "typeid",        "typename",
                                            "union",      "unsigned",     "using",         "virtual",
                                            "void",       "volatile",     "wchar_t",       "while",
                                            "xor",        "xor_eq"};

}  // namespace

bool is_reserved_name(std::string_view name) { return std::ranges::binary_search(taken_names, name); }

}  // namespace apus::cli::text
