// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "postgres/engine.hpp"
#include "runtime/core_of_test.hpp"
#include "runtime/running_task.hpp"
#include "sql/failure.hpp"
#include "sql/parameters.hpp"
#include "support/postgres_server.hpp"
#include "support/skipped.hpp"

#include <apus/detail/schema_of.hpp>
#include <apus/sleep.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace apus::test {

/// A loop on this thread, with an engine for a database.
struct database {
    explicit database(std::string u, const char* backend = "epoll", const sql::database_options& o = {})
        : url(std::move(u)), at(backend), engine(std::make_unique<postgres::engine>(url, o)) {}

    template <class... A>
    sql::statement statement(std::string text, const A&... arguments) {
        auto values = std::make_shared<sql::parameters>(1 << 20, true);
        const auto add = [&](const auto& v) {
            using type = std::remove_cvref_t<decltype(v)>;
            const auto added = values->add(apus::detail::schema_table<type>, &v);
            REQUIRE(added.has_value());
        };
        (add(arguments), ...);
        auto owner = std::make_shared<const std::string>(std::move(text));
        return {.text = {*owner, owner}, .values = std::move(values), .deadline = at.loop->now() + wait};
    }

    template <class T>
    result<T> run(task<T> t) {
        running_task<T> running(std::move(t));
        while (!running.ended()) at.loop->turn(20);  // the task may end before the loop would wait
        return std::move(running.wait());
    }

    /// Returns the cells of all rows, or "! " and the error.
    /// Cells are separated by `|`, rows by `;`.
    template <class... A>
    std::string query(std::string text, const A&... arguments) {
        return shown(run(engine->execute(statement(std::move(text), arguments...))));
    }

    static std::string shown(const result<sql::outcome>& got) {
        if (!got) return "! " + std::to_string(got.error().status()) + " " + std::string(got.error().cause());
        if (!got->found) return std::to_string(got->changed);
        return shown(*got->found);
    }
    static std::string shown(sql::rows& rows) {
        std::string all;
        for (std::size_t r = 0; r < rows.size(); ++r) {
            if (r != 0) all += ';';
            for (unsigned c = 0; c < rows.columns(); ++c) {
                if (c != 0) all += '|';
                all += shown(rows.cell(r, c));
            }
        }
        return all;
    }
    static std::string shown(const sql::value& v) {
        using enum sql::value_kind;
        switch (v.kind) {
            case null: return "null";
            case boolean: return v.integer ? "true" : "false";
            case integer: return std::to_string(v.integer);
            case natural: return std::to_string(static_cast<std::uint64_t>(v.integer));
            case number: {
                char room[32];
                return {room, static_cast<std::size_t>(std::snprintf(room, sizeof room, "%.17g", v.number))};
            }
            case time: return "@" + std::to_string(v.integer);
            case list:
            case record: {
                std::string all = v.kind == list ? "[" : "(";
                for (std::uint32_t i = 0; i < v.count; ++i) all += (i ? "," : "") + shown(v.items[i]);
                return all + (v.kind == list ? "]" : ")");
            }
            default: return std::string(v.text);
        }
    }

    /// Runs the loop until `done`, for at most ten seconds.
    bool turn_until(const std::function<bool()>& done) {
        const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        while (!done()) {
            if (std::chrono::steady_clock::now() >= until) return false;
            at.loop->turn(5);
        }
        return true;
    }

    std::string url;
    core at;
    std::unique_ptr<postgres::engine> engine;
    std::uint64_t wait = 10'000;  // milliseconds until the deadline of a statement
};

/// Runs `check` with a new database on each backend.
inline void on_each_backend(const std::function<void(database&)>& check, const sql::database_options& o = {}) {
    for (const char* backend : {"epoll", "uring"}) {
        CAPTURE(backend);
        database db(support::postgres_server::shared().make_database(), backend, o);
        if (db.at.loop->io().name() != std::string(backend)) support::skip_uring("this kernel lacks it");
        else check(db);
    }
}

}  // namespace apus::test
