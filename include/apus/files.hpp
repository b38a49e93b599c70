// SPDX-License-Identifier: Apache-2.0
#pragma once

// Files as responses: a folder, or one file. Conditional requests for what is not a file are in
// conditional.hpp.

#include <apus/app.hpp>

#include <string_view>

namespace apus {

/// How a folder is served. The texts are copied.
struct files_options {
    /// What a path that ends in a slash stands for. Empty, or not there: such a path is a 404, or a list.
    std::string_view index = "index.html";
    /// Served in place of a 404 where the last segment has no dot: for applications whose paths are the browser's,
    /// "index.html".
    std::string_view fallback = {};
    /// Of what may change: ask each time whether the copy is still good. Empty: no such field.
    std::string_view cache_control = "no-cache";
    /// "assets": what is below it has a name of its own for each content, like fingerprinted names.
    std::string_view immutable_folder = {};
    /// `x.br`, `x.zst` and `x.gz`, where they are there, are sent in place of `x` to who accepts them. Whether they
    /// hold the same is not looked at.
    bool precompressed = true;
    bool hidden = false;  ///< Names that begin with a dot are served. `/.well-known/` always is.
    /// Symbolic links that lead to a place below the folder are followed; others, and absolute ones, are a 404 in any
    /// case.
    bool follow_links = true;
    /// A folder without index is listed, unless there is a fallback: as HTML, or as JSON for who prefers it.
    bool list = false;
    /// So many names of a folder are read for a list, at most; which they are is the file system's choice. The list
    /// says if there are more.
    unsigned listed = 1'000;
    duration revalidate = seconds(1);  ///< How long a change of a file may go unnoticed.
    /// Files kept open on each core, at most; those of up to 16 KiB are kept as bytes instead.
    unsigned open_files = 1024;
};

/// The files of a folder, as an app to mount: `app.mount("/static", apus::files("public"))`, or
/// `app.mount(apus::files("public"))` for the root. `path` is absolute, or relative to where the
/// program runs. Throws `std::system_error` if it is no folder.
///
/// GET and HEAD get the file with its media type, ETag, Last-Modified and Cache-Control; conditions
/// (RFC 9110, 13) and ranges (14; at most 16 parts) are answered. A name with a fingerprint of at
/// least eight lower-case hexadecimal digits, with a digit and a letter among them, before an
/// extension (`app.3f2a9c1b.js`) is sent with `immutable`.
///
/// A list has folders and files by name, with sizes and times of change, and only what could be asked
/// for: nothing hidden, and no link that leads out. As JSON it is `{"entries": [{"name", "type": "file" or
/// "folder", "size", "modified"}], "complete"}`. It is read anew each time, on another thread, and has an ETag.
///
/// No path leads out of the folder: not by any encoding, nor by a symbolic link. A path is decoded
/// once; one with an empty segment, a dot segment, a backslash, a control byte, an encoded slash or
/// what is no UTF-8 is a 404, and so is everything that is no regular file.
///
/// To change a file put another one in its place by rename. One that becomes shorter while it is
/// sent breaks its response off; one that is written to may be sent in a mixture.
app files(std::string_view path, const files_options& = {});

/// How one file is sent.
struct file_options {
    std::string_view media_type = {};  ///< By the file's name if empty.
    /// If not empty, the browser is to save it under this name (RFC 6266): any UTF-8; directories in it are cut off.
    std::string_view download_name = {};
    std::string_view cache_control = {};  ///< No such field if empty.
};

/// `co_await apus::file_response(req, "report.pdf")`: one file as response to GET or HEAD, with
/// conditions and ranges as above. The path is the program's: never make one of what a client
/// sent. Fails with 404 if there is no such regular file. Opens it each time, on another thread.
task<response> file_response(request&, std::string_view path, const file_options& = {});

}  // namespace apus
