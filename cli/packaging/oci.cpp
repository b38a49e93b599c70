// SPDX-License-Identifier: Apache-2.0
// Creates an OCI image layout (OCI Image Format Specification 1.1) in a tar archive, which skopeo, podman and docker
// read. Creates the layers first, since the other documents refer to the digests of the layers.
#include <apus/json.hpp>
#include <apus/json_value.hpp>

#include <vector>

#include "cli/errors/failure.hpp"
#include "cli/packaging/archive.hpp"
#include "cli/packaging/engine.hpp"
#include "cli/packaging/formats.hpp"
#include "cli/packaging/libraries.hpp"
#include "cli/packaging/staging.hpp"
#include "cli/packaging/unit.hpp"
#include "cli/system/files.hpp"
#include "cli/system/paths.hpp"

namespace apus::cli::packaging {

namespace {

constexpr std::string_view authorities = "/etc/ssl/certs/ca-certificates.crt";

constexpr unsigned user = 10001;  // user id; not root, and outside the ranges of distributions

struct layer {
    std::string diff_id;  // digest of the uncompressed archive
    std::string digest;   // digest of the compressed layer
    std::uintmax_t size = 0;
    fs::path file{};
};

layer compressed(const fs::path& archive) {
    layer made{.diff_id = "sha256:" + sha256_of(archive), .digest = {}};
    made.file = gzip_file(archive);
    made.digest = sha256_of(made.file);
    made.size = fs::file_size(made.file);
    return made;
}

// Adds the files that programs expect in a file system without a distribution.
void add_base_files(tree& to, const product& of) {
    to.file("etc/passwd",
            "root:x:0:0:root:/:/nonexistent\n" + of.user + ":x:10001:10001::/var/lib/" + of.name + ":/nonexistent\n");
    to.file("etc/group", "root:x:0:\n" + of.user + ":x:10001:\n");
    to.file("etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n");
    to.folder("tmp", 01777);
    std::error_code none;
    if (fs::exists(authorities, none)) to.copy(std::string(authorities.substr(1)), fs::canonical(authorities));
    if (of.of.package.image.timezones) to.copy_all("usr/share/zoneinfo", "/usr/share/zoneinfo");
}

fs::path scratch_base(const product& of, const fs::path& work) {
    tree base;
    for (const library& each : libraries_of(of))
        if (!each.of_apus) base.copy(each.path, each.source, 0755);
    add_base_files(base, of);
    const fs::path archive = work / "base.tar";
    write_tar(archive, base, "", of.epoch);
    return archive;
}

// Keeps package metadata for vulnerability scanners: one file per package, the format of distroless images.
constexpr std::string_view keep_names = R"sh(set -e
mkdir -p "$1/var/lib/dpkg/status.d"
for deb in "$1"/var/cache/apt/archives/*.deb; do
    dpkg-deb --field "$deb" > "$1/var/lib/dpkg/status.d/$(dpkg-deb --field "$deb" Package)"
done)sh";

// Creates a root file system that contains only Debian packages, and no package manager.
fs::path debian_base(const product& of, const fs::path& work) {
    std::string names = "ca-certificates,base-files,netbase";
    for (const part& each : packages_of(libraries_of(of)))
        if (!each.name.empty()) names.append(",").append(each.name);
    if (of.of.package.image.timezones) names += ",tzdata";
    for (const std::string& each : of.of.package.image.packages) names.append(",").append(each);
    const fs::path archive = work / "base.tar";
    run_engine(
        {.words = {"mmdebstrap", "--quiet", "--variant=extract", "--architectures=" + std::string(of.machine->debian),
                   "--include=" + names, "--extract-hook=" + std::string(keep_names), "bookworm", archive.string()},
         .environment = {{"SOURCE_DATE_EPOCH", std::to_string(of.epoch)}}});
    return archive;
}

std::vector<part> packages_of_base(const product& of, const fs::path& base, std::string_view kind) {
    if (kind == "debian")
        return packages_in(
            run_engine({.words = {"tar", "-xOf", base.string(), "--wildcards", "./var/lib/dpkg/status.d/*"}}));
    std::vector<std::string> names;
    std::error_code none;
    if (fs::exists(authorities, none)) names.emplace_back("ca-certificates");
    if (of.of.package.image.timezones) names.emplace_back("tzdata");
    return installed(names);
}

// Returns the health check program for the image's architecture. Throws E0708 if it is not installed.
fs::path health_program(const product& of) {
    const fs::path own = system::own_program().parent_path();
    std::error_code none;
    for (const fs::path& each :
         {own / "apus-health", own.parent_path() / "libexec/apus/apus-health", of.sdk / "libexec/apus/apus-health"})
        if (fs::exists(each, none) && &architecture_of(each) == of.machine) return each;
    throw errors::failure("E0708",
                          "the image requires a health check, but `apus-health` for " + std::string(of.machine->name) +
                              " is neither in the tool's installation nor in the "
                              "program's SDK",
                          "remove `health` from `[package.image]` and check the health from outside the container");
}

fs::path program_layer(const product& of, const fs::path& work) {
    tree image = staged_for_image(of);
    image.folder("var/lib/" + of.name, 0750, user);
    if (!of.of.package.image.health.empty()) image.copy("usr/bin/apus-health", health_program(of), 0755);
    const fs::path archive = work / "program.tar";
    write_tar(archive, image, "", of.epoch);
    return archive;
}

json_value labels(const product& of) {
    json_value made = json_value::object();
    const auto put = [&](std::string_view name, std::string_view value) {
        if (!value.empty()) made["org.opencontainers.image." + std::string(name)] = value;
    };
    put("title", of.program);
    put("description", of.summary);
    put("version", of.of.project.version);
    put("created", date(of.epoch, "%Y-%m-%dT%H:%M:%SZ"));
    put("licenses", of.of.project.license);
    put("url", of.of.project.homepage);
    put("authors", of.maintainer);
    return made;
}

json_value list_of(const std::vector<std::string>& texts) {
    json_value list = json_value::list();
    for (const std::string& each : texts) list.push_back(each);
    return list;
}

json_value run_config(const product& of) {
    const std::string port = std::to_string(of.of.package.port), &health = of.of.package.image.health;
    std::vector<std::string> entry = command_line(of, "0.0.0.0");
    entry.insert(entry.begin(), "/usr/bin/" + of.program);
    json_value made;
    made["User"] = "10001:10001";
    made["Env"] = list_of({"PATH=/usr/bin", "HOME=/var/lib/" + of.name, "STATE_DIRECTORY=/var/lib/" + of.name,
                           "SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt"});
    made["Entrypoint"] = list_of(entry);
    made["WorkingDir"] = working_folder(of);
    made["StopSignal"] = "SIGTERM";
    made["ExposedPorts"][port + "/tcp"] = json_value::object();
    made["Labels"] = labels(of);
    if (health.empty()) return made;
    // Healthcheck is a member defined by Docker; OCI implementations ignore it.
    json_value& check = made["Healthcheck"];
    check["Test"] = list_of({"CMD", "/usr/bin/apus-health", port, health});
    check["Interval"] = 10'000'000'000, check["Timeout"] = 3'000'000'000, check["Retries"] = 3;
    return made;
}

json_value image_config(const product& of, const std::vector<layer>& layers) {
    json_value made, ids, history;
    for (const layer& each : layers) {
        ids.push_back(each.diff_id);
        json_value step;
        step["created"] = date(of.epoch, "%Y-%m-%dT%H:%M:%SZ");
        step["created_by"] = "apus package";
        history.push_back(std::move(step));
    }
    made["created"] = date(of.epoch, "%Y-%m-%dT%H:%M:%SZ");
    made["architecture"] = of.machine->debian;
    made["os"] = "linux";
    made["config"] = run_config(of);
    made["rootfs"]["type"] = "layers";
    made["rootfs"]["diff_ids"] = std::move(ids);
    made["history"] = std::move(history);
    return made;
}

json_value descriptor(std::string_view type, const std::string& digest, std::uintmax_t size) {
    json_value made;
    made["mediaType"] = "application/vnd.oci.image." + std::string(type);
    made["digest"] = "sha256:" + digest;
    made["size"] = size;
    return made;
}

// Stores a document as a blob and returns its descriptor.
json_value add_document(tree& image, std::string_view type, const json_value& document, const fs::path& work) {
    const std::string text = to_json(document);
    system::replace_file(work / "document", text);
    const std::string digest = sha256_of(work / "document");
    image.file("blobs/sha256/" + digest, text);
    return descriptor(type, digest, text.size());
}

std::string tag(const product& of) {
    std::string made = of.of.project.version;
    for (char& c : made)
        if (c == '+' || c == '~') c = '_';
    return made;
}

}  // namespace

image make_oci(const product& of, const fs::path& work, std::string_view base) {
    const fs::path first = base == "debian" ? debian_base(of, work) : scratch_base(of, work);
    image made{
        .file = work / "artefacts" / (of.name + "-" + of.version + "-oci-" + std::string(of.machine->debian) + ".tar"),
        .packages = packages_of_base(of, first, base)};
    const std::vector<layer> layers{compressed(first), compressed(program_layer(of, work))};
    tree layout;
    json_value manifest, index, config = add_document(layout, "config.v1+json", image_config(of, layers), work);
    manifest["schemaVersion"] = 2;
    manifest["mediaType"] = "application/vnd.oci.image.manifest.v1+json";
    manifest["config"] = std::move(config);
    for (const layer& each : layers) {
        manifest["layers"].push_back(descriptor("layer.v1.tar+gzip", each.digest, each.size));
        layout.copy("blobs/sha256/" + each.digest, each.file);
    }
    manifest["annotations"] = labels(of);
    json_value entry = add_document(layout, "manifest.v1+json", manifest, work);
    entry["platform"]["architecture"] = of.machine->debian;
    entry["platform"]["os"] = "linux";
    entry["annotations"]["org.opencontainers.image.ref.name"] = tag(of);
    index["schemaVersion"] = 2;
    index["mediaType"] = "application/vnd.oci.image.index.v1+json";
    index["manifests"].push_back(std::move(entry));
    layout.file("index.json", to_json(index));
    layout.file("oci-layout", R"({"imageLayoutVersion":"1.0.0"})");
    write_tar(made.file, layout, "", of.epoch);
    return made;
}

}  // namespace apus::cli::packaging
