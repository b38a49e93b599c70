// SPDX-License-Identifier: Apache-2.0
#include "cli/diagnosis/rule.hpp"

namespace apus::cli::diagnosis {
namespace {

constexpr rule told(std::string_view name, std::string_view sentence, std::string_view what, std::string_view fix) {
    return {.name = name, .from = origin::contract, .messages = {sentence}, .what = what, .fix = fix};
}

// The same for what often comes with another.
constexpr rule follows(std::string_view name, std::string_view sentence, std::string_view what, std::string_view fix) {
    rule made = told(name, sentence, what, fix);
    made.alone = true;
    return made;
}

// The same for one of several mistakes that a sentence stands for, told by a line of the report.
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
    "struct "
    "of these; keep seconds as a number, and convert in a function";

// The sentences are those of include/apus; a test sees that each of them is here or fits the last rules.
constexpr rule api_table[] = {
    told("handler-path-values", "the handler takes another number of path values than the route captures",
         "the handler takes another number of path values than the route captures in braces",
         "for \"/todos/{id}\" write [](std::int64_t id) { ... }: one parameter for each {name}, in their order"),
    follows("handler-auto", "a handler is a function or a lambda whose parameters have types, not auto",
            "the handler is not a function, or the types of its parameters cannot be told",
            "write a lambda with types, such as [](std::string_view name) { return name; }; a constant text needs one "
            "too: [] { return \"hello\"; }"),
    told("handler-mutable", "a handler is not mutable*",
         "the handler is mutable, but one object of it serves many requests at a time",
         "leave out `mutable`; keep state outside of make_app, in a type with a lock or an atomic, and capture it by "
         "reference"),
    told("handler-struct", "a struct that a client sends is taken as json<T>*",
         "the handler takes a bare struct, which does not say where it comes from",
         "take apus::json<T> for a JSON body (#include <apus/json.hpp>), apus::query<T> or apus::form<T>"),
    about_type("handler-reference-value", "a handler takes references only to request*",
               "*is_reference_v<const apus::{kind}<*",
               "the handler takes apus::{kind}<...> by reference, but nothing else holds it",
               "take it by value: [](apus::{kind}<T> in) { ... }; it is moved, not copied"),
    told("handler-reference", "a handler takes references only to request*",
         "the handler takes a reference to what no request brings",
         "capture your own state in the lambda, [&store](apus::request& r) { ... }, and take the rest by value"),
    told("middleware-value", "what middleware sets is taken by reference*",
         "what middleware found out is taken by value", "take it as a reference, such as const apus::identity&"),
    told("handler-parameter", "a handler takes request&, body_text*",
         "a parameter of the handler has a type that no request can fill",
         "take apus::request&, apus::body_text, json<T>, query<T> or form<T>; and by value integers, double, bool and "
         "strings for captures"),
    about_type("handler-answer-set", "a handler returns text, response*", "*none_of_these<std::*set<*",
               "what the handler returns is a set, which has no form in JSON",
               "return a list: std::vector(all.begin(), all.end())"),
    told("handler-answer", "a handler returns text, response*", "what the handler returns is no response",
         "return text, apus::response or apus::result<T>; for a struct, list or map #include <apus/json.hpp>; for a "
         "number std::to_string(n)"),
    told("handler-body", "a handler takes the body *", "the handler takes the body of the request more than once",
         "take one apus::json<T> or one apus::form<T>, and apus::body_text beside it only for the bytes"),
    told("middleware-shape", "middleware is (request&, next)*", "what is given to use() is no middleware",
         "write [](apus::request& r, apus::next next) -> apus::task<apus::response> { co_return co_await next(r); }"),
    told("route-slash", "a route starts with '/'", "the route does not start with a slash",
         "write \"/todos\" in place of \"todos\""),
    told("route-characters", "a route holds only what a path may hold*", "the route has a character that no path has",
         "percent-encode it: %20 is a space; what follows a '?' is taken as apus::query<T>"),
    told("route-capture", "{what} a capture takes a whole segment*", "a capture is only a part of a path's segment",
         "capture the whole of it, \"/files/{name}\", and take it apart in the handler"),
    told("route-capture", "a capture takes a whole segment*", "a capture is only a part of a path's segment",
         "capture the whole of it, \"/files/{name}\", and take it apart in the handler"),
    told("route-rest", "a capture of the rest*", "something follows the capture that takes all of the rest",
         "put {name...} at the end of the route"),
    told("route-names", "two captures of a route have the same name", "two captures of the route have the same name",
         "give each a name of its own"),
    told("mount-prefix", "the prefix of a mounted app {fault}", "the prefix of a mounted app {fault}",
         "mount it at a fixed path, such as app.mount(\"/admin\", admin)"),
    // clang, then g++, which spells the scope of a literal out.
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
    told("schema-enumeration", "an enumeration in a schema has an enumerator*",
         "the enumeration has no value from -128 to 1023, and only these have names in JSON",
         "give at least one enumerator a value in this range"),
    told("schema-enumeration-place", "the enumerators of this type cannot be read*",
         "the names of the enumeration cannot be read where it is declared", "declare it outside of operators"),
    told("handler-coroutine-reference", "a handler that is a coroutine takes what a client sends by value*",
         "a coroutine takes what a client sends by reference, and runs on when that is gone",
         "take it by value: apus::json<T> in place of const apus::json<T>&"),
    told("schema-field", "a field is a bool, number*",
         "a type in the schema is none that can be sent: a class with private members, a pointer or a type of another "
         "library",
         "make it a struct of public members of bools, numbers, std::string, lists, maps, optionals and such structs"),
    told("schema-views", "what is read owns its texts*",
         "a struct that is read has a view as a member, and nothing would own its text",
         "use std::string for std::string_view and std::vector for std::span"),
    follows("schema-default", "what is read is made without values first*", "the struct cannot be made without values",
            "give each member a default, such as `int id = 0;`, and leave out constructors"),
    follows("schema-default", "an aggregate in a schema can be made without arguments",
            "the struct cannot be made without values", "give each member a default, such as `int id = 0;`"),
    told("schema-bases", "a struct in a schema has no bases*", "the struct has a base class, or a member with alignas",
         "make the base a member; fields of both can stand in one struct"),
    told("schema-size", "an aggregate in a schema has at most 64 fields*", "the struct has more than 64 members",
         "put members that belong together into a struct of their own"),
    told("schema-names", "two fields of a struct have the same name outside", "two members have the same name outside",
         "give one of them another name in its apus::field_note"),
    told("schema-note", "a field_note names a field that the struct has not",
         "an apus::field_note names a member that the struct has not", "correct its name"),
    told("schema-flat", "a query is a struct of *", "a query has a member that does not fit between ? and &",
         "use bools, numbers, texts, times, enumerations, and optionals and lists of these"),
    told("schema-flat", "a form is a struct of *", "a form has a member that no form can hold",
         "use bools, numbers, texts, times, enumerations, files, and optionals and lists of these"),
    told("schema-flat", "a header field or a cookie is a bool*",
         "a header field or cookie is read into a type that it cannot fill",
         "use a bool, number, text, time, enumeration, or an optional of these"),
    told("socket-handler", "the handler of a socket is a coroutine*", "the handler of a socket is no coroutine",
         "write [](apus::websocket peer) -> apus::task<> { while (auto message = co_await peer.receive()) { ... } }"),
    told("socket-handler", "the handler of a socket takes one apus::websocket*",
         "the handler of a socket has to take the socket",
         "take apus::websocket by value, beside the values that the route captures"),
    told("socket-handler", "an opening handshake has no body*",
         "the handler of a socket takes a body, but a handshake has none",
         "send it as the first message, or take it from the path or the query"),
    told("header-missing", "{who} needs #include <{header}>", "a header is missing: {who} needs <{header}>",
         "#include <{header}>"),
    told("pattern", "a pattern {fault}", "an apus::pattern {fault}",
         "see docs/validation.md for what a pattern may have"),
    told("rule-range", "a {what} goes from the lesser one to the greater one", "a {what} goes from more to less",
         "write the lesser bound first"),
    // A sentence without its own line here says enough, and so does one of another library.
    {.name = "static-assert",
     .from = origin::contract,
     .messages = {"{sentence}"},
     .what = "{sentence}",
     .fix = "the place above is where your code asks for it"},
};

}  // namespace

std::span<const rule> api_rules() { return api_table; }

}  // namespace apus::cli::diagnosis
