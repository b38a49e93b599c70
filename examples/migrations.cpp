// SPDX-License-Identifier: Apache-2.0
// A server that applies its migrations when it starts.
#include <apus/app.hpp>
#include <apus/serve.hpp>
#include <apus/sql.hpp>

apus::app make_app() {
    apus::app app;
    app.get("/", [] { return "Hello, world!"; });
    return app;
}

constexpr apus::sql::migration_file files[] = {
    {"0001_create_notes.up.sql", "create table notes (id integer primary key, text text not null);"},
    {"0001_create_notes.down.sql", "drop table notes;"},
};

int main(int argc, char** argv) {
    return apus::serve(make_app, argc, argv,
                       {.prepare = [] { apus::sql::database("sqlite:notes.db").migrate(files); }});
}
