// SPDX-License-Identifier: Apache-2.0
#include "showcase/app.hpp"

#include <cstdlib>

namespace {

// SQLite in a file, or PostgreSQL by DATABASE_URL.
apus::sql::database open_database() {
    const char* url = std::getenv("DATABASE_URL");
    return apus::sql::database(url ? url : "sqlite:showcase.db");
}

}  // namespace

int main(int argc, char** argv) {
    // A secret comes from the environment, and never has a default in the code.
    const char* token = std::getenv("ADMIN_TOKEN");
    const std::string admin_token = token ? token : "";
    const auto db = open_database();
    return apus::serve([&] { return showcase::make_app(admin_token, db); }, argc, argv,
                       {.prepare = [] { open_database().migrate(); }});
}
