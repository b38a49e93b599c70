// SPDX-License-Identifier: Apache-2.0
#include "postgres/connection.hpp"

#include "postgres/pool.hpp"
#include "sql/failure.hpp"

#include <utility>

// Statements outside of pipeline mode, which need exclusive use of the connection: several statements in one text, and
// COPY, which libpq has only there.

namespace apus::postgres {

using runtime::readiness;

void connection::start_script(call& c) {
    if (!items_.empty() || PQexitPipelineMode(conn_.get()) != 1) return refuse(c, "55000", "the connection is in use");
    script_ = &c;
    script_runs_ = true;
    copied_in_ = false;
    c.sent = true;
    std::string text(c.of.text.sql);
    if (leased && !begin_.empty() && !std::exchange(begun_, true)) text = begin_ + ";" + text;
    if (PQsendQuery(conn_.get(), text.c_str()) != 1) return lost(PQerrorMessage(conn_.get()));
    flush();
}

void connection::read_script() {
    if (copies_out_) read_copied();
    while (script_ && !copies_out_ && !PQisBusy(conn_.get())) {
        const result_ptr r(PQgetResult(conn_.get()));
        if (!r) break;
        const auto status = PQresultStatus(r.get());
        if (status == PGRES_FATAL_ERROR && state_of(*r).empty()) return lost(PQresultErrorMessage(r.get()));
        if (status == PGRES_FATAL_ERROR && !script_->failed) {
            script_->failed = error_of(*r, script_->of.text.sql);
            script_->state = state_of(*r);
        }
        if (status == PGRES_COMMAND_OK) script_->changed = changed_rows(*r);
        const bool copies = status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH;
        if (copies && !start_copy(status)) return lost("COPY in a script");
    }
    if (!script_ || copies_out_) return;
    if (PQisBusy(conn_.get()) || PQtransactionStatus(conn_.get()) == PQTRANS_ACTIVE) return;
    script_runs_ = false;
    if (PQenterPipelineMode(conn_.get()) != 1) close();
    finish_script();
}

void connection::finish_script() {
    call& c = *std::exchange(script_, nullptr);
    c.in = nullptr;
    c.finish();
}

// libpq keeps the data until the server has received them: callers limit their size.
bool connection::start_copy(ExecStatusType direction) {
    call& c = *script_;
    if (direction == PGRES_COPY_IN && c.what == call::kind::copy_in && !std::exchange(copied_in_, true)) {
        const std::string data = std::move(c.copied);
        if (PQputCopyData(conn_.get(), data.data(), static_cast<int>(data.size())) != 1) return false;
        if (PQputCopyEnd(conn_.get(), nullptr) != 1) return false;
        flush();
        return true;
    }
    if (direction != PGRES_COPY_OUT || c.what != call::kind::copy_out) return false;
    copies_out_ = true;
    read_copied();
    return true;
}

// Receives rows for the current call. Between two calls nothing is received, so the server waits.
void connection::read_copied() {
    constexpr std::size_t enough = std::size_t(64) << 10U;
    while (script_->copied.size() < enough) {
        char* row = nullptr;
        const int size = PQgetCopyData(conn_.get(), &row, 1);
        if (size == 0 && PQstatus(conn_.get()) == CONNECTION_BAD) return lost(PQerrorMessage(conn_.get()));
        if (size == 0) return;
        if (size < 0) {
            copies_out_ = false;
            if (size < -1) lost(PQerrorMessage(conn_.get()));
            return;
        }
        const std::unique_ptr<char, decltype(&PQfreemem)> held(row, PQfreemem);
        script_->copied.append(row, static_cast<std::size_t>(size));
        received_ = seen_ = 0;
    }
    pool_.loop().io().watch(*this, readiness::none);
    script_->has_more = true;
    finish_script();
}

void connection::continue_copy(call& c) {
    if (!copies_out_ || script_) return refuse(c, "55000", "no COPY to continue");
    script_ = &c;
    c.sent = true;
    pool_.loop().io().watch(*this, readiness::in);
    read_script();
}

}  // namespace apus::postgres
