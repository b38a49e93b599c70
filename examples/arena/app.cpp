// SPDX-License-Identifier: Apache-2.0
#include "arena/app.hpp"

#include "arena/crud.hpp"
#include "arena/delay.hpp"
#include "arena/echo.hpp"
#include "arena/fortunes.hpp"
#include "arena/stored_items.hpp"
#include "arena/sum.hpp"
#include "arena/upload.hpp"

#include <apus/compression.hpp>
#include <apus/files.hpp>

#include <filesystem>

namespace arena {
namespace {

apus::app compressed(const data& of) {
    apus::app app;
    app.use(apus::compress_responses());
    add_items(app, of.items);
    return app;
}

}  // namespace

data read_data(const std::string& folder) {
    const std::string files = folder + "/static";
    return {read_items(folder + "/dataset.json"), std::filesystem::is_directory(files) ? files : std::string(),
            folder + "/templates"};
}

apus::app make_app(const data& of) {
    apus::app app;
    add_sums(app);
    app.get("/pipeline", [] { return "ok"; });
    app.mount(compressed(of));
    if (!of.static_files.empty()) app.mount("/static", apus::files(of.static_files));
    add_upload(app);
    add_echo(app);
    add_delay(app);
    if (of.database) {
        add_async_db(app, *of.database);
        add_crud(app, *of.database, *of.cache);
        add_fortunes(app, *of.database, of.templates);
    }
    return app;
}

}  // namespace arena
