// SPDX-License-Identifier: Apache-2.0
#include "migrations/connection.hpp"

#include <apus/sql/migrations.hpp>

namespace apus::migrations {

std::string_view engine_of(std::string_view url) {
    if (url.starts_with("sqlite:")) return "sqlite";
    if (url.starts_with("postgres://") || url.starts_with("postgresql://")) return "postgres";
    throw sql::migration_error(sql::migration_error::reason::url,
                               "invalid database URL: it must begin with `sqlite:` or `postgres://`",
                               "write sqlite:app.db or postgres://USER:PASSWORD@HOST/NAME");
}

std::unique_ptr<connection> connect(std::string_view url, missing policy) {
    return engine_of(url) == "sqlite" ? connect_sqlite(url, policy) : connect_postgres(url);
}

}  // namespace apus::migrations
