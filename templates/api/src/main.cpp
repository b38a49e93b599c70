// SPDX-License-Identifier: Apache-2.0
#include <apus/environment.hpp>

#include "app.hpp"

namespace {

// Opens a SQLite file by default. DATABASE_URL selects another file, or PostgreSQL.
apus::sql::database open_database() {
    return apus::from_environment<apus::sql::database>("DATABASE_URL", "sqlite:starter.db");
}

}  // namespace

int main(int argc, char** argv) {
    return apus::serve([] { return make_app(notes(open_database())); }, argc, argv,
                       {.prepare = [] { open_database().migrate(); }});
}
