// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace apus::cli::packaging {

/// Signs a file and returns the signature's path.
/// `key` is a private key of OpenSSH (`ssh-keygen -Y`, namespace "file", signature FILE.sig) or of minisign
/// (FILE.minisig). Ed25519 signatures are reproducible. Throws E0710 if the key cannot be read or has another format.
std::filesystem::path sign(const std::filesystem::path& file, const std::filesystem::path& key);

/// Checks a package against FILE.sha256 and, with a public key, its signature.
/// Throws E0709 on a mismatch, and E0710 if the checksum or signature is missing. Messages call the package `called`.
void verify(const std::filesystem::path& file, const std::optional<std::filesystem::path>& key,
            const std::filesystem::path& called);
inline void verify(const std::filesystem::path& file, const std::optional<std::filesystem::path>& key) {
    verify(file, key, file);
}

}  // namespace apus::cli::packaging
