// SPDX-License-Identifier: Apache-2.0
#include <apus/test/database.hpp>

#include "migrations/history.hpp"
#include "testing/fixtures.hpp"
#include "testing/memory_folder.hpp"
#include "testing/postgres_server.hpp"

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <system_error>

#include <unistd.h>

namespace apus::test {

namespace fs = std::filesystem;

struct postgres::parts {
    testing::postgres_server server;
    std::map<std::string, std::string> templates;  // key: text of the migrations
};

namespace {

// SQLite database files of this process. Removed when the process ends.
class sqlite_folder {
public:
    sqlite_folder() = default;
    sqlite_folder(const sqlite_folder&) = delete;
    sqlite_folder& operator=(const sqlite_folder&) = delete;
    ~sqlite_folder() {
        std::error_code ignored;
        if (owner_ == getpid()) fs::remove_all(path_, ignored);
    }

    static sqlite_folder& get() {
        static sqlite_folder it;
        return it;
    }

    std::string next_file() { return path_ + "/" + std::to_string(++made_) + ".db"; }

    std::mutex lock;
    std::map<std::string, std::string> templates;  // key: text of the migrations

private:
    std::string path_ = testing::make_memory_folder("apus-test", std::uint64_t(64) << 20U);
    pid_t owner_ = getpid();
    std::atomic<unsigned> made_ = 0;
};

std::string key_of(std::span<const sql::migration_file> files) {
    std::string key;
    for (const auto& each : files) key.append(each.name).append(1, '\0').append(each.text).append(1, '\0');
    return key;
}

std::unique_ptr<migrations::connection> connect(const std::string& url) {
    return migrations::connect(url, migrations::missing::is_created);
}

template <class Work>
void in_transaction(const std::string& url, Work work) {
    const auto on = connect(url);
    if (on->language() == migrations::dialect::sqlite) migrations::must_run(*on, "pragma foreign_keys = on");
    migrations::must_run(*on, on->begin());
    work(*on);  // an exception closes the connection, which rolls back
    migrations::must_run(*on, "commit");
}

}  // namespace

postgres::postgres() : parts_(new parts) {}
postgres::~postgres() { delete parts_; }

postgres& postgres::shared() {
    static postgres it;
    return it;
}

std::string postgres::url(std::string_view database) const { return parts_->server.url(database); }

temporary_database::temporary_database(std::span<const sql::migration_file> files) {
    auto& folder = sqlite_folder::get();
    const std::lock_guard hold(folder.lock);
    auto& from = folder.templates[key_of(files)];
    if (from.empty()) {
        const std::string made = folder.next_file();
        if (files.empty()) migrations::must_run(*connect("sqlite:" + made), "vacuum");
        else sql::migrator("sqlite:" + made, files).migrate();
        from = made;
    }
    const std::string copy = folder.next_file();
    fs::copy_file(from, copy);
    url_ = "sqlite:" + copy;
}

temporary_database::temporary_database(postgres& server, std::span<const sql::migration_file> files)
    : server_(&server) {
    static std::mutex lock;
    static unsigned made = 0;
    const std::lock_guard hold(lock);
    const auto on = connect(server.url());
    const auto copy_of = [&](const std::string& from) {
        const std::string name = "apus_test_" + std::to_string(++made);
        migrations::must_run(*on, "create database " + name + " template " + from + " strategy file_copy");
        return name;
    };
    auto& from = server.parts_->templates[key_of(files)];
    if (from.empty()) {
        const std::string name = copy_of("template1");
        if (!files.empty()) sql::migrator(server.url(name), files).migrate();
        from = name;
    }
    url_ = server.url(copy_of(from));
}

temporary_database::~temporary_database() {
    try {
        if (server_) {
            const std::string name = url_.substr(url_.rfind('/') + 1);
            migrations::must_run(*connect(server_->url()), "drop database " + name + " with (force)");
            return;
        }
    } catch (const std::exception&) {  // the server removes the database when it ends
        return;
    }
    for (const char* suffix : {"", "-wal", "-shm"}) {
        std::error_code ignored;
        fs::remove(url_.substr(7) + suffix, ignored);
    }
}

void temporary_database::load(std::string_view json) {
    in_transaction(url_, [&](migrations::connection& on) { testing::insert_fixtures(on, json); });
}

void temporary_database::load_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in)
        throw sql::migration_error(sql::migration_error::reason::files,
                                   "cannot read `" + path + "`: " + std::generic_category().message(errno));
    load(std::string(std::istreambuf_iterator<char>(in), {}));
}

void temporary_database::run(std::string_view statements) { sql::execute_script(url_, statements, "statements"); }

std::string temporary_database::value(std::string_view statement) {
    const auto found = migrations::must_run(*connect(url_), statement);
    return found.empty() || found[0].empty() ? std::string() : found[0][0];
}

}  // namespace apus::test
