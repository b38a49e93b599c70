// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "app.hpp"

namespace {

// Opens a SQLite file by default. DATABASE_URL selects another file, or PostgreSQL.
apus::sql::database open_database() {
    const char* const url = std::getenv("DATABASE_URL");
    return apus::sql::database(url ? url : "sqlite:starter.db");
}

}  // namespace

int main(int argc, char** argv) {
    const notes store(open_database());
    return apus::serve([&store] { return make_app(store); }, argc, argv,
                       {.prepare = [] { open_database().migrate(); }});
}
