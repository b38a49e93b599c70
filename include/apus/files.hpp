// SPDX-License-Identifier: Apache-2.0
#pragma once

// Serves a folder of files, or one file.
// For conditional requests of other resources, see conditional.hpp.

#include <apus/app.hpp>

#include <string_view>

namespace apus {

/// Options of `files`. Strings are copied.
struct files_options {
    /// File served for a path that ends in a slash. If empty or missing: 404, or a listing.
    std::string_view index = "index.html";
    /// File served instead of a 404 if the last path segment has no dot. For single-page applications:
    /// "index.html".
    std::string_view fallback = {};
    /// Cache-Control of files that may change.
    /// Default: clients revalidate on each use. Empty: no Cache-Control.
    std::string_view cache_control = "no-cache";
    /// Subfolder, such as "assets", whose files never change under the same name. They get `immutable`.
    std::string_view immutable_folder = {};
    /// Sends `x.br`, `x.zst` or `x.gz`, if present, instead of `x` to clients that accept the coding.
    /// Does not check that the contents are the same.
    bool precompressed = true;
    bool hidden = false;  ///< Whether to serve names that begin with a dot. `/.well-known/` is always served.
    /// Follows relative symbolic links to targets below the folder.
    /// Other links always get 404.
    bool follow_links = true;
    /// Whether to list a folder without an index, unless there is a fallback.
    /// The listing is HTML, or JSON if the client prefers it.
    bool list = false;
    /// Maximum entries of a listing, in directory order. A listing states whether it is truncated.
    unsigned listed = 1'000;
    duration revalidate = seconds(1);  ///< Maximum delay until a change of a file is detected.
    /// Maximum open files on each core. Files of up to 16 KiB are kept in memory instead.
    unsigned open_files = 1024;
};

/// Returns an app that serves the files of a folder.
/// Examples: `app.mount("/static", apus::files("public"))`, or `app.mount(apus::files("public"))` for the root. `path`
/// is absolute, or relative to the working directory. Throws `std::system_error` if `path` is not a folder.
///
/// Responses to GET and HEAD have the file's media type, ETag, Last-Modified and Cache-Control. Conditional requests
/// (RFC 9110, 13) and ranges (14; at most 16) are supported. Cache-Control is `immutable` for names with a
/// fingerprint: before the extension, at least eight lower-case hexadecimal characters, with at least one digit and one
/// letter (`app.3f2a9c1b.js`).
///
/// A listing has folders first, then files, both sorted by name, with sizes and times of change. It omits hidden files,
/// and links to targets outside the folder. As JSON: `{"entries": [{"name", "type": "file" or "folder", "size",
/// "modified"}], "complete"}`. The folder is read for each listing, on another thread. Listings have an ETag.
///
/// Files outside the folder are never served, neither by an encoded path nor by a symbolic link. A path is decoded
/// once. The response is 404 for a path with an empty segment, a dot segment, a backslash, a control character, an
/// encoded slash or invalid UTF-8, and for everything that is not a regular file.
///
/// To change a file, replace it by rename. If a file is truncated while it is sent, the response is aborted; if a file
/// is overwritten in place, a response may mix old and new contents.
app files(std::string_view path, const files_options& = {});

/// Options of `file_response`.
struct file_response_options {
    std::string_view media_type = {};  ///< Empty: derived from the file's name.
    /// File name in UTF-8 under which browsers save the response (RFC 6266).
    /// Directories are removed. Empty: no Content-Disposition.
    std::string_view download_name = {};
    std::string_view cache_control = {};  ///< Empty: no Cache-Control.
};

/// Responds to GET or HEAD with one file: `co_await apus::file_response(req, "report.pdf")`.
/// Supports conditional requests and ranges like `files`. The path must come from the program, never from a client.
/// Fails with 404 if the path does not name a regular file. Opens the file on each call, on another thread.
task<response> file_response(request&, std::string_view path, const file_response_options& = {});

}  // namespace apus
