// SPDX-License-Identifier: Apache-2.0
#include "codec/http2/frame.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace apus::codec::http2;
using namespace std::literals;

TEST_CASE("heads of frames are written and read, and the reserved bit is ignored") {
    struct {
        frame_head head;
        std::string bytes;
    } const cases[] = {
        {{0, frame_type::settings, flag_ack, 0}, "\0\0\0\4\1\0\0\0\0"s},
        {{16'384, frame_type::data, flag_end_stream, 1}, "\0\x40\0\0\1\0\0\0\1"s},
        {{max_frame_size, static_cast<frame_type>(0xff), 0xff, max_stream}, "\xff\xff\xff\xff\xff\x7f\xff\xff\xff"s},
    };
    for (const auto& one : cases) {
        char written[frame_head_size];
        CHECK(write_frame_head(written, one.head) == written + frame_head_size);
        CHECK(std::string(written, frame_head_size) == one.bytes);
        std::string reserved = one.bytes;
        reserved[5] = static_cast<char>(reserved[5] | 0x80);
        for (const std::string& bytes : {one.bytes, reserved}) {
            const frame_head read = read_frame_head(bytes.data());
            CHECK(read.length == one.head.length);
            CHECK(read.type == one.head.type);
            CHECK(read.flags == one.head.flags);
            CHECK(read.stream == one.head.stream);
        }
    }
}

TEST_CASE("frames with an invalid size or stream for their type are errors") {
    struct {
        frame_head head;
        error_code code;
    } const cases[] = {
        {{0, frame_type::data, flag_none, 1}, error_code::no_error},
        {{0, frame_type::data, flag_none, 0}, error_code::protocol_error},
        {{0, frame_type::data, flag_padded, 1}, error_code::frame_size_error},
        {{0, frame_type::headers, flag_none, 1}, error_code::no_error},
        {{5, frame_type::headers, flag_padded | flag_priority, 1}, error_code::frame_size_error},
        {{6, frame_type::headers, flag_padded | flag_priority, 1}, error_code::no_error},
        {{9, frame_type::headers, flag_none, 0}, error_code::protocol_error},
        {{5, frame_type::priority, flag_none, 1}, error_code::no_error},
        {{4, frame_type::priority, flag_none, 1}, error_code::frame_size_error},
        {{5, frame_type::priority, flag_none, 0}, error_code::protocol_error},
        {{4, frame_type::rst_stream, flag_none, 3}, error_code::no_error},
        {{5, frame_type::rst_stream, flag_none, 3}, error_code::frame_size_error},
        {{4, frame_type::rst_stream, flag_none, 0}, error_code::protocol_error},
        {{12, frame_type::settings, flag_none, 0}, error_code::no_error},
        {{13, frame_type::settings, flag_none, 0}, error_code::frame_size_error},
        {{6, frame_type::settings, flag_ack, 0}, error_code::frame_size_error},
        {{0, frame_type::settings, flag_none, 1}, error_code::protocol_error},
        {{0, frame_type::push_promise, flag_none, 1}, error_code::protocol_error},
        {{8, frame_type::ping, flag_none, 0}, error_code::no_error},
        {{7, frame_type::ping, flag_none, 0}, error_code::frame_size_error},
        {{8, frame_type::ping, flag_none, 1}, error_code::protocol_error},
        {{8, frame_type::goaway, flag_none, 0}, error_code::no_error},
        {{7, frame_type::goaway, flag_none, 0}, error_code::frame_size_error},
        {{8, frame_type::goaway, flag_none, 1}, error_code::protocol_error},
        {{4, frame_type::window_update, flag_none, 0}, error_code::no_error},
        {{3, frame_type::window_update, flag_none, 1}, error_code::frame_size_error},
        {{0, frame_type::continuation, flag_none, 0}, error_code::protocol_error},
        {{4, frame_type::priority_update, flag_none, 0}, error_code::no_error},
        {{3, frame_type::priority_update, flag_none, 0}, error_code::frame_size_error},
        {{4, frame_type::priority_update, flag_none, 1}, error_code::protocol_error},
        {{1, static_cast<frame_type>(0x77), 0xff, 0}, error_code::no_error},
    };
    for (const auto& one : cases) {
        CAPTURE(static_cast<int>(one.head.type));
        CAPTURE(one.head.length);
        CHECK(fault_of(one.head) == one.code);
    }
    CHECK(is_known(frame_type::priority_update));
    CHECK(!is_known(static_cast<frame_type>(0x77)));
}

TEST_CASE("frames whose number receivers must limit") {
    const struct {
        frame_head head;
        bool is_control;
    } rows[] = {
        {{0, frame_type::data, flag_none, 1}, true},
        {{0, frame_type::data, flag_end_stream, 1}, false},
        {{1, frame_type::data, flag_none, 1}, false},
        {{1, frame_type::headers, flag_none, 1}, false},
        {{1, frame_type::continuation, flag_none, 1}, false},
        {{4, frame_type::rst_stream, flag_none, 1}, false},
        {{4, frame_type::window_update, flag_none, 0}, false},
        {{0, frame_type::settings, flag_ack, 0}, true},
        {{8, frame_type::ping, flag_none, 0}, true},
        {{8, frame_type::goaway, flag_none, 0}, true},
        {{5, frame_type::priority, flag_none, 1}, true},
        {{4, frame_type::priority_update, flag_none, 0}, true},
        {{9, static_cast<frame_type>(200), flag_none, 1}, true},
    };
    for (const auto& r : rows) {
        CAPTURE(static_cast<int>(r.head.type));
        CHECK(r.head.is_control() == r.is_control);
    }
}

TEST_CASE("padding and the priorities of RFC 7540 are removed") {
    const frame_head padded{0, frame_type::headers, flag_padded, 3};
    const frame_head both{0, frame_type::headers, flag_padded | flag_priority, 3};
    std::string_view payload = "\2block\0\0"sv;
    CHECK((strip_padding(padded, payload) && payload == "block"));
    for (const std::string_view cut : {""sv, "\1"sv, "\3ab"sv, "\xff"sv}) {
        std::string_view left = cut;
        CHECK(!strip_padding(padded, left));
    }
    payload = "\0\x80\0\0\1\x10rest"sv;
    CHECK((strip_padding(both, payload) && strip_priority(both, payload) && payload == "rest"));
    payload = "\0\0\0\3\x10rest"sv;
    CHECK(!strip_priority(both, payload));  // the stream depends on itself
    payload = "\0\0\0\1"sv;
    CHECK(!strip_priority(both, payload));
    payload = "as it is"sv;
    CHECK((strip_padding({}, payload) && strip_priority({}, payload) && payload == "as it is"));
}

TEST_CASE("known settings are checked, and unknown settings may have any value") {
    struct {
        setting_value value;
        error_code code;
    } const cases[] = {
        {{setting::header_table_size, 0xffffffff}, error_code::no_error},
        {{setting::enable_push, 1}, error_code::no_error},
        {{setting::enable_push, 2}, error_code::protocol_error},
        {{setting::max_concurrent_streams, 0}, error_code::no_error},
        {{setting::initial_window_size, max_window}, error_code::no_error},
        {{setting::initial_window_size, max_window + 1}, error_code::flow_control_error},
        {{setting::max_frame_size, default_frame_size}, error_code::no_error},
        {{setting::max_frame_size, default_frame_size - 1}, error_code::protocol_error},
        {{setting::max_frame_size, max_frame_size + 1}, error_code::protocol_error},
        {{setting::enable_connect_protocol, 2}, error_code::protocol_error},
        {{setting::no_rfc7540_priorities, 2}, error_code::protocol_error},
        {{static_cast<setting>(0xffff), 0xffffffff}, error_code::no_error},
    };
    for (const auto& one : cases) {
        CAPTURE(static_cast<int>(one.value.name));
        CHECK(fault_of(one.value) == one.code);
        char bytes[setting_size];
        CHECK(write_setting(bytes, one.value) == bytes + setting_size);
        CHECK(read_setting(bytes).name == one.value.name);
        CHECK(read_setting(bytes).value == one.value.value);
    }
}

TEST_CASE("control frames are written completely") {
    char room[32];
    const auto written = [&](char* end) { return std::string(room, end); };
    CHECK(written(write_window_update(room, 3, 0x1020304)) == "\0\0\4\x8\0\0\0\0\3\1\2\3\4"s);
    CHECK(written(write_rst_stream(room, 5, error_code::cancel)) == "\0\0\4\3\0\0\0\0\5\0\0\0\x8"s);
    CHECK(written(write_ping_ack(room, "12345678")) ==
          "\0\0\x8\6\1\0\0\0\0"
          "12345678"s);
    CHECK(written(write_goaway(room, 7, error_code::enhance_your_calm)) == "\0\0\x8\7\0\0\0\0\0\0\0\0\7\0\0\0\xb"s);
    CHECK(written(write_settings_ack(room)) == "\0\0\0\4\1\0\0\0\0"s);
}
