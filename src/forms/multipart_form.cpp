// SPDX-License-Identifier: Apache-2.0
#include "forms/multipart_form.hpp"

#include "base/utf8.hpp"
#include "codec/multipart/part_head.hpp"
#include "codec/multipart/refusals.hpp"
#include "schema/expectation.hpp"
#include "web/invalid_input.hpp"

#include <apus/detail/chain.hpp>

#include <utility>

namespace apus::forms {
namespace {

using codec::outcome;
using codec::multipart::piece;

std::string plain(std::string_view sent) {
    std::string room(sent.size(), '\0');
    room.resize(codec::multipart::plain_name(sent, room.data()).size());
    return room;
}

bool takes_file(const schema::field& f) noexcept {
    return f.of->what == schema::kind::file || (f.of->element && f.of->element->what == schema::kind::file);
}

}  // namespace

multipart_form::multipart_form(const schema::type& t, void* value, const form_limits& limits, std::string_view boundary)
    : limits_(limits),
      delimiter_("\r\n--" + std::string(boundary)),
      splitter_(delimiter_, limits.head_bytes),
      values_(t, value, faults_),
      file_(limits.memory, limits.folder) {}

bool multipart_form::refuse(int status, std::string why) {
    refused_.emplace(status, std::move(why));
    return false;
}

multipart_form::wants multipart_form::take(std::string_view piece) {
    if (!held_.empty()) held_ += piece;
    unread_ = held_.empty() ? piece : std::string_view(held_);
    return go_on();
}

multipart_form::wants multipart_form::go_on() {
    while (!refused_) {
        if (file_.full() || (ends_ && file_.unwritten())) return wants::disk;
        if (std::exchange(ends_, false)) keep_file();
        const auto next = splitter_.next(unread_);
        if (next.state == outcome::partial) return hold();
        if (next.state == outcome::bad) refuse(next.why->status, next.why->reason);
        else if (use(next.value)) unread_.remove_prefix(next.used);
    }
    return wants::nothing;
}

multipart_form::wants multipart_form::hold() {
    std::string rest(unread_);  // copied, as `unread_` may be a view of held_
    held_ = std::move(rest);
    unread_ = held_;
    return wants::bytes;
}

bool multipart_form::use(const piece& next) {
    switch (next.what) {
        case piece::is::head: return begin_part(next.bytes);
        case piece::is::data: return add(next.bytes);
        case piece::is::part_end: return end_part();
        case piece::is::nothing: break;
    }
    return true;
}

bool multipart_form::begin_part(std::string_view lines) {
    if (++parts_ > limits_.parts)
        return refuse(413, "the form has more than " + std::to_string(limits_.parts) + " parts");
    const auto head = codec::multipart::read_part_head(lines);
    if (head.state == outcome::bad) return refuse(head.why->status, head.why->reason);
    name_ = plain(head.value.name);
    is_file_ = head.value.is_file;
    part_bytes_ = 0;
    text_.clear();
    about_ = {plain(head.value.file_name), std::string(head.value.media_type), nullptr};
    for (const std::string* one : {&name_, &about_.client_name, &about_.media_type})
        if (!base::is_utf8(*one)) return refuse(400, "the header of a part of the form is invalid UTF-8");
    if (about_.client_name.size() > limits_.file_name_bytes)
        return refuse(413,
                      "a file name in the form is longer than " + std::to_string(limits_.file_name_bytes) + " bytes");
    choose_field();
    return true;
}

// Selects the field of a part. If the form is already rejected, the part's data is discarded.
void multipart_form::choose_field() {
    field_ = values_.find(name_);
    what_ = part::skipped;
    if (!field_) return;
    if (is_file_ != takes_file(*field_)) {
        const bool is_list = field_->of->what == schema::kind::list;
        values_.refuse(*field_, is_file_ ? "a file" : "a text",
                       schema::expectation(is_list ? *field_->of->element : *field_->of));
    } else if (faults_.faults.empty()) {
        what_ = is_file_ ? part::file : part::text;
    } else if (!is_file_) {
        what_ = part::text;  // texts are small, so further faults are also reported
    }
}

bool multipart_form::add(std::string_view data) {
    part_bytes_ += data.size();
    const std::uint64_t most = is_file_ ? limits_.file_bytes : limits_.field_bytes;
    if (part_bytes_ > most)
        return refuse(413, (is_file_ ? "the file `" : "the field `") + name_ + "` of the form is larger than " +
                               std::to_string(most) + " bytes");
    if (what_ == part::text) text_ += data;
    if (what_ == part::file) file_.append(data);
    return true;
}

bool multipart_form::end_part() {
    ends_ = what_ == part::file;
    if (what_ != part::text) return true;
    if (text_.contains('\0')) return refuse(400, "the field `" + name_ + "` of the form contains NUL");
    if (!base::is_utf8(text_)) return refuse(400, "the field `" + name_ + "` of the form is invalid UTF-8");
    values_.read(*field_, text_);
    return true;
}

// Ignores an empty file without a name, which browsers send if the user has selected no file.
void multipart_form::keep_file() {
    if (file_.size() == 0 && about_.client_name.empty()) return;
    void* const to = values_.place(*field_);
    about_.data = std::make_shared<const file_data>(file_.take());
    if (to) file_parts::put(*static_cast<uploaded_file*>(to), std::move(about_));
}

bool multipart_form::finish(response& out) {
    if (!refused_ && !splitter_.complete(unread_))
        refuse(codec::multipart::refusals::cut_short.status, codec::multipart::refusals::cut_short.reason);
    if (refused_) return apus::detail::refuse(*refused_, out), false;
    values_.finish();
    if (faults_.faults.empty()) return true;
    out = web::invalid_input(faults_.status, "the form does not match the expected fields", faults_);
    return false;
}

}  // namespace apus::forms
