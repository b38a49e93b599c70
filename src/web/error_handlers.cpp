// SPDX-License-Identifier: Apache-2.0
#include "web/error_handlers.hpp"

#include "http/error_extras.hpp"
#include "http/exchange.hpp"
#include "http/problem.hpp"
#include "http/request_trace.hpp"
#include "web/application.hpp"

#include <utility>

namespace apus::web {
namespace {

// Runs an error handler. Returns false if the response must be the problem document.
bool apply(const detail::error_form* form, request& req, const error& why, response& out) {
    if (!form) return false;
    try {
        return form->run(form->self, req, why, out) && !out.refusal() && !out.streams() && http::is_final(out.status());
    } catch (...) {
        (void)detail::error_from_current_exception();  // for the log
    }
    return false;
}

// Adds the id of the trace to the problem document of a failure, and the reason of the failure to the trace.
void note_failure(request& req, error& why) {
    tracing::trace* const in = http::recorded_trace(&detail::exchange_of(req));
    if (!in || why.status() < 500) return;
    if (in->root()) in->root()->data.why = std::string_view(why.detail()).substr(0, tracing::max_text);
    char text[2 * sizeof(tracing::trace_id)];
    codec::trace_context::write_id(in->id(), text);
    if (why.member("trace_id").empty()) why.with("trace_id", std::string_view(text, sizeof text));
}

}  // namespace

void add_error_body(request& req, const error_handlers& forms, response& out) {
    error why = out.take_refusal();
    note_failure(req, why);
    const std::string added(out.field_lines());
    response made;
    if (apply(forms.of(why.status()), req, why, made)) {
        if (made.status() == 200) made.status(why.status());
        if (why.extras()) made.lines_not_there(why.extras()->field_lines);
    } else {
        made = http::problem(why);
    }
    made.lines_not_there(added);
    out = std::move(made);
}

}  // namespace apus::web

namespace apus {

void detail::add_error_body(request& req, response& out) {
    const auto* plan = exchange_of(req).plan;
    const auto* at = static_cast<const web::endpoint*>(plan);
    web::add_error_body(req, at && at->facts() ? at->facts()->errors : web::error_handlers(), out);
}

}  // namespace apus
