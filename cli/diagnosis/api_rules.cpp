// SPDX-License-Identifier: Apache-2.0
#include "cli/diagnosis/rule.hpp"

namespace apus::cli::diagnosis {
namespace {

constexpr rule told(std::string_view name, std::string_view sentence, std::string_view what, std::string_view fix) {
    return {.name = name, .from = origin::contract, .messages = {sentence}, .what = what, .fix = fix};
}

// Defines a rule for an error that is often a consequence of another error.
constexpr rule follows(std::string_view name, std::string_view sentence, std::string_view what, std::string_view fix) {
    rule made = told(name, sentence, what, fix);
    made.alone = true;
    return made;
}

// Defines one of several rules for the same message. Another line of the report distinguishes the errors.
constexpr rule about_type(std::string_view name, std::string_view sentence, std::string_view line,
                          std::string_view what, std::string_view fix) {
    rule made = told(name, sentence, what, fix);
    made.also = line;
    return made;
}

constexpr std::string_view unsuitable_field =
    "JSON cannot represent the field `{field}` of the struct `{struct}`, whose type is {type}";
constexpr std::string_view suitable_field =
    "give it a number, std::string, enumeration, system_clock time point, list, map from std::string, optional or "
    "struct of these; or specialize apus::representation for it (docs/json.md)";

// Rules for the messages of the static_asserts in include/apus. A test checks that each message matches a rule.
constexpr rule api_table[] = {
    told("handler-path-values", "the handler's number of path parameters differs from the route's number of captures",
         "the handler's number of path parameters differs from the {name} segments of the route",
         "for \"/todos/{id}\" write [](std::int64_t id) { ... }: one parameter for each {name}, in order"),
    follows("handler-auto", "a handler must be a function or a lambda with typed parameters, not auto",
            "the handler is not a function, or the types of its parameters cannot be deduced",
            "write a lambda with types, such as [](std::string_view name) { return name; }; for a constant text write "
            "[] { return \"hello\"; }"),
    told("handler-mutable", "a handler must not be mutable*",
         "the handler is mutable, but one handler object serves concurrent requests",
         "remove `mutable`; keep state outside of make_app, in a type with a lock or an atomic, and capture it by "
         "reference"),
    told("handler-struct", "take a struct of the request as json<T>*",
         "the handler takes a struct without a source: body, query or form",
         "take apus::json<T> for a JSON body (#include <apus/json.hpp>), apus::query<T> or apus::form<T>"),
    about_type("handler-reference-value", "a handler may take references only to request*",
               "*is_reference_v<const apus::{kind}<*",
               "the handler takes apus::{kind}<...> by reference, but only parameters own such values",
               "take it by value: [](apus::{kind}<T> in) { ... }; the value is moved, not copied"),
    told("handler-reference", "a handler may take references only to request*",
         "the handler takes a reference to a type that no request provides",
         "capture your own state in the lambda, [&store](apus::request& r) { ... }, and take the rest by value"),
    told("middleware-value", "a value set by middleware is taken by reference*",
         "a handler parameter copies a value that middleware sets",
         "take it as a reference, such as const apus::identity&"),
    told("handler-parameter", "a handler parameter must be request&, body_text*",
         "unsupported parameter type: no request can provide it",
         "take apus::request&, apus::body_text, json<T>, query<T> or form<T>; and by value integers, double, bool and "
         "strings for captures"),
    about_type("handler-answer-set", "a handler must return text, response*", "*none_of_these<std::*set<*",
               "the handler returns a set, which JSON cannot represent",
               "return a list: std::vector(all.begin(), all.end())"),
    told("handler-answer", "a handler must return text, response*",
         "the return type of the handler cannot be converted to a response",
         "return text, apus::response or apus::result<T>; for a struct, list or map #include <apus/json.hpp>; for a "
         "number std::to_string(n)"),
    told("handler-body", "a handler may take the body *", "the handler takes the request body more than once",
         "take one apus::json<T> or one apus::form<T>; add apus::body_text if you need the bytes too"),
    told("middleware-shape", "middleware must be (request&, next_handler)*", "the argument of use() is not middleware",
         "write [](apus::request& r, apus::next_handler next) -> apus::task<apus::response> { co_return co_await "
         "next(r); }"),
    told("route-slash", "a route must start with '/'", "the route must start with a slash",
         "write \"/todos\" in place of \"todos\""),
    told("route-characters", "a route contains a character that is not allowed*",
         "the route has a character that is not allowed in a path",
         "percent-encode it: %20 is a space; a query string is taken as apus::query<T>"),
    told("route-capture", "{what} a capture must be a whole segment*", "a path parameter must be a whole segment",
         "capture the whole segment, \"/files/{name}\", and split it in the handler"),
    told("route-capture", "a capture must be a whole segment*", "a path parameter must be a whole segment",
         "capture the whole segment, \"/files/{name}\", and split it in the handler"),
    told("route-rest", "a rest capture*", "{name...} must be the last segment of the route",
         "put {name...} at the end of the route"),
    told("route-names", "two captures of a route have the same name", "two captures of the route have the same name",
         "rename one of them"),
    told("mount-prefix", "the prefix of a mounted app {fault}", "the prefix of a mounted app {fault}",
         "mount it at a fixed path, such as app.mount(\"/admin\", admin)"),
    // The first rule matches messages of clang. The second matches messages of g++, which prints
    // `apus::detail::literal`.
    about_type("schema-field-type", "JSON cannot represent the type of this field*",
               "*field_that_json_cannot_represent<{struct}, literal<{size}>*\"{field}\"*, {type}>'*", unsuitable_field,
               suitable_field),
    about_type("schema-field-type", "JSON cannot represent the type of this field*",
               "*field_that_json_cannot_represent<{struct}, apus::detail::literal<{size}>*\"{field}\"*, {type}>'*",
               unsuitable_field, suitable_field),
    told("schema-field-json", "JSON cannot represent the type of this field*",
         "JSON cannot represent the type of a field: field_that_json_cannot_represent<...> above names struct, field "
         "and type",
         suitable_field),
    told("schema-enumeration", "an enumeration in a schema must have an enumerator*",
         "the enumeration has no value from -128 to 1023; only values in this range have names in JSON",
         "give at least one enumerator a value in this range, or give all enumerators names by apus::representation"),
    told("schema-representation", "a representation must have *", "an apus::representation is incomplete",
         "it must have `using type`, `static type to(const T&)` and `static std::optional<T> from(type)`; T must be "
         "default-constructible"),
    told("schema-secret", "a secret must be a bool, number, text*", "an apus::secret holds a list, optional or struct",
         "put the list or optional around it: std::optional<apus::secret<std::string>>"),
    told("schema-enumeration-place", "the enumerators of this type cannot be read*",
         "the names of a local enumeration cannot be read", "declare it outside of operators"),
    told("schema-field", "a field must be a bool, number*",
         "unsupported type in the schema: a class with private members, a pointer or a type of another "
         "library",
         "make it a struct of public members of bools, numbers, std::string, lists, maps, optionals and such structs"),
    told("schema-views", "a struct for input must own its data*",
         "a struct for input has a view as a member, but no object would own its text",
         "use std::string for std::string_view and std::vector for std::span"),
    follows("schema-default", "a struct for input must be default-constructible*",
            "the struct is not default-constructible",
            "give each member a default, such as `int id = 0;`, and remove the constructors"),
    follows("schema-default", "an aggregate in a schema must be default-constructible",
            "the struct is not default-constructible", "give each member a default, such as `int id = 0;`"),
    told("schema-bases", "a struct in a schema must not have bases*",
         "the struct has a base class, or a member with alignas",
         "make the base class a member, or put the fields of both into one struct"),
    told("schema-size", "an aggregate in a schema must not have more than 64 fields*",
         "the struct has more than 64 members", "move some members into a nested struct"),
    told("schema-names", "two fields of a struct have the same external name",
         "two members have the same external name", "rename one of them in its apus::field_note"),
    told("schema-note", "a field_note names an unknown field of the struct",
         "an apus::field_note names an unknown member", "correct its name"),
    told("schema-flat", "a query must be a struct of *", "unsupported member type in a query",
         "use bools, numbers, texts, times, enumerations, and optionals and lists of these"),
    told("schema-flat", "a form must be a struct of *", "unsupported member type in a form",
         "use bools, numbers, texts, times, enumerations, files, and optionals and lists of these"),
    told("schema-flat", "a header field or cookie must be a bool*", "unsupported type for a header field or cookie",
         "use a bool, number, text, time, enumeration, or an optional of these"),
    told("socket-handler", "the handler of a WebSocket must be a coroutine*",
         "the handler of a WebSocket must be a coroutine",
         "write [](apus::websocket peer) -> apus::task<> { while (auto message = co_await peer.receive()) { ... } }"),
    told("socket-handler", "the handler of a WebSocket must take one apus::websocket*",
         "the handler of a WebSocket must take apus::websocket",
         "take apus::websocket by value; the handler may also take the captures of the route"),
    told("socket-handler", "the handler of a WebSocket must not take json*",
         "the handler of a WebSocket takes a body, but the opening handshake has no body",
         "send the data as the first message, or in the path or the query"),
    told("header-missing", "{who} needs #include <{header}>", "missing header: {who} needs <{header}>",
         "#include <{header}>"),
    told("pattern", "a pattern {fault}", "an apus::pattern {fault}",
         "see docs/validation.md for the syntax of patterns"),
    told("rule-range", "the bounds of a {what} are in the wrong order",
         "a {what} has a lower bound above its upper bound", "write the lower bound first"),
    // Matches all other static_asserts, including those of other libraries. Their messages are the explanations.
    {.name = "static-assert",
     .from = origin::contract,
     .messages = {"{sentence}"},
     .what = "{sentence}",
     .fix = "correct the code at this position"},
};

}  // namespace

std::span<const rule> api_rules() { return api_table; }

}  // namespace apus::cli::diagnosis
