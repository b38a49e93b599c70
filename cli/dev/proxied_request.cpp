// SPDX-License-Identifier: Apache-2.0
#include "cli/dev/proxied_request.hpp"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cli/dev/head.hpp"
#include "cli/dev/page.hpp"

namespace apus::cli::dev {

namespace {

constexpr std::size_t longest_head = 65536;
constexpr std::size_t much = 262144;  // maximum number of bytes buffered for a peer that does not read
constexpr auto linger_timeout = std::chrono::seconds(2);

enum class outcome {
    some,
    nothing,
    end
};

outcome receive(int from, std::string& to) {
    char piece[65536];
    const ssize_t n = recv(from, piece, sizeof piece, 0);
    if (n > 0) return to.append(piece, static_cast<std::size_t>(n)), outcome::some;
    return n < 0 && (errno == EAGAIN || errno == EINTR) ? outcome::nothing : outcome::end;
}

// Returns false if the peer has closed or reset the connection.
bool transmit(int to, std::string& bytes) {
    while (!bytes.empty()) {
        const ssize_t n = send(to, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (n < 0) return errno == EAGAIN || errno == EINTR;
        bytes.erase(0, static_cast<std::size_t>(n));
    }
    return true;
}

}  // namespace

proxied_request::~proxied_request() {
    close(client_);
    if (application_ >= 0) close(application_);
}

void proxied_request::waits(pollfd (&to)[2]) const {
    const bool reads_client = !client_ended_ && arrived_.size() < much;
    to[0] = {client_, static_cast<short>((reads_client ? POLLIN : 0) | (to_client_.empty() ? 0 : POLLOUT)), 0};
    const auto of_application =
        static_cast<short>((to_client_.size() < much ? POLLIN : 0) | (arrived_.empty() ? 0 : POLLOUT));
    // Sets -1 while no transfer is possible, since poll(2) would report a closed socket on every call.
    to[1] = {of_application ? application_ : -1, of_application, 0};
}

void proxied_request::read_request() {
    if (arrived_.starts_with("PRI * HTTP/2.0\r\n")) return answer(http2_refusal());
    const std::size_t end = arrived_.find("\r\n\r\n");
    if (end == arrived_.npos) {
        if (arrived_.size() > longest_head)
            answer(response("431 Request Header Fields Too Large", "text/plain",
                            "The request head is longer than 64 KiB.\n"));
        return;
    }
    head_ = arrived_.substr(0, end + 4);
    arrived_.erase(0, end + 4);
}

void proxied_request::move(const pollfd* came) {
    if (came[0].revents & (POLLERR | POLLHUP)) return void(over_ = true);
    if (!client_ended_ && arrived_.size() < much && receive(client_, arrived_) == outcome::end) client_ended_ = true;
    if (all_sent_) return arrived_.clear(), void(over_ = client_ended_);
    if (head_.empty() && !answered_) read_request();
    if (application_ >= 0) {
        std::string bytes;
        const outcome got = to_client_.size() < much ? receive(application_, bytes) : outcome::nothing;
        if (!bytes.empty()) take_response(bytes);
        // If the application has closed the connection, its response may still be complete.
        if (!transmit(application_, arrived_)) arrived_.clear();
        if (got == outcome::end) end_response();
    }
    if (client_ended_) on_client_end();
    if (!transmit(client_, to_client_)) over_ = true;
    if (ends_when_sent_ && to_client_.empty()) shut_down_write();
}

// A client that has closed its sending side, as `nc -N` does, may still read the response. For an event stream, the end
// of input means that the client has disconnected.
void proxied_request::on_client_end() {
    if (takes_events_ || (head_.empty() && !answered_)) over_ = true;
    if (application_ < 0 || end_forwarded_ || !arrived_.empty()) return;
    end_forwarded_ = true;
    shutdown(application_, SHUT_WR);
}

// Sends FIN before the socket is closed. Closing a socket with unread input would reset the connection and discard
// output that was not delivered (RFC 9112, 9.6).
void proxied_request::shut_down_write() {
    if (client_ended_) return void(over_ = true);
    if (all_sent_) return;
    all_sent_ = std::chrono::steady_clock::now();
    arrived_.clear();
    shutdown(client_, SHUT_WR);
}

void proxied_request::end_after_timeout() {
    if (all_sent_ && std::chrono::steady_clock::now() - *all_sent_ > linger_timeout) over_ = true;
}

bool proxied_request::forward_to_port(std::uint16_t port) {
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0 || connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) {
        if (fd >= 0) close(fd);
        return false;
    }
    fcntl(fd, F_SETFL, O_NONBLOCK);
    const int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    application_ = fd;
    answered_ = true;
    arrived_.insert(0, request_for_application(head_));
    return true;
}

void proxied_request::take_response(std::string_view bytes) {
    if (head_forwarded_) return void(to_client_ += bytes);
    response_head_ += bytes;
    const std::size_t end = response_head_.find("\r\n\r\n");
    if (end == response_head_.npos) return;
    const std::string head = response_head_.substr(0, end + 4);
    const bool interim = head.starts_with("HTTP/1.1 1") && !head.starts_with("HTTP/1.1 101");
    adds_script_ = requests_page(head_) && is_page(head);
    to_client_ += response_for_browser(head, adds_script_ ? script_tag().size() : 0);
    const std::string rest = response_head_.substr(end + 4);
    response_head_.clear();
    head_forwarded_ = !interim;
    if (!rest.empty()) take_response(rest);
}

void proxied_request::end_response() {
    if (!head_forwarded_ && response_head_.empty()) {
        close(std::exchange(application_, -1));
        return answer(failure_response("502 Bad Gateway", "The application exited without a response",
                                       "The terminal shows its output."));
    }
    if (adds_script_) to_client_ += script_tag();
    to_client_ += std::exchange(response_head_, {});
    close(std::exchange(application_, -1));
    ends_when_sent_ = true;
}

void proxied_request::answer(std::string_view bytes) {
    begin_answer(bytes);
    takes_events_ = false;
    ends_when_sent_ = true;
    if (to_client_.empty()) shut_down_write();
}

void proxied_request::begin_answer(std::string_view bytes) {
    to_client_ += bytes;
    answered_ = true;
    takes_events_ = true;
    if (!transmit(client_, to_client_)) over_ = true;
}

}  // namespace apus::cli::dev
