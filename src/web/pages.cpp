// SPDX-License-Identifier: Apache-2.0
#include <apus/pages.hpp>

#include "markup/files.hpp"
#include "runtime/file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <utility>
#include <vector>

namespace apus::detail {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_files = 1000;

struct file_stamp {
    std::string name;
    fs::file_time_type changed;
    std::uintmax_t size;

    bool operator==(const file_stamp&) const = default;
};

[[noreturn]] void refuse(const fs::path& path, const std::string& what) {
    throw std::runtime_error(path.string() + ": " + what);
}

std::vector<file_stamp> look_at(const fs::path& folder) {
    std::vector<file_stamp> found;
    try {
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
            if (entry.path().extension() != ".html" || !entry.is_regular_file()) continue;
            if (found.size() == max_files) refuse(folder, "more than 1000 templates");
            found.push_back(
                {entry.path().lexically_relative(folder).generic_string(), entry.last_write_time(), entry.file_size()});
        }
    } catch (const fs::filesystem_error& wrong) {
        refuse(folder, "cannot read the folder of templates: " + wrong.code().message());
    }
    std::sort(found.begin(), found.end(), [](const file_stamp& a, const file_stamp& b) { return a.name < b.name; });
    return found;
}

std::string read_file(const fs::path& path) {
    auto text = runtime::read_whole(path.c_str(), markup::longest_file);
    if (!text) refuse(path, text.error() == EFBIG ? "the file is larger than 1 MiB" : "the file cannot be read");
    return *std::move(text);
}

}  // namespace

class pages_folder {
public:
    pages_folder(std::string path, pages_options how) : path_(std::move(path)), how_(how) { load(look_at(path_)); }

    const markup::file_set& files() const noexcept { return files_; }
    std::size_t longest() const noexcept { return how_.longest; }
    /// Number of times that the files have been read.
    std::uint64_t version() const noexcept { return version_; }

    void refresh() {
        if (!how_.reload) return;
        std::vector<file_stamp> now = look_at(path_);
        if (version_ == 0 || now != stamps_) load(std::move(now));
    }

    unsigned owners = 1;

private:
    void load(std::vector<file_stamp> stamps) {
        markup::file_set files;
        for (const file_stamp& each : stamps) files.add(each.name, read_file(path_ / each.name));
        files.check();
        files_ = std::move(files);
        stamps_ = std::move(stamps);
        ++version_;
    }

    fs::path path_;
    pages_options how_;
    markup::file_set files_;
    std::vector<file_stamp> stamps_;
    std::uint64_t version_ = 0;
};

struct bound_page_parts {
    shared<bound_page, pages_folder> folder;
    std::string name;
    const schema::type* model;
    markup::program compiled{};
    std::uint64_t version = 0;
    std::size_t usual = 0;  // size of the last rendered page
    unsigned owners = 1;

    void compile() {
        compiled = folder->files().compile(name, *model);
        version = folder->version();
    }
};

namespace {

template <class Parts>
void release(Parts* parts) noexcept {
    if (--parts->owners == 0) delete parts;
}

bound_page_parts* compiled(const shared<bound_page, pages_folder>& folder, std::string_view name,
                           const schema::type& model) {
    bound_page_parts parts{folder, std::string(name), &model};
    parts.compile();
    return new bound_page_parts(std::move(parts));
}

}  // namespace

void bound_page::keep(pages_folder* parts) noexcept { ++parts->owners; }
void bound_page::keep(bound_page_parts* parts) noexcept { ++parts->owners; }
void bound_page::let_go(pages_folder* parts) noexcept { release(parts); }
void bound_page::let_go(bound_page_parts* parts) noexcept { release(parts); }

bound_page::bound_page(const shared<bound_page, pages_folder>& folder, std::string_view name, const schema::type& model)
    : parts_(compiled(folder, name, model)) {}

result<response> bound_page::render(const void* model) const {
    bound_page_parts& parts = *parts_;
    try {
        parts.folder->refresh();
        if (parts.version != parts.folder->version()) parts.compile();
    } catch (const std::runtime_error& wrong) {
        return fail(500, wrong.what()).expose();  // only with `reload`, an option for development
    }
    std::string out;
    out.reserve(parts.usual);
    if (!markup::render(parts.compiled, model, parts.folder->longest(), out))
        return fail(500, "the page exceeds the limit of " + std::to_string(parts.folder->longest()) + " bytes");
    parts.usual = out.size();
    return apus::response::html(std::move(out));
}

}  // namespace apus::detail

namespace apus {

pages::pages(std::string folder, pages_options how) : folder_(new detail::pages_folder(std::move(folder), how)) {}

}  // namespace apus
