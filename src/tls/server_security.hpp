// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/security.hpp"
#include "tls/record_bio.hpp"
#include "tls/server_context.hpp"
#include "tls/session.hpp"
#include "tls/ticket_keys.hpp"

#include <apus/tls.hpp>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace apus::tls {

/// TLS as a server. The certificates can be replaced while the server runs.
class server_security final : public runtime::server_security {
public:
    explicit server_security(server_tls_options);

    void use(std::vector<files>) override;
    void self_sign() override { options_.self_signed = true; }
    std::vector<std::string> files_read() const override;
    std::expected<void, std::string> open(bool http2) override;
    std::unique_ptr<runtime::record_layer> accept(std::uint32_t most,
                                                  runtime::protocols = runtime::protocols::every) override;
    std::int64_t expires_at() override;
    void reload(bool all) override;

private:
    using context_ref = std::shared_ptr<const server_context>;

    std::expected<std::vector<certificate_text>, std::string> read_all() const;
    std::expected<context_ref, std::string> load();
    std::expected<void, std::string> write_missing() const;
    std::string file_stamps() const;
    void put(context_ref) noexcept;
    context_ref current() noexcept;

    server_tls_options options_;
    certificate_text own_;  // self-signed certificate, in memory only; empty if unused
    bool http2_ = false;    // clients may negotiate HTTP/2
    bio_method method_;
    ticket_keys tickets_;
    session::counter handshakes_ = 0;
    std::string seen_;  // fingerprint of the files when they were last read
    std::mutex mutex_;  // guards the current contexts, which rarely change
    context_ref certificates_;
};

}  // namespace apus::tls
