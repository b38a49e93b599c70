// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include <sys/stat.h>
#include <time.h>

#include "cli/doctor/examine.hpp"
#include "cli/system/process.hpp"

namespace apus::cli::doctor {
namespace {

namespace fs = std::filesystem;

finding broken(std::string says, std::string fix) {
    return {.about = "certificate", .is = state::broken, .says = std::move(says), .fix = std::move(fix)};
}

// Returns the path of a file named in apus.toml: absolute paths are below the machine's root.
fs::path on_machine(const machine& on, const fs::path& named, const fs::path& project) {
    return named.is_absolute() ? on.root / named.relative_path() : project / named;
}

void examine_names(const fs::path& file, const manifest::deploy_table& deploy, findings& to) {
    std::string all;
    for (const std::string& name : deploy.names) all += " -d " + name;
    for (const std::string& name : deploy.names) {
        if (ask_openssl(file, {"-checkhost", name}).contains("does match"))
            to.push_back({.about = "certificate", .says = deploy.certificate + " is valid for " + name});
        else to.push_back(broken(deploy.certificate + " is not valid for " + name, "certbot certonly --expand" + all));
    }
}

void examine_key(const fs::path& file, const fs::path& key, const manifest::deploy_table& deploy, findings& to) {
    struct stat info{};
    if (stat(key.c_str(), &info) != 0)
        return to.push_back(broken("the key " + deploy.key + " does not exist", "certbot renew --force-renewal"));
    // An empty passphrase prevents openssl from prompting for one.
    const auto of_key = system::run({.words = {"openssl", "pkey", "-pubout", "-passin", "pass:", "-in", key.string()}});
    if (!of_key.ok())
        to.push_back(
            broken(deploy.key + " is not a readable private key", "openssl pkey -noout -text -in " + deploy.key));
    else if (of_key.out != ask_openssl(file, {"-pubkey"}))
        to.push_back(broken(deploy.key + " does not belong to " + deploy.certificate, "certbot renew --force-renewal"));
    else to.push_back({.about = "certificate", .says = deploy.key + " belongs to the certificate"});
    if (info.st_mode & S_IRWXO)
        to.push_back({.about = "certificate",
                      .is = state::warning,
                      .says = "all users can read " + deploy.key,
                      .fix = "chmod o= " + deploy.key});
}

}  // namespace

std::string ask_openssl(const fs::path& certificate, std::vector<std::string> what) {
    system::invocation ask{.words = {"openssl", "x509", "-noout", "-in", certificate.string()}};
    std::ranges::move(what, std::back_inserter(ask.words));
    return system::run(ask).out;
}

findings examine_certificates(const machine& on, const manifest::deploy_table& deploy, const fs::path& project,
                              std::time_t now) {
    findings made;
    if (deploy.certificate.empty()) return made;
    const fs::path file = on_machine(on, deploy.certificate, project);
    std::error_code none;
    if (!fs::exists(file, none)) {
        made.push_back(
            broken(deploy.certificate + ", set in apus.toml, does not exist",
                   "certbot certonly --standalone" + (deploy.names.empty() ? "" : " -d " + deploy.names.front())));
        return made;
    }
    const std::string end = ask_openssl(file, {"-enddate"});
    made.push_back(examine_certificate(deploy.certificate, end, now));
    if (end.empty()) return made;
    examine_names(file, deploy, made);
    if (!deploy.key.empty()) examine_key(file, on_machine(on, deploy.key, project), deploy, made);
    return made;
}

finding examine_certificate(std::string_view file, std::string_view end, std::time_t now) {
    const std::string name(file), text(end.substr(std::min(end.find('=') + 1, end.size())));
    tm parts{};
    if (!strptime(text.c_str(), "%b %d %H:%M:%S %Y", &parts)) {
        return {.about = "certificate",
                .is = state::broken,
                .says = name + " is not a readable certificate",
                .fix = "openssl x509 -noout -text -in " + name};
    }
    const long days = static_cast<long>(timegm(&parts) - now) / 86400;
    if (timegm(&parts) <= now)
        return {.about = "certificate", .is = state::broken, .says = name + " has expired", .fix = "certbot renew"};
    const std::string says = name + " is valid for " + std::to_string(days) + " days";
    if (days < 14) return {.about = "certificate", .is = state::warning, .says = says, .fix = "certbot renew"};
    return {.about = "certificate", .says = says};
}

}  // namespace apus::cli::doctor
