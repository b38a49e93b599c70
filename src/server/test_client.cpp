// SPDX-License-Identifier: Apache-2.0
#include "base/ascii.hpp"
#include "http/h1/connection.hpp"
#include "runtime/loop.hpp"
#include "server/answer_reader.hpp"
#include "server/cookie_jar.hpp"
#include "server/form_bodies.hpp"
#include "web/application.hpp"

#include <apus/test.hpp>

#include <cerrno>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <sys/socket.h>
#include <unistd.h>

namespace apus::test {
namespace {

// A thread has one loop at most, so the clients of a thread share theirs.
std::shared_ptr<runtime::loop> loop_of_this_thread() {
    thread_local std::weak_ptr<runtime::loop> shared;
    auto loop = shared.lock();
    if (!loop) {
        const char* wanted = std::getenv("APUS_IO");
        std::string why;
        auto io = runtime::make_backend(wanted ? wanted : "", why);
        if (!io) throw std::runtime_error("APUS_IO=uring, but " + why);
        loop = std::make_shared<runtime::loop>(std::move(io));
        shared = loop;
    }
    return loop;
}

}  // namespace

struct client::parts {
    parts(app a, const settings& s) : how(s), service(std::move(a)), core(*loop, service, how.bounds) {}
    ~parts() {
        hang_up();
        for (auto* c = core.first; c;) std::exchange(c, c->next())->abandon();
        while (core.connections.inside() > 0) loop->turn(1);
    }

    void connect();
    void hang_up() noexcept;
    void take_input();
    void send(std::string_view bytes);
    answer receive();

    settings how;
    std::shared_ptr<runtime::loop> loop = loop_of_this_thread();
    web::application service;
    http::h1::core core;
    int fd = -1;
    bool ended = false;    // the app has closed the connection
    bool to_head = false;  // the next answer is one to HEAD
    server::answer_reader reader;
    server::cookie_jar cookies;
    std::string asked;  // what the next answer answers, where it was asked alone
};

void client::parts::connect() {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) != 0)
        throw std::system_error(errno, std::generic_category(), "socketpair");
    fd = ends[0];
    ended = false;
    reader = {};
    (new http::h1::connection(core, ends[1]))->start();
}

void client::parts::hang_up() noexcept {
    if (fd >= 0) ::close(std::exchange(fd, -1));
}

// All that has arrived.
void client::parts::take_input() {
    char bytes[16 * 1024];
    while (!ended) {
        const ssize_t n = ::recv(fd, bytes, sizeof bytes, 0);
        if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
        if (n > 0) {
            reader.append({bytes, static_cast<std::size_t>(n)});
        } else {
            ended = true;
            reader.end();
        }
    }
}

void client::parts::send(std::string_view bytes) {
    if (fd >= 0) take_input();
    if (ended) hang_up();
    if (fd < 0) connect();
    to_head = bytes.starts_with("HEAD ");
    while (!bytes.empty() && !ended) {
        const ssize_t n = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (n > 0) bytes.remove_prefix(static_cast<std::size_t>(n));
        else if (n < 0 && errno != EAGAIN) return;  // the app reads no more, but may have answered
        else loop->turn(1), take_input();
    }
}

answer client::parts::receive() {
    if (fd < 0) return {};
    const auto patience = static_cast<std::uint64_t>(how.patience.milliseconds());
    const std::uint64_t due = loop->now() + patience;
    std::optional<answer> found;
    while (!(found = reader.next(to_head)) && !ended) {
        if (loop->now() >= due) throw std::runtime_error("no answer within " + std::to_string(patience) + " ms");
        loop->turn(1);
        take_input();
    }
    to_head = false;
    answer a = found ? *std::move(found) : answer();
    a.closed = ended || base::equal_ignoring_case(a.header("connection"), "close");
    if (a.closed) hang_up();
    if (how.cookies) cookies.take(a.head);
    a.request = std::exchange(asked, {});
    return a;
}

client::client(app a) : client(std::move(a), settings()) {}
client::client(app a, settings s) : parts_(new parts(std::move(a), s)) {}
client::~client() { delete parts_; }

answer client::send(std::string_view bytes) {
    parts_->asked = bytes;
    parts_->send(bytes);
    return parts_->receive();
}

answer client::receive() { return parts_->receive(); }

answer client::ask(std::string_view verb, std::string_view target, std::string_view body, fields extra) {
    return ask_typed(verb, target, body, {}, extra);
}

answer client::ask_typed(std::string_view verb, std::string_view target, std::string_view body, std::string_view media_type, fields extra) {
    std::string text(verb);
    text.append(" ").append(target).append(" HTTP/1.1\r\n");
    bool host = false, cookies = !parts_->how.cookies, framed = body.empty() && verb != "POST" && verb != "PUT" && verb != "PATCH";
    for (const field_view& f : extra) {
        text.append(f.name).append(": ").append(f.value).append("\r\n");
        cookies = cookies || base::equal_ignoring_case(f.name, "cookie");
        host = host || base::equal_ignoring_case(f.name, "host");
        framed = framed || base::equal_ignoring_case(f.name, "content-length") || base::equal_ignoring_case(f.name, "transfer-encoding");
    }
    if (!host) text += "host: localhost\r\n";
    if (!media_type.empty()) text.append("content-type: ").append(media_type).append("\r\n");
    const std::string kept = cookies ? std::string() : parts_->cookies.line();
    if (!kept.empty()) text += "cookie: " + kept + "\r\n";
    if (!framed) text += "content-length: " + std::to_string(body.size()) + "\r\n";
    text.append("\r\n").append(body);
    return send(text);
}

answer client::form(std::string_view target, fields values, fields extra) {
    const std::string body = server::urlencoded(values);
    return ask_typed("POST", target, body, "application/x-www-form-urlencoded", extra);
}

answer client::upload(std::string_view target, std::initializer_list<part> pieces, fields extra) {
    const auto all = server::multipart_of(pieces);
    return ask_typed("POST", target, all.body, "multipart/form-data; boundary=" + all.boundary, extra);
}

std::string_view client::cookie(std::string_view name) const noexcept { return parts_->cookies.value(name); }
void client::forget_cookies() noexcept { parts_->cookies.clear(); }

std::string answer::text() const {
    constexpr std::size_t most = 2'000;
    const auto cut = [](const std::string& whole) { return whole.size() <= most ? whole : whole.substr(0, most) + "[and " + std::to_string(whole.size() - most) + " bytes more]"; };
    if (status == 0) return cut(request) + "\n[no answer: the connection was closed]\n";
    return cut(request) + "\n" + cut(head + body) + "\n";
}

const answer& answer::expect(int wanted) const& {
    if (status != wanted)
        throw std::runtime_error("the answer has status " + std::to_string(status) + ", not " + std::to_string(wanted) + ":\n" + text());
    return *this;
}
answer answer::expect(int wanted) && {
    std::as_const(*this).expect(wanted);
    return std::move(*this);
}

}  // namespace apus::test
