// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/loop.hpp"
#include "runtime/running_task.hpp"

#include <apus/sql.hpp>
#include <apus/test/database.hpp>

#include <doctest/doctest.h>

#include <span>
#include <string>

namespace apus::test {

template <class T>
apus::result<T> result_of(apus::task<T> t) {
    running_task<T> running(std::move(t));
    return std::move(running.wait());
}

/// Calls `check(url)` with a temporary database of each engine, on a loop.
template <class F>
void on_each_engine(std::span<const sql::migration_file> files, F check) {
    const temporary_database file(files);
    const temporary_database server(postgres::shared(), files);
    for (const temporary_database* one : {&file, &server}) {
        CAPTURE(one->url());
        std::string why;
        apus::runtime::loop loop{apus::runtime::make_backend("", why)};
        check(one->url());
    }
}

}  // namespace apus::test
