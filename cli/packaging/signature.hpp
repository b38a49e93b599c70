// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace apus::cli::packaging {

/// Signs a file with a private key of OpenSSH (`ssh-keygen -Y`, namespace "file": FILE.sig) or of minisign
/// (FILE.minisig), and gives the signature's path. With Ed25519 the same file gets the same signature. Throws
/// E0710 if the key cannot be read or is neither.
std::filesystem::path sign(const std::filesystem::path& file, const std::filesystem::path& key);

/// Checks a package against FILE.sha256 beside it and, with a public key, against its signature. Throws E0709 if the
/// file is
/// not what was made or not signed by that key, E0710 if there is nothing to check it by. Messages have the name
/// `called`.
void verify(const std::filesystem::path& file, const std::optional<std::filesystem::path>& key,
            const std::filesystem::path& called);
inline void verify(const std::filesystem::path& file, const std::optional<std::filesystem::path>& key) {
    verify(file, key, file);
}

}  // namespace apus::cli::packaging
