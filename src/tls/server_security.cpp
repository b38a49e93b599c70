// SPDX-License-Identifier: Apache-2.0
#include "tls/server_security.hpp"

#include "tls/certificate_files.hpp"
#include "tls/self_signed.hpp"

#include <apus/log.hpp>

#include <utility>

#include <sys/stat.h>
#include <unistd.h>

namespace apus::tls {
namespace {

void add_number(std::string& to, long n) { (to += std::to_string(n)) += ' '; }

}  // namespace

server_security::server_security(server_tls_options o) : options_(std::move(o)), method_(make_record_bio_method()) {}

void server_security::use(std::vector<files> named) {
    options_.certificates.clear();
    for (auto& f : named)
        options_.certificates.push_back({std::move(f.certificate), std::move(f.key), std::move(f.ocsp)});
}

std::vector<std::string> server_security::files_read() const {
    std::vector<std::string> all;
    for (const auto& c : options_.certificates)
        for (const auto* file : {&c.certificate, &c.key, &c.ocsp})
            if (!file->empty()) all.push_back(*file);
    if (!options_.client_authorities.empty()) all.push_back(options_.client_authorities);
    return all;
}

// Returns a fingerprint of the files. It changes if a file is written or replaced, or if a symbolic link is changed.
std::string server_security::file_stamps() const {
    std::string all;
    for (const auto& file : files_read()) {
        struct stat s{};
        if (stat(file.c_str(), &s) != 0) s = {};
        add_number(all, static_cast<long>(s.st_dev));
        add_number(all, static_cast<long>(s.st_ino));
        add_number(all, s.st_size);
        add_number(all, s.st_mtim.tv_sec);
        add_number(all, s.st_mtim.tv_nsec);
    }
    return all;
}

std::expected<void, std::string> server_security::write_missing() const {
    const auto& first = options_.certificates.front();
    if (access(first.certificate.c_str(), F_OK) == 0) return {};
    auto written = write_self_signed(first.certificate, first.key);
    if (written) log::info("wrote a self-signed certificate for development", {"file", first.certificate});
    return written;
}

std::expected<std::vector<certificate_text>, std::string> server_security::read_all() const {
    std::vector<certificate_text> all;
    for (const auto& c : options_.certificates) {
        auto text = read_certificate(c);
        if (!text) return std::unexpected(text.error());
        all.push_back(std::move(*text));
    }
    if (all.empty()) all.push_back(own_);
    return all;
}

std::expected<server_security::context_ref, std::string> server_security::load() {
    auto certificates = read_all();
    if (!certificates) return std::unexpected(certificates.error());
    std::string authorities;
    if (!options_.client_authorities.empty()) {
        auto read = read_file(options_.client_authorities);
        if (!read) return std::unexpected(read.error());
        authorities = std::move(*read);
    }
    auto made = server_context::make(options_, *certificates, authorities, tickets_, http2_);
    if (!made) return std::unexpected(made.error());
    return context_ref(std::move(*made));
}

std::expected<void, std::string> server_security::open(bool http2) {
    http2_ = http2;
    if (options_.certificates.empty() && !options_.self_signed)
        return std::unexpected("https needs a certificate: set its file, or for development `self_signed`");
    if (options_.certificates.empty()) {
        auto made = sign_self();
        own_ = {std::move(made.certificate), std::move(made.key), {}, {.certificate = "memory"}};
    } else if (options_.self_signed) {
        if (auto written = write_missing(); !written) return written;
    }
    seen_ = file_stamps();
    auto made = load();
    if (!made) return std::unexpected(made.error());
    put(std::move(*made));
    return {};
}

void server_security::put(context_ref made) noexcept {
    const std::lock_guard lock(mutex_);
    certificates_.swap(made);
}

server_security::context_ref server_security::current() noexcept {
    const std::lock_guard lock(mutex_);
    return certificates_;
}

std::int64_t server_security::expires_at() { return current()->expires_at(); }

std::unique_ptr<runtime::record_layer> server_security::accept(std::uint32_t most, runtime::protocols spoken) {
    context_ref now = current();
    SSL_CTX& first = now->first();
    return std::make_unique<session>(first, *method_, std::move(now), handshakes_, most, spoken);
}

void server_security::reload(bool all) {
    std::string now = file_stamps();
    if (!all && now == seen_) return;
    seen_ = std::move(now);
    auto made = load();
    if (!made)
        return log::error("certificates were not reloaded; the previous ones remain in use", {"reason", made.error()});
    put(std::move(*made));
    log::info("certificates were reloaded", {"files", files_read().size()});
}

}  // namespace apus::tls

namespace apus {

server_tls::server_tls(const server_tls_options& options) : parts_(new tls::server_security(options)) {}

}  // namespace apus
