// SPDX-License-Identifier: Apache-2.0
#include "cli/packaging/signature.hpp"

#include "cli/errors/failure.hpp"
#include "cli/packaging/engine.hpp"
#include "cli/system/files.hpp"

namespace apus::cli::packaging {

namespace {

namespace fs = std::filesystem;
using errors::failure;

enum class scheme {
    openssh,
    minisign
};

scheme scheme_of(const std::string& content, const fs::path& key) {
    if (content.starts_with("untrusted comment: ")) return scheme::minisign;
    for (const char* begin : {"-----BEGIN OPENSSH PRIVATE KEY-----", "ssh-", "ecdsa-", "sk-ssh-", "sk-ecdsa-"})
        if (content.starts_with(begin)) return scheme::openssh;
    throw failure("E0710", "`" + key.string() + "` is not an OpenSSH or minisign key",
                  "`ssh-keygen -t ed25519 -f release.key` creates a key");
}

fs::path signature_of(const fs::path& file, scheme by) {
    return file.string() + (by == scheme::openssh ? ".sig" : ".minisig");
}

void check_signature(const fs::path& file, const fs::path& key, const std::string& called) {
    const std::string content = system::read_file(key);
    const scheme by = scheme_of(content, key);
    const fs::path signature = signature_of(file, by);
    if (std::error_code none; !fs::exists(signature, none))
        throw failure("E0710", "`" + called + "` is not signed: missing `" + signature_of(called, by).string() + "`",
                      "`apus package --sign KEY` signs the packages that it builds");
    system::outcome said;
    if (by == scheme::minisign) {
        said = system::run(
            {.words = {"minisign", "-V", "-q", "-p", key.string(), "-m", file.string(), "-x", signature.string()}});
    } else {
        const system::staged_folder signers(fs::temp_directory_path() / "apus-signers");
        const fs::path list = signers.path() / "allowed";
        system::replace_file(list, "apus namespaces=\"file\" " + content);
        said = system::run({.words = {"ssh-keygen", "-Y", "verify", "-q", "-f", list.string(), "-I", "apus", "-n",
                                      "file", "-s", signature.string()},
                            .input = system::read_file(file)});
    }
    if (!said.ok())
        throw failure(
            "E0709",
            "`" + called + "` has an invalid signature: the file was changed, or not signed by `" + key.string() + "`",
            "do not install it; download it again");
}

}  // namespace

fs::path sign(const fs::path& file, const fs::path& key) {
    const scheme by = scheme_of(system::read_file(key), key);
    const fs::path made = signature_of(file, by);
    try {
        // Sets the trusted comment, in which minisign would otherwise write the current time.
        if (by == scheme::minisign)
            run_engine({.words = {"minisign", "-S", "-s", key.string(), "-m", file.string(), "-x", made.string(), "-t",
                                  file.filename().string()}});
        else run_engine({.words = {"ssh-keygen", "-Y", "sign", "-q", "-f", key.string(), "-n", "file", file.string()}});
    } catch (const failure& why) {
        if (why.code() != "E0704") throw;
        throw failure("E0710", "cannot sign with `" + key.string() + "`: " + why.message());
    }
    return made;
}

void verify(const fs::path& file, const std::optional<fs::path>& key, const fs::path& called) {
    std::error_code none;
    if (!fs::is_regular_file(file, none)) throw failure("E0103", "no such file: `" + called.string() + "`");
    const fs::path sums = file.string() + ".sha256";
    if (!fs::exists(sums, none) && !key)
        throw failure("E0710",
                      "missing `" + called.string() + ".sha256` for the verification of `" + called.string() + "`");
    if (fs::exists(sums, none) && !system::read_file(sums).starts_with(sha256_of(file) + " "))
        throw failure(
            "E0709", "`" + called.string() + "` was changed: its SHA-256 differs from `" + called.string() + ".sha256`",
            "do not install it; download it again");
    if (key) check_signature(file, *key, called.string());
}

}  // namespace apus::cli::packaging
