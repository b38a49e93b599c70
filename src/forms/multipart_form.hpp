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

/// Parses a body of multipart/form-data into an aggregate while the body arrives.
/// Buffers at most one part that is not a file, or one piece of a file that is not yet written.
class multipart_form {
public:
    /// The value and the limits must outlive this object. `boundary` is a result of `read_boundary`.
    multipart_form(const schema::type&, void* value, const form_limits&, std::string_view boundary);
    multipart_form(const multipart_form&) = delete;
    multipart_form& operator=(const multipart_form&) = delete;

    /// Required action before parsing can continue.
    enum class wants : std::uint8_t {
        bytes,   ///< Call `take` with the next piece, or `finish` after the last.
        disk,    ///< Await `write`, and then call `go_on`. Only for aggregates with files.
        nothing  ///< The body was rejected: `finish` returns the reason.
    };

    /// Parses a piece, which must stay valid until `take` or `go_on` returns `bytes`.
    wants take(std::string_view piece);
    wants go_on();
    task<> write() { return file_.write(); }

    /// Call once at the end. Returns false if the body is rejected; `out` is then the response.
    bool finish(response& out);

private:
    enum class part : std::uint8_t {
        skipped,  ///< A part without a matching field.
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

    std::string_view unread_;  // unread part of the piece, or of held_
    std::string held_;
    std::optional<error> refused_;

    std::uint32_t parts_ = 0;
    part what_ = part::skipped;
    bool is_file_ = false;  // also true if the part is skipped
    bool ends_ = false;     // the file is complete, and must still be written and stored
    std::uint64_t part_bytes_ = 0;
    const schema::field* field_ = nullptr;
    std::string name_;  // name of the part
    std::string text_;
    file_parts about_;  // properties of the file
    spool file_;
};

}  // namespace apus::forms
