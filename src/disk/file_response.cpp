// SPDX-License-Identifier: Apache-2.0
#include "disk/answer.hpp"
#include "disk/disposition.hpp"

#include <apus/blocking.hpp>
#include <apus/files.hpp>

#include <cerrno>
#include <utility>

#include <fcntl.h>

namespace apus {
namespace {

// Owned copies of the texts in `file_response_options`, for use after suspension.
struct owned_options {
    std::string media_type, cache_control, disposition;
};

disk::loaded load_alone(const std::string& path, const owned_options& shown) {
    return disk::load(AT_FDCWD, path, disk::links::inside, false,
                      {shown.media_type, shown.cache_control, shown.disposition}, disk::patience::enough, nullptr);
}

task<response> respond_with(request& req, std::string path, std::unique_ptr<owned_options> shown) {
    auto load = [path = std::move(path), shown = std::move(shown)] { return load_alone(path, *shown); };
    const disk::loaded found = co_await blocking(owning(std::move(load)));
    if (!found.file) co_await fail(404, "no such file");
    response out;
    disk::answer_with(*found.file, req, out);
    co_return out;
}

}  // namespace

task<response> file_response(request& req, std::string_view path, const file_response_options& options) {
    auto shown = std::make_unique<owned_options>();
    response checked;  // `response` checks which bytes a field may contain
    if (!options.media_type.empty()) checked.header("content-type", options.media_type);
    if (!options.cache_control.empty()) checked.header("cache-control", options.cache_control);
    shown->media_type = options.media_type;
    shown->cache_control = options.cache_control;
    if (!options.download_name.empty()) shown->disposition = disk::attachment(options.download_name);
    return respond_with(req, std::string(path), std::move(shown));
}

}  // namespace apus
