// SPDX-License-Identifier: Apache-2.0
#include "tls/server_security.hpp"

#include "tls/certificate_files.hpp"
#include "tls/peer.hpp"
#include "tls/self_signed.hpp"

#include <doctest/doctest.h>
#include <openssl/pem.h>

#include <memory>
#include <string>
#include <string_view>

using namespace apus;
using runtime::record_layer;

namespace {

struct collected final : runtime::record_output {
    void append(std::string_view sealed) override { text += sealed; }
    std::string text;
};

struct deref {
    void operator()(tls::server_security* s) const noexcept { s->let_go(); }
};
using security = std::unique_ptr<tls::server_security, deref>;

security self_signed(server_tls_options options = {}, bool http2 = true) {
    options.self_signed = true;
    security made(new tls::server_security(options));
    REQUIRE(made->open(http2));
    return made;
}

// The client side of a handshake, in memory.
class client {
public:
    explicit client(const char* protocols = "\x08http/1.1")
        : context_(SSL_CTX_new(TLS_client_method())),
          ssl_(SSL_new(context_.get())),
          method_(tls::make_record_bio_method()) {
        BIO* bio = tls::new_record_bio(*method_, channel_);
        SSL_set_bio(ssl_.get(), bio, bio);
        SSL_set_connect_state(ssl_.get());
        SSL_set_tlsext_host_name(ssl_.get(), "localhost");
        SSL_set_alpn_protos(ssl_.get(), reinterpret_cast<const unsigned char*>(protocols),
                            static_cast<unsigned>(std::string_view(protocols).size()));
    }
    // Processes received bytes and returns the response.
    std::string go_on(std::string_view told) {
        collected out;
        channel_ = {&told, &out};
        char byte;
        if (SSL_do_handshake(ssl_.get()) == 1) SSL_peek(ssl_.get(), &byte, 1);  // receives session tickets
        return out.text;
    }
    std::string end() {
        collected out;
        channel_ = {nullptr, &out};
        SSL_shutdown(ssl_.get());
        return out.text;
    }
    std::string seal(std::string_view text) {
        collected out;
        channel_ = {nullptr, &out};
        SSL_write(ssl_.get(), text.data(), static_cast<int>(text.size()));
        return out.text;
    }
    std::string open(std::string_view told) {
        collected out;
        std::string all(1 << 17, '\0');
        std::size_t size = 0, n = 0;
        channel_ = {&told, &out};
        while (SSL_read_ex(ssl_.get(), all.data() + size, all.size() - size, &n)) size += n;
        return all.substr(0, size);
    }
    SSL* get() noexcept { return ssl_.get(); }

private:
    tls::record_channel channel_;
    tls::ssl_context context_;
    tls::ssl ssl_;
    tls::bio_method method_;
};

// Passes bytes to the server side. Stores the decrypted input, and the output.
struct served {
    std::string read, answer;
};
served give(record_layer& to, std::string_view sealed, std::size_t room = 4096) {
    collected out;
    served got;
    std::string into(room, '\0');
    while (const std::size_t n = to.open(sealed, into, out)) got.read += into.substr(0, n);
    got.answer = out.text;
    return got;
}

void greet(record_layer& server, client& c) {
    std::string said = c.go_on({});
    for (int turns = 0; turns < 4 && server.now() == record_layer::state::handshaking; ++turns)
        said = c.go_on(give(server, said).answer);
}

}  // namespace

TEST_CASE("tls: protocols are negotiated as the listener allows") {
    using runtime::protocols;
    constexpr const char* both = "\x02h2\x08http/1.1";
    const struct {
        bool http2;  // whether the program supports HTTP/2
        protocols spoken;
        const char* offered;
        std::string_view agreed;  // expected protocol; "none": the handshake fails
    } cases[] = {
        {true, protocols::every, both, "h2"},
        {true, protocols::http1, both, "http/1.1"},
        {true, protocols::http2, both, "h2"},
        {true, protocols::http1, "\x02h2", "none"},
        {true, protocols::http2, "\x08http/1.1", "none"},
        {true, protocols::http2, "\x08http/1.0\x02h2", "h2"},
        {true, protocols::http2, "", ""},  // the client does not offer ALPN
        {false, protocols::every, both, "http/1.1"},
        {false, protocols::http1, "\x08http/1.0", "http/1.0"},
    };
    for (const auto& one : cases) {
        const auto tls = self_signed({}, one.http2);
        const auto server = tls->accept(10, one.spoken);
        client c(one.offered);
        greet(*server, c);
        CAPTURE(one.offered);
        CHECK((server->now() == record_layer::state::secure ? server->application() : "none") == one.agreed);
    }
}

TEST_CASE("tls: a handshake byte by byte, and text in both directions") {
    const auto tls = self_signed();
    const auto server = tls->accept(10);
    REQUIRE(server);
    client c;
    std::string said = c.go_on({});
    for (int turns = 0; turns < 4 && server->now() == record_layer::state::handshaking; ++turns) {
        std::string answers;
        for (const char byte : said) answers += give(*server, {&byte, 1}).answer;
        said = c.go_on(answers);
    }
    REQUIRE(server->now() == record_layer::state::secure);
    CHECK(server->version() == "TLSv1.3");
    CHECK(server->application() == "http/1.1");
    CHECK(server->server_name() == "localhost");
    CHECK(server->certificate() == nullptr);
    CHECK(!server->resumed());
    const std::string text(100'000, 't');
    CHECK((give(*server, c.seal(text)).read == text));
    CHECK((give(*server, c.seal(text), 65536).read == text));
    collected out;
    CHECK(server->seal(text, out));
    CHECK((c.open(out.text) == text));
    out.text.clear();
    server->end(out);
    server->end(out);
    CHECK(c.open(out.text).empty());
    CHECK((SSL_get_shutdown(c.get()) & SSL_RECEIVED_SHUTDOWN) != 0);
}

TEST_CASE("tls: HTTP/2 is negotiated if the program supports it") {
    for (const bool spoken : {true, false}) {
        const auto tls = self_signed({}, spoken);
        const auto server = tls->accept(10);
        client c("\x02h2\x08http/1.1");
        greet(*server, c);
        CHECK(server->application() == (spoken ? "h2" : "http/1.1"));
    }
}

TEST_CASE("tls: key updates, and close notifications versus truncation") {
    const auto tls = self_signed();
    const auto server = tls->accept(10);
    client c;
    greet(*server, c);
    for (int i = 0; i < 3; ++i) {
        SSL_key_update(c.get(), SSL_KEY_UPDATE_REQUESTED);
        CHECK(give(*server, c.seal("text")).read == "text");
        collected out;
        CHECK(server->seal("answer", out));
        CHECK(c.open(out.text) == "answer");
    }
    CHECK(!server->peer_ended());
    CHECK(server->truncation_error() == 0);
    CHECK(give(*server, c.end()).read.empty());
    CHECK(server->peer_ended());
}

TEST_CASE("tls: a ClientHello with flipped bits, or truncated, does not complete a handshake") {
    const auto tls = self_signed();
    client c;
    const std::string hello = c.go_on({});
    for (std::size_t at = 0; at < hello.size() * 8; at += 3) {
        std::string flipped = hello;
        flipped[at / 8] = static_cast<char>(flipped[at / 8] ^ 1 << at % 8);
        const auto server = tls->accept(10);
        REQUIRE(server);
        give(*server, flipped);
        give(*server, std::string(70'000, '\xff'));
        CHECK(server->now() != record_layer::state::secure);
    }
    for (std::size_t size = 0; size < hello.size(); ++size) {
        const auto server = tls->accept(10);
        CHECK(give(*server, hello.substr(0, size)).answer.empty());
        CHECK(server->now() == record_layer::state::handshaking);
    }
}

TEST_CASE("tls: handshakes in progress are counted") {
    using admission = record_layer::admission;
    const auto tls = self_signed();
    auto one = tls->accept(2), two = tls->accept(2), silent = tls->accept(2), three = tls->accept(2),
         four = tls->accept(2);
    client c;
    CHECK(one->begin() == admission::fits);
    CHECK(one->begin() == admission::fits);  // a handshake is counted only once
    CHECK(two->begin() == admission::fits);
    CHECK(three->begin() == admission::crowded);
    greet(*one, c);                     // completes the handshake
    give(*two, std::string(10, '\0'));  // fails the handshake
    CHECK(four->begin() == admission::fits);
    three.reset();
    CHECK(tls->accept(2)->begin() == admission::fits);
    four.reset();
    CHECK(tls->accept(1)->begin() == admission::fits);
}

TEST_CASE("tls: a connection without TLS has no TLS details") {
    const auto tls = self_signed();
    const auto server = tls->accept(1);
    collected out;
    server->end(out);
    CHECK(out.text.empty());
    CHECK(server->truncation_error() == 0);
    CHECK(give(*server, {}).answer.empty());
    CHECK(server->now() == record_layer::state::handshaking);
}

TEST_CASE("tls: HTTP protocols offered by clients") {
    for (const auto& [offered, agreed] :
         {std::pair("\x08http/1.0", "http/1.0"), std::pair("\x08http/1.0\x08http/1.1", "http/1.1"),
          std::pair("\x08http/1.1\x02h2", "h2")}) {
        const auto tls = self_signed();
        const auto server = tls->accept(10);
        client c(offered);
        greet(*server, c);
        CHECK(server->application() == agreed);
    }
}

TEST_CASE("tls: plain HTTP gets an explanation, and further input is not read") {
    const auto tls = self_signed();
    const auto server = tls->accept(1);
    const auto said = give(*server, "GET / HTTP/1.1\r\nHost: a\r\n\r\n").answer;
    CHECK(said.starts_with("HTTP/1.1 400 "));
    CHECK(said.ends_with("requires https\"}"));
    CHECK(give(*server, "GET / HTTP/1.1\r\n\r\n").answer.empty());
}

TEST_CASE("tls: unsupported protocols are rejected, and 1.2 if only 1.3 is enabled") {
    const auto tls = self_signed({.min_version = tls_version::tls_1_3});
    const auto server = tls->accept(9), other = tls->accept(9);
    client gopher("\x06gopher"), old;
    greet(*server, gopher);
    CHECK(server->now() == record_layer::state::failed);
    SSL_set_max_proto_version(old.get(), TLS1_2_VERSION);
    greet(*other, old);
    CHECK(other->now() == record_layer::state::failed);
}

TEST_CASE("tls: a development certificate names its owner") {
    const auto made = tls::sign_self();
    const crypto::memory_bio bio(BIO_new_mem_buf(made.certificate.data(), static_cast<int>(made.certificate.size())));
    const tls::certificate read(PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr));
    REQUIRE(read);
    CHECK(tls::names_of(*read) == std::vector<std::string>{"localhost", "*.localhost"});
    const auto peer = tls::peer_of(*read);
    CHECK(peer.subject == "CN=localhost");
    CHECK(peer.fingerprint.size() == 64);
}
