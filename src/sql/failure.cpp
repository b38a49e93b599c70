// SPDX-License-Identifier: Apache-2.0
#include "sql/failure.hpp"

#include "http/error_extras.hpp"

#include <apus/http.hpp>

#include <string>

namespace apus::sql {
namespace {

struct meaning {
    std::string_view states;  // complete SQLSTATEs, or their classes
    int status;
    const char* detail;
};

// The first matching entry applies.
constexpr meaning meanings[] = {
    {"23505", 409, "a value that must be unique is in use"},
    {"23503", 409, "a referenced record does not exist, or this record is referenced"},
    {"23P01", 409, "the record conflicts with another one"},
    {"23514", 422, "a value is not allowed"},
    {"22001", 422, "a text is too long"},
    {"40001", 503, "the database is busy: the transaction conflicts with others"},
    {"40P01", 503, "the database is busy: the transaction conflicts with others"},
    {"55P03", 503, "the database is busy: a lock is not available"},
    {"57014", 504, "the database took too long"},
    {"08", 503, "the database cannot be reached"},
    {"53", 503, "the database has no disk space or no free connection"},
    {"57P", 503, "the database is shutting down or starting"},
};

meaning meaning_of(std::string_view state) noexcept {
    for (const meaning& m : meanings)
        if (state.starts_with(m.states)) return m;
    return {{}, 500, "a statement failed"};
}

void add_fact(std::string& to, const char* name, std::string_view fact) {
    if (!fact.empty()) to.append(name).append(fact);
}

constexpr std::string_view mark = "SQLSTATE ";

void put_facts(error& to, std::shared_ptr<const void> facts) {
    auto& extras = apus::detail::extras_of(to);
    extras.facts = std::move(facts);
    extras.facts_type = &apus::detail::type_key<statement_failure>;
}

error unavailable(std::string_view state, std::string_view detail, std::string_view why) {
    error made(503, std::string(detail));
    made.expose().header("retry-after", "1").cause(std::string(mark).append(state).append(": ").append(why));
    put_facts(made, std::make_shared<const statement_failure>(statement_failure{.state = std::string(state)}));
    return made;
}

}  // namespace

error make_error(const failure_facts& facts) {
    const meaning m = meaning_of(facts.state);
    std::string cause(mark);
    cause.append(facts.state);
    add_fact(cause, " constraint ", facts.constraint);
    add_fact(cause, " table ", facts.table);
    add_fact(cause, " column ", facts.column);
    add_fact(cause, ": ", facts.message);
    add_fact(cause, "; statement: ", facts.statement);
    error made(m.status, m.detail);
    made.cause(cause);
    if (m.status == 503) made.expose().header("retry-after", "1");
    else if (m.status == 504) made.expose();
    put_facts(made, std::make_shared<const statement_failure>(
                        statement_failure{std::string(facts.state), std::string(facts.constraint),
                                          std::string(facts.table), std::string(facts.column)}));
    return made;
}

error unreachable(std::string_view why) { return unavailable("08001", "the database cannot be reached", why); }

error too_busy(std::string_view why) { return unavailable("53300", "too many statements wait for the database", why); }

error too_large(std::string_view statement) {
    return error(500, "the result of a statement is too large")
        .cause(std::string("over database_options::result_size: read rows with `stream`, or add a limit; statement: ")
                   .append(statement));
}

const statement_failure* failure_of(const error& why) noexcept {
    const auto* extras = why.extras();
    if (!extras || extras->facts_type != &apus::detail::type_key<statement_failure>) return nullptr;
    return static_cast<const statement_failure*>(extras->facts.get());
}

std::string_view state_of(const error& why) noexcept {
    const auto* facts = failure_of(why);
    return facts ? std::string_view(facts->state) : std::string_view();
}

bool is_serialization_failure(const error& why) noexcept {
    const auto* facts = failure_of(why);
    return facts && facts->is_serialization_failure();
}

void hide_values(error& why, std::string_view statement) {
    const std::string cause(why.cause());
    why.cause(cause.substr(0, cause.find(": "))
                  .append(": message hidden, a parameter is a secret; statement: ")
                  .append(statement));
}

error mapped(error why, error (*map)(const statement_failure&, error)) {
    if (!map || !failure_of(why)) return why;
    const auto facts = why.extras()->facts;
    const std::string cause(why.cause());
    error made = map(*static_cast<const statement_failure*>(facts.get()), std::move(why));
    if (made.cause().empty()) made.cause(cause);
    put_facts(made, facts);
    return made;
}

}  // namespace apus::sql
