// SPDX-License-Identifier: Apache-2.0
#include "openapi/operations.hpp"

#include "http/problem.hpp"
#include "openapi/fields.hpp"

#include <apus/json.hpp>

#include <map>

namespace apus::openapi {
namespace {

using detail::content;
using detail::source;

constexpr std::string_view problem_schema = "problem";
constexpr std::string_view any_response = "The response of the handler, or an error.";

json_value reference(std::string_view where, std::string_view name) {
    json_value made;
    made["$ref"] = "#/components/" + std::string(where) + '/' + std::string(name);
    return made;
}

struct refusal {
    int status;
    std::string_view name;
    std::string_view description;
};

// Responses that several operations share, with their names in components.
constexpr refusal malformed{400, "malformed", "A value of the path, the query, the body or a field is malformed."};
constexpr refusal unknown{401, "unknown", "Credentials are missing or invalid."};
constexpr refusal forbidden{403, "forbidden", "The client or its origin is not allowed to send this request."};
constexpr refusal missing{404, "missing", "The resource does not exist."};
constexpr refusal too_large{413, "too_large", "The body exceeds the size limit."};
constexpr refusal other_type{415, "other_type", "The media type of the body is not supported."};
constexpr refusal misfit{422, "misfit", "The request is well-formed but invalid. `errors` lists all violations."};
constexpr refusal failed{0, "failed", "The error."};
constexpr const refusal* refusals[] = {&malformed, &unknown,    &forbidden, &missing,
                                       &too_large, &other_type, &misfit,    &failed};

json_value content_of(std::string_view media_type, json_value schema) {
    json_value made;
    made[media_type]["schema"] = std::move(schema);
    return made;
}

json_value text_schema() {
    json_value made;
    made["type"] = "string";
    return made;
}

json_value parameter(std::string_view name, std::string_view where, bool required, json_value schema) {
    json_value made;
    made["name"] = name;
    made["in"] = where;
    if (const json_value* said = schema.find("/description")) made["description"] = *said;
    made["required"] = required;
    made["schema"] = std::move(schema);
    return made;
}

json_value body(std::string_view media_type, json_value schema, bool required = true) {
    json_value made;
    made["required"] = required;
    made["content"] = content_of(media_type, std::move(schema));
    return made;
}

/// Collects a handler's parameters.
class taken {
public:
    taken(const std::vector<std::string>& captures, schema_set& schemas) : captures_(captures), schemas_(schemas) {}

    void add(const detail::input& in) {
        switch (in.from) {
            case source::nowhere: return;
            case source::path: return path(in);
            case source::query: return query(*in.of);
            case source::json: return whole(body("application/json", schemas_.of(*in.of)), true);
            case source::form: return either_form(schemas_.of_form(*in.of));
            case source::multipart: return whole(body("multipart/form-data", schemas_.of_form(*in.of)), true);
            case source::header: return one(in, "header");
            case source::cookie: return one(in, "cookie");
            case source::text: return whole(body("*/*", json_value::object(), false), false);
        }
    }

    void add(const asked& before) {
        if (before.malformed) fails(malformed);
        if (before.unknown) fails(unknown);
        if (before.forbidden) fails(forbidden);
        for (const std::string& field : before.fields)
            parameters.push_back(parameter(field, "header", false, text_schema()));
    }

    json_value parameters, request;
    std::map<int, const refusal*> errors;

private:
    void fails(const refusal& how) { errors[how.status] = &how; }

    void path(const detail::input& in) {
        fails(in.of->what == schema::kind::text ? missing : malformed);
        const std::string_view name = in.name.empty() && at_ < captures_.size() ? captures_[at_++] : in.name;
        if (!name.empty()) parameters.push_back(parameter(name, "path", true, schemas_.of_plain(*in.of)));
    }
    void query(const schema::type& t) {
        fails(malformed);
        fails(misfit);
        each_flat_field(t, [&](const schema::field& f, bool required, const void* made) {
            parameters.push_back(parameter(f.name, "query", required, schemas_.of_field(f, required, made, true)));
        });
    }
    void one(const detail::input& in, std::string_view where) {
        fails(malformed);
        parameters.push_back(
            parameter(in.name, where, in.of->what != schema::kind::optional, schemas_.of_plain(*in.of)));
    }
    void either_form(json_value schema) {
        json_value described = body("application/x-www-form-urlencoded", schema);
        described["content"]["multipart/form-data"]["schema"] = std::move(schema);
        whole(std::move(described), true);
    }
    void whole(json_value described, bool checked) {
        fails(too_large);
        if (checked) fails(malformed), fails(other_type), fails(misfit);
        request = std::move(described);
    }

    const std::vector<std::string>& captures_;
    schema_set& schemas_;
    std::size_t at_ = 0;
};

json_value success(const detail::output& gives, bool shows_body, schema_set& schemas) {
    json_value made;
    made["description"] = gives.status == detail::any_status ? any_response : http::reason_phrase(gives.status);
    if (!shows_body || gives.what == content::nothing) return made;
    if (gives.what == content::text) made["content"] = content_of("text/plain", text_schema());
    else made["content"] = content_of("application/json", schemas.of(*gives.of));
    return made;
}

/// Adds media types with their schemas to a response.
/// Schemas of equal media type are combined with anyOf.
void put_contents(json_value& to, const json_value& contents) {
    for (const auto& [type, body] : contents.members()) {
        json_value& known = to["content"][type]["schema"];
        json_value schema = *body.find("/schema");
        if (known.size() == 0) known = std::move(schema);
        else if (json_value* list = known.find("/anyOf")) list->push_back(std::move(schema));
        else if (to_json(known) != to_json(schema)) {
            json_value either;
            either["anyOf"].push_back(std::move(known));
            either["anyOf"].push_back(std::move(schema));
            known = std::move(either);
        }
    }
}

/// Adds a handler's responses, one per alternative.
/// Responses with equal status are combined.
void add_answers(const detail::output& gives, bool shows_body, schema_set& schemas, json_value& to) {
    for (unsigned i = 0; i < gives.alternative_count; ++i) add_answers(*gives.alternatives[i], shows_body, schemas, to);
    if (gives.alternative_count || gives.what == content::any) return;
    json_value made = success(gives, shows_body, schemas);
    json_value& there = to[gives.status == detail::any_status ? "default" : std::to_string(gives.status)];
    if (there.size() == 0) return void(there = std::move(made));
    if (json_value* more = made.find("/content")) put_contents(there, *more);
}

bool may_be_missing(const detail::output& gives) {
    for (unsigned i = 0; i < gives.alternative_count; ++i)
        if (may_be_missing(*gives.alternatives[i])) return true;
    return gives.may_be_missing;
}

bool may_be_anything(const detail::output& gives) {
    for (unsigned i = 0; i < gives.alternative_count; ++i)
        if (may_be_anything(*gives.alternatives[i])) return true;
    return gives.what == content::any;
}

json_value problem_content() { return content_of("application/problem+json", reference("schemas", problem_schema)); }

/// Describes an error: by the type that the app's error handler returns, or as a problem document.
json_value error_response(const refusal& how, const web::error_handlers& forms, schema_set& schemas) {
    const detail::error_form* form = forms.of(how.status);
    if (!form || form->about->alternative_count || form->about->what == content::any)
        return reference("responses", how.name);
    json_value made = success(*form->about, true, schemas);
    made["description"] = how.description;
    if (form->about->may_be_missing) put_contents(made, problem_content());
    return made;
}

json_value responses(const web::described_route& route, const std::map<int, const refusal*>& errors,
                     schema_set& schemas) {
    const detail::output& gives = route.about->gives;
    json_value made;
    add_answers(gives, route.verb != method::head, schemas, made);
    for (const auto& [status, how] : errors)
        if (!made.find('/' + std::to_string(status)))
            made[std::to_string(status)] = error_response(*how, route.errors, schemas);
    json_value& others = made["default"];
    if (may_be_anything(gives)) others["description"] = any_response;
    else if (others.size() == 0) others = error_response(failed, route.errors, schemas);
    else put_contents(others, problem_content());
    return made;
}

void put_words(json_value& to, const route_words& said) {
    for (const std::string& tag : said.tags) to["tags"].push_back(tag);
    if (!said.summary.empty()) to["summary"] = said.summary;
    if (!said.description.empty()) to["description"] = said.description;
    if (said.deprecated) to["deprecated"] = true;
}

json_value problem() {
    constexpr std::string_view text =
        R"json({"type":"object","description":"A problem document (RFC 9457)","required":["status","title"],"properties":{
        "status":{"type":"integer","minimum":400,"maximum":599},"title":{"type":"string"},"detail":{"type":"string"},
        "errors":{"type":"array","items":{"type":"object","required":["detail","pointer"],"properties":{
        "detail":{"type":"string"},"pointer":{"type":"string","description":"A JSON Pointer (RFC 6901) to the value"}}}}}})json";
    return from_json<json_value>(text).value();
}

}  // namespace

json_value common_responses(schema_set& schemas) {
    schemas.add(problem_schema, problem());
    json_value made;
    for (const refusal* one : refusals) {
        json_value& response = made[one->name];
        response["description"] = one->description;
        response["content"] = problem_content();
    }
    return made;
}

json_value describe(const web::described_route& route, const std::vector<std::string>& captures, std::string_view id,
                    schema_set& schemas, security_schemes& schemes) {
    json_value made;
    if (route.words) put_words(made, *route.words);
    made["operationId"] = id;
    const bool changes = route.verb != method::get && route.verb != method::head && route.verb != method::options;
    asked before = schemes.of(route.asks, changes);
    taken inputs(captures, schemas);
    for (unsigned i = 0; i < route.about->input_count; ++i) inputs.add(route.about->inputs[i]);
    inputs.add(before);
    if (may_be_missing(route.about->gives)) inputs.errors[missing.status] = &missing;
    if (inputs.parameters.size() != 0) made["parameters"] = std::move(inputs.parameters);
    if (inputs.request.size() != 0) made["requestBody"] = std::move(inputs.request);
    if (before.requirements.size() != 0) made["security"] = std::move(before.requirements);
    made["responses"] = responses(route, inputs.errors, schemas);
    return made;
}

}  // namespace apus::openapi
