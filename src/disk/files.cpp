// SPDX-License-Identifier: Apache-2.0
#include <apus/files.hpp>

#include "codec/url/file_path.hpp"
#include "disk/answer.hpp"
#include "disk/folder.hpp"
#include "http/exchange.hpp"
#include "runtime/loop.hpp"
#include "web/application.hpp"

#include <apus/blocking.hpp>
#include <apus/conditional.hpp>
#include <apus/json.hpp>
#include <apus/negotiation.hpp>
#include <apus/redirect.hpp>

#include <cerrno>
#include <utility>

// Routes of a folder. Files in the open-file cache or the page cache are served without a coroutine. For other files, a
// coroutine waits while another thread reads the disk.

namespace apus {
namespace {

using disk::loaded;

constexpr std::string_view rest_route = "/{path...}";

std::uint64_t now() noexcept { return runtime::loop::exists() ? runtime::loop::current().now() : 0; }

std::string_view raw_path(request& req) noexcept {
    const http::exchange& x = detail::exchange_of(req);
    return x.text(x.head.path);
}

// Returns the part of the path after the mount prefix, not decoded.
std::string_view behind_prefix(request& req) noexcept {
    const std::string_view route = web::application::route_text(req);
    if (!route.ends_with(rest_route)) return {};
    return raw_path(req).substr(route.size() - rest_route.size() + 1);
}

// Redirects to the path with a trailing slash, so that relative links in the folder's page resolve inside it.
void send_to_folder(request& req, response& out) {
    std::string to(raw_path(req));
    to += '/';
    if (!req.query().empty()) (to += '?') += req.query();
    out = redirect(308, to);
}

void put_error(int code, response& out) {
    const bool exhausted = code == EMFILE || code == ENFILE || code == ENOMEM;
    if (exhausted) detail::refuse(error(503, "too many files are open").expose(), out);
    else detail::refuse(error(404, "no such file"), out);
}

bool is_missing(const loaded& found) noexcept { return !found.file && !found.directory && found.error != EAGAIN; }

bool names_index(std::string_view path, std::string_view index) noexcept {
    return path.ends_with(index) && (path.size() == index.size() || path[path.size() - index.size() - 1] == '/');
}

void put_listing(const disk::listed& found, request& req, bool top, response& out) {
    constexpr std::string_view types[] = {"text/html", "application/json"};
    if (found.error) return put_error(found.error, out);
    const std::size_t type = detail::choose_type(req, types, std::size(types), out);
    if (type < std::size(types)) {
        const std::string text = type == 0 ? disk::listing_page(found.what, req.path(), top) : to_json(found.what);
        const std::string etag = etag_of(text);
        const response_validators now{.etag = etag};
        if (auto unchanged = check_preconditions(req, now)) out = *std::move(unchanged);
        else out.body(text, type == 0 ? "text/html; charset=utf-8" : "application/json"), set_validators(out, now);
        out.header("cache-control", "no-cache");
    }
    detail::vary_by_accept(out);
}

class folder_handler {
public:
    folder_handler(std::string_view path, const files_options& options)
        : folder_(std::make_shared<disk::folder>(path, options)) {}

    static detail::pending run(const detail::step* here, request& req, response& out) {
        return static_cast<const folder_handler*>(here->self)->answer(req, out);
    }

private:
    detail::pending answer(request& req, response& out) const {
        char room[3 * codec::url::longest_file_path];
        const auto read = codec::url::read_file_path(behind_prefix(req), folder_->hidden(), room);
        if (read.state != codec::outcome::done) return put_error(ENOENT, out), detail::pending();
        if (read.value.empty() && !raw_path(req).ends_with('/')) return send_to_folder(req, out), detail::pending();
        std::string path(read.value);
        const bool of_folder = path.empty() || path.back() == '/';
        if (of_folder && folder_->index().empty()) {
            if (folder_->lists()) return list_later(folder_, req, std::move(path)).release();
            return put_error(ENOENT, out), detail::pending();
        }
        if (of_folder) path += folder_->index();
        loaded found = folder_->look(path, now());
        if (falls_back(path, found)) found = folder_->look(folder_->fallback(), now());
        if (found.error == EAGAIN) return answer_later(folder_, req, std::move(path), of_folder).release();
        if (is_to_list(*folder_, found, of_folder))
            return list_later(folder_, req, folder_of(*folder_, path)).release();
        put(found, req, out);
        return {};
    }

    static bool is_to_list(const disk::folder& in, const loaded& found, bool of_folder) noexcept {
        return of_folder && in.lists() && found.error == ENOENT;
    }
    static std::string folder_of(const disk::folder& in, const std::string& index) {
        return index.substr(0, index.size() - in.index().size());
    }

    static task<response> list_later(std::shared_ptr<disk::folder> in, request& req, std::string path) {
        const disk::listed found = co_await blocking(owning(in->listing_of(path)));
        response out;
        put_listing(found, req, path.empty(), out);
        co_return out;
    }

    bool falls_back(const std::string& path, const loaded& found) const { return falls_back(*folder_, path, found); }
    static bool falls_back(const disk::folder& in, const std::string& path, const loaded& found) {
        return is_missing(found) && !in.fallback().empty() &&
               (!path.substr(path.rfind('/') + 1).contains('.') || names_index(path, in.index()));
    }

    static void put(const loaded& found, request& req, response& out) {
        if (found.file) disk::answer_with(*found.file, req, out);
        else if (found.directory && !raw_path(req).ends_with('/')) send_to_folder(req, out);
        else put_error(found.error, out);
    }

    static task<response> answer_later(std::shared_ptr<disk::folder> in, request& req, std::string path,
                                       bool of_folder) {
        loaded found = co_await blocking(owning(in->loading(path)));
        in->keep(path, found, now());
        if (falls_back(*in, path, found)) {
            found = co_await blocking(owning(in->loading(in->fallback())));
            in->keep(in->fallback(), found, now());
        }
        response out;
        if (is_to_list(*in, found, of_folder)) {
            out = co_await list_later(in, req, folder_of(*in, path));
        } else {
            put(found, req, out);
        }
        co_return out;
    }

    std::shared_ptr<disk::folder> folder_;
};

detail::erased own(const folder_handler& handler) {
    return {new folder_handler(handler), &folder_handler::run,
            [](void* self) { delete static_cast<folder_handler*>(self); }, detail::body_use::ignored};
}

}  // namespace

app files(std::string_view path, const files_options& options) {
    const folder_handler handler(path, options);
    app served;
    web::application::add(served, method::get, "/", own(handler), web::application::mounted_as::prefix);
    web::application::add(served, method::get, "/", own(handler), web::application::mounted_as::folder);
    web::application::add(served, method::get, rest_route, own(handler), web::application::mounted_as::prefix);
    return served;
}

}  // namespace apus
