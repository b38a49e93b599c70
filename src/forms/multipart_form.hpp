// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/multipart/splitter.hpp"
#include "forms/spool.hpp"
#include "schema/flat_values.hpp"

#include <apus/form.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace apus::forms {

/// Reads a body of multipart/form-data into an aggregate as it comes. Holds of it no more than a part
/// that is no file, or a piece of a file that is not yet written.
class multipart_form {
public:
    /// The value and the limits outlive it. `boundary` is one that `read_boundary` has given.
    multipart_form(const schema::type&, void* value, const form_limits&, std::string_view boundary);
    multipart_form(const multipart_form&) = delete;
    multipart_form& operator=(const multipart_form&) = delete;

    /// What it needs to go on.
    enum class wants : std::uint8_t {
        bytes,   ///< `take` with the next piece, or `finish` behind the last.
        disk,    ///< `write`, and then `go_on`. Only for aggregates with files.
        nothing  ///< It has refused the body: `finish` says why.
    };

    /// Takes a piece, which stays as it is until this wants bytes again.
    wants take(std::string_view piece);
    wants go_on();
    task<> write() { return file_.write(); }

    /// Called once, when there is no more. False: the body is refused, and `out` holds the answer.
    bool finish(response& out);

private:
    enum class part : std::uint8_t {
        skipped,  ///< Nobody wants it.
        text,
        file
    };

    bool use(const codec::multipart::piece&);
    bool begin_part(std::string_view head);
    void choose_field();
    bool add(std::string_view data);
    bool end_part();
    void keep_file();
    wants hold();
    bool refuse(int status, std::string why);

    const form_limits& limits_;
    std::string delimiter_;
    codec::multipart::splitter splitter_;
    schema::fault_list faults_;
    schema::flat_values values_;

    std::string_view unread_;  // of the piece, or of what is held
    std::string held_;
    std::optional<error> refused_;

    std::uint32_t parts_ = 0;
    part what_ = part::skipped;
    bool is_file_ = false;  // also where it is skipped
    bool ends_ = false;     // it is a file, and has only to be written and kept
    std::uint64_t part_bytes_ = 0;
    const schema::field* field_ = nullptr;
    std::string name_;  // of the part
    std::string text_;
    file_parts about_;  // of the file
    spool file_;
};

}  // namespace apus::forms
