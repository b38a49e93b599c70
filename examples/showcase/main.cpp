// SPDX-License-Identifier: Apache-2.0
#include "showcase/app.hpp"

#include <apus/environment.hpp>

#include <cstdlib>

namespace {

// SQLite in a file, or PostgreSQL by DATABASE_URL.
apus::sql::database open_database() {
    return apus::from_environment<apus::sql::database>("DATABASE_URL", "sqlite:showcase.db");
}

}  // namespace

int main(int argc, char** argv) {
    // A secret comes from the environment, and never has a default in the code.
    const char* token = std::getenv("ADMIN_TOKEN");
    const std::string admin_token = token ? token : "";
    return apus::serve([&] { return showcase::make_app(admin_token, open_database()); }, argc, argv,
                       {.prepare = [] { open_database().migrate(); }});
}
