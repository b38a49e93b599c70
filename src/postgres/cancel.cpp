// SPDX-License-Identifier: Apache-2.0
#include "postgres/connection.hpp"

#include "postgres/pool.hpp"
#include "sql/failure.hpp"

#include <utility>

// A cancel request identifies a connection, not a statement: the server cancels the statement that it executes when the
// request arrives. So a request is sent only while the statement to be cancelled is the oldest statement without a
// result on its connection. From then on, the connection accepts no new statements until the server has answered a
// synchronization point that was sent after the request. If the request has cancelled another statement, that statement
// is repeated. A request that arrives between two messages, for example before the server has read the statement, has
// no effect. So the request is repeated after a wait, which doubles each time. If the server does not react to any
// request, `close_and_stop` closes the connection.

namespace apus::postgres {
namespace {

constexpr std::uint64_t patience = 50, longest_wait = 800;  // milliseconds

}  // namespace

// Returns whether the server may be executing an abandoned statement. Checks all steps up to the next synchronization
// point, since their results arrive together.
bool connection::executes_unwanted() const noexcept {
    for (const item& one : items_) {
        if (one.unwanted) return true;
        if (one.what == step::sync) break;
    }
    return false;
}

// Returns whether the server may be executing a statement that a task waits for.
bool connection::executes_wanted() const noexcept {
    for (const item& one : items_) {
        if (one.of) return true;
        if (one.what == step::sync) break;
    }
    return false;
}

void connection::plan_cancel() {
    if (dead_ || cancel_ != cancelling::no || !executes_unwanted()) return;
    cancel_ = cancelling::planned;
    cancel_wait_ = patience;
    wait_for_cancel();
}

void connection::on_cancel_time() {
    if (dead_) return;
    if (cancel_ == cancelling::planned) {
        cancel_ = cancelling::no;
        if (!executes_unwanted()) {
            if (accepts()) pool_.dispatch();
            return;
        }
        cancel_wait_ *= 2;
        return send_cancel();
    }
    if (executes_wanted()) return wait_for_cancel();
    if (cancel_wait_ >= longest_wait) return lost("the server does not react to a request to cancel");
    cancel_wait_ *= 2;
    if (cancel_ == cancelling::fenced && executes_unwanted()) send_cancel();
    else wait_for_cancel();
}

void connection::wait_for_cancel() { pool_.loop().timers().add(cancel_timer_, pool_.loop().now() + cancel_wait_); }

void connection::send_cancel() {
    cancel_ = cancelling::sent;
    wait_for_cancel();
    pool_.cancel(cancel_request_, *this);
}

void connection::cancel_sent() {
    if (dead_ || cancel_ != cancelling::sent) return;
    cancel_ = cancelling::fenced;
    if (runs_script()) return;
    sync();
    items_.back().fences = true;
    ++fences_;
}

}  // namespace apus::postgres
