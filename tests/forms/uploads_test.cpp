// SPDX-License-Identifier: Apache-2.0
#include "disk/temporary_folder.hpp"
#include "forms/disk_calls.hpp"
#include "forms/multipart_form.hpp"
#include "forms/spool.hpp"

#include <apus/app.hpp>
#include <apus/form.hpp>
#include <apus/rules.hpp>
#include <apus/test.hpp>
#include <apus/uploaded_file.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <vector>

namespace {

using apus::uploaded_file;
using apus::test::response;

struct note {
    apus::text<1, 5> title;
    std::vector<int> id;
    std::optional<bool> done;
};

struct album {
    apus::text<1, 5> title;
    uploaded_file cover;
    std::vector<uploaded_file> more;
    std::optional<uploaded_file> sound;
};

struct bounded {
    std::optional<std::string> text;
    std::optional<uploaded_file> file;

    static constexpr apus::form_limits limits{
        .parts = 3, .field_bytes = 4, .file_bytes = 5, .head_bytes = 120, .file_name_bytes = 6, .memory = 3};
};

struct stored {
    uploaded_file file;
};

std::string told(const uploaded_file& file) {
    return std::string(file.client_name()) + "|" + file.base_name() + "|" + std::string(file.media_type()) + "|" +
           std::to_string(file.size()) + (file.in_memory() ? " in memory" : " on disk");
}

apus::app make_app() {
    apus::app app;
    app.post("/notes", [](apus::form<note> in) {
        std::string all = in->title;
        for (const int id : in->id) all += " " + std::to_string(id);
        return all + (in->done ? *in->done ? " done" : " open" : "");
    });
    app.post("/albums/{id}",
             [](int id, apus::form<album> in, apus::request& req) -> apus::task<std::string> {
                 std::string all = std::to_string(id) + " " + std::string(*in->title) + "\n" + told(in->cover) + "\n";
                 for (const uploaded_file& one : in->more) all += "more " + told(one) + "\n";
                 if (in->sound) all += "sound " + told(*in->sound) + "\n";
                 const std::string_view left = co_await req.read();
                 co_return all + std::string(left);
             },
             {.body = 3'000'000});
    app.post("/bounded", [](apus::form<bounded> in) {
        return in->text.value_or("none") + " " + (in->file ? told(*in->file) : "none");
    });
    app.post("/echo",
             [](apus::form<stored> in) -> apus::task<std::string> {
                 std::string all = co_await in->file.read(0, 10'000'000);
                 const std::string middle = co_await in->file.read(2, 3);
                 const std::string behind = co_await in->file.read(in->file.size(), 3);
                 co_return middle + behind + "|" + all;
             },
             {.body = 3'000'000});
    return app;
}

// Returns "200 body", or "413 detail" and the faults.
std::string told(const apus::test::response& got) {
    if (got.status == 200) return "200 " + got.body;
    std::string all = std::to_string(got.status);
    for (std::size_t at = 0; (at = got.body.find("\"detail\":\"", at)) != got.body.npos;) {
        at += 10;
        const auto end = std::min(got.body.find("\",\"", at), got.body.find("\"}", at));
        all += " " + got.body.substr(at, end - at);
        if (const auto pointer = got.body.find("\"pointer\":\"", end); pointer == end + 2)
            all += " at " + got.body.substr(pointer + 11, got.body.find('"', pointer + 11) - pointer - 11);
    }
    return all;
}

std::string part(std::string_view parameters, std::string_view data, std::string_view more_lines = {}) {
    return "--b\r\nContent-Disposition: form-data; " + std::string(parameters) + "\r\n" + std::string(more_lines) +
           "\r\n" + std::string(data) + "\r\n";
}

constexpr apus::field_view as_multipart{"content-type", "multipart/form-data; boundary=b"};
const std::string end = "--b--\r\n";

std::string contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::size_t open_files() {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator()));
}

}  // namespace

TEST_CASE("a form without files is read from multipart as from urlencoded bodies") {
    apus::test::client client(make_app());
    CHECK(told(client.upload("/notes", {{"title", "a b"}, {"id", "1"}, {"id", "2"}, {"done", "on"}, {"csrf", "x"}})) ==
          "200 a b 1 2 done");
    CHECK(told(client.form("/notes", {{"title", "a b"}, {"id", "1"}, {"id", "2"}, {"done", "on"}})) ==
          "200 a b 1 2 done");
    CHECK(told(client.upload("/notes", {{"title", "a"}, {"avatar", "data", "x.png", "image/png"}})) == "200 a");
    const struct {
        std::string body, wanted;
    } table[] = {
        {part("name=title", "\xc3\xa9") + end, "200 \xc3\xa9"},
        {part("name=title", "") + end,
         "422 the form does not match the expected fields found \\\"\\\", expected a text of 1 to 5 characters at "
         "/title"},
        {part("name=title", "abcdef") + part("name=id", "x") + end,
         "422 the form does not match the expected fields found \\\"abcdef\\\", expected a text of 1 to 5 characters "
         "at /title found \\\"x\\\", expected an integer from -2147483648 to 2147483647 at /id"},
        {part("name=title", "a") + part("name=title", "b") + end,
         "422 the form does not match the expected fields found a duplicate name, expected distinct names at /title"},
        {end,
         "422 the form does not match the expected fields found nothing, expected a text of 1 to 5 characters at "
         "/title"},
        {part("name=title; filename=f", "a") + end,
         "422 the form does not match the expected fields found a file, expected a text of 1 to 5 characters at "
         "/title"},
        {part("name=title", "\xff") + end, "400 the field `title` of the form is invalid UTF-8"},
        {part("name=title", std::string_view("\0", 1)) + end, "400 the field `title` of the form contains NUL"},
        {part("name=\"\xff\"", "a") + end, "400 the header of a part of the form is invalid UTF-8"},
        {part("name=title", "a"), "400 the form ends before its last boundary"},
        {"", "400 the form ends before its last boundary"},
        {"title=a", "400 the form ends before its last boundary"},
        {part("x=y", "a") + end, "400 a part of the form has no name"},
    };
    for (const auto& row : table) {
        INFO(row.body);
        CHECK(told(client.post("/notes", row.body, {as_multipart})) == row.wanted);
    }
}

TEST_CASE("Content-Type must match the handler's form") {
    apus::test::client client(make_app());
    const struct {
        const char *target, *type, *wanted;
    } table[] = {
        {"/notes", "text/plain",
         "415 the body must be application/x-www-form-urlencoded or multipart/form-data, not text/plain"},
        {"/notes", "",
         "415 the body must be application/x-www-form-urlencoded or multipart/form-data, but Content-Type is missing "
         "or invalid"},
        {"/notes", "multipart/mixed; boundary=b",
         "415 the body must be application/x-www-form-urlencoded or multipart/form-data, not multipart/mixed; "
         "boundary=b"},
        {"/notes", "multipart/form-data", "400 the Content-Type of the form has no boundary"},
        {"/notes", "multipart/form-data; boundary=", "400 malformed Content-Type of the form"},
        {"/notes", "Multipart/Form-Data ;boundary=b", "200 a"},
        {"/echo", "application/x-www-form-urlencoded",
         "415 the body must be multipart/form-data, not application/x-www-form-urlencoded"},
        {"/echo", "multipart/form-data; boundary=\"b%\"",
         "400 invalid boundary of the form: expected 1 to 70 characters of RFC 2046, 5.1.1"},
    };
    for (const auto& row : table) {
        INFO(row.type);
        CHECK(told(client.post(row.target, part("name=title", "a") + end, {{"content-type", row.type}})) == row.wanted);
    }
}

TEST_CASE("uploaded files are in memory or on disk") {
    apus::test::client client(make_app());
    const std::string small(64 * 1024, 's'), large(64 * 1024 + 1, 'l'), huge(1'500'000, 'h');
    CHECK(told(client.upload("/albums/7", {{"title", "a"},
                                           {"cover", small, "../x/c.png", "image/png"},
                                           {"more", large, "l"},
                                           {"more", "", "C:\\e.txt"},
                                           {"more", huge, "h h", "video/mp4; x=y"}})) ==
          "200 7 a\n../x/c.png|c.png|image/png|65536 in memory\nmore l|l||65537 on disk\nmore C:\\e.txt|e.txt||0 in "
          "memory\n"
          "more h h|h h|video/mp4; x=y|1500000 on disk\n");
    CHECK(told(client.upload("/albums/7", {{"title", "a"}, {"cover", "c", "c"}, {"sound", "la", "\xc3\xa9\".mp3"}})) ==
          "200 7 a\nc|c||1 in memory\nsound \xc3\xa9\".mp3|\xc3\xa9\".mp3||2 in memory\n");
    CHECK(told(client.upload("/albums/x", {{"title", "a"}, {"cover", "c", "c"}})).starts_with("400 `id` must be"));
    for (const std::string& one : {std::string("abcdef"), small, large, huge}) {
        const auto got = client.upload("/echo", {{"file", one, "f"}});
        CHECK(got.status == 200);
        CHECK(got.body == one.substr(2, 3) + "|" + one);
    }
}

TEST_CASE("parts without a file name are not files") {
    apus::test::client client(make_app());
    const std::string empty = part("name=cover; filename=\"\"", "", "Content-Type: application/octet-stream\r\n");
    const std::string cover = part("name=cover; filename=c", "c");
    const std::string title = part("name=title", "a");
    const std::string misfit = "422 the form does not match the expected fields ";
    const struct {
        std::string body, wanted;
    } table[] = {
        {title + cover + part("name=sound; filename=\"\"", "") + part("name=more; filename=\"\"", "") + end,
         "200 1 a\nc|c||1 in memory\n"},
        {title + part("name=cover; filename*=UTF-8''x", "c") + end, "200 1 a\n|file||1 in memory\n"},
        {title + empty + end, misfit + "found nothing, expected a file at /cover"},
        {title + end, misfit + "found nothing, expected a file at /cover"},
        {title + part("name=cover", "c") + end, misfit + "found a text, expected a file at /cover"},
        {title + cover + cover + end, misfit + "found a duplicate name, expected distinct names at /cover"},
        {cover + end, misfit + "found nothing, expected a text of 1 to 5 characters at /title"},
        {part("name=title", "abcdef") + cover + part("name=more", "c") + end,
         misfit + "found \\\"abcdef\\\", expected a text of 1 to 5 characters at /title found a text, expected a file "
                  "at /more found nothing, expected a file at /cover"},
        {title + "--b\r\nfolded\r\n\r\n", "400 a line in the header of a part of the form is not a header field"},
        {title + cover, "400 the form ends before its last boundary"},
        {"", "400 the form ends before its last boundary"},
    };
    for (const auto& row : table) {
        INFO(row.body);
        CHECK(told(client.post("/albums/1", row.body, {as_multipart})) == row.wanted);
    }
}

TEST_CASE("a form over a limit is rejected") {
    apus::test::client client(make_app());
    const struct {
        std::string body, wanted;
    } table[] = {
        {part("name=text", "1234") + end, "200 1234 none"},
        {part("name=text", "12345") + end, "413 the field `text` of the form is larger than 4 bytes"},
        {part("name=other", "12345") + end, "413 the field `other` of the form is larger than 4 bytes"},
        {part("name=file; filename=f", "123") + end, "200 none f|f||3 in memory"},
        {part("name=file; filename=f", "12345") + end, "200 none f|f||5 on disk"},
        {part("name=file; filename=f", "123456") + end, "413 the file `file` of the form is larger than 5 bytes"},
        {part("name=other; filename=f", "123456") + end, "413 the file `other` of the form is larger than 5 bytes"},
        {part("name=file; filename=123456", "") + end, "200 none 123456|123456||0 in memory"},
        {part("name=file; filename=1234567", "") + end, "413 a file name in the form is longer than 6 bytes"},
        {part("name=a", "") + part("name=b", "") + part("name=c", "") + end, "200 none none"},
        {part("name=a", "") + part("name=b", "") + part("name=c", "") + part("name=d", "") + end,
         "413 the form has more than 3 parts"},
        {part("name=text", "1", "x: " + std::string(72, 'x') + "\r\n") + end, "200 1 none"},
        {part("name=text", "1", "x: " + std::string(73, 'x') + "\r\n") + end,
         "413 the header of a part of the form is too large"},
    };
    for (const auto& row : table) {
        INFO(row.body);
        CHECK(told(client.post("/bounded", row.body, {as_multipart})) == row.wanted);
        // The same body sent byte by byte.
        std::string chunks =
            "POST /bounded HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nTransfer-Encoding: "
            "chunked\r\n\r\n";
        for (const char c : row.body) chunks.append("1\r\n").append(1, c).append("\r\n");
        CHECK(told(client.send_raw(chunks + "0\r\n\r\n")) == row.wanted);
    }
    CHECK(client.upload("/echo", {{"file", std::string(3'000'000, 'x'), "f"}}).status == 413);
    CHECK(client.upload("/notes", {{"title", "a"}, {"more", std::string(1'100'000, 'x')}}).status == 413);
}

TEST_CASE("temporary files are removed") {
    apus::test::client client(make_app());
    const std::string large(200'000, 'l');
    CHECK(client.upload("/echo", {{"file", large, "f"}}).status == 200);
    const auto before = open_files();
    for (int i = 0; i < 3; ++i) {
        CHECK(client.upload("/echo", {{"file", large, "f"}}).status == 200);
        CHECK(client.upload("/echo", {{"file", large, "f"}, {"file", large, "f"}}).status == 422);
        CHECK(client.post("/echo", part("name=file; filename=f", large) + "--bx", {as_multipart}).status == 400);
    }
    CHECK(open_files() == before);
}

TEST_CASE("an uploaded file is saved atomically") {
    const apus::test::temporary_folder folder;
    apus::app app;
    app.post("/{how}/{name}",
             [&folder](std::string_view how, std::string name, apus::form<stored> in) -> apus::task<std::string> {
                 const std::string path = folder.path() + "/" + name;
                 const auto then = how == "replace" ? apus::existing_file::replace : apus::existing_file::keep;
                 co_await in->file.save_to(path, then);
                 co_return "saved";
             });
    apus::test::client client(std::move(app));
    folder.write("made", "as others are");
    const std::string small = "small", large(100'000, 'l');
    for (const std::string& data : {small, large}) {
        const std::string name = data.size() == 5 ? "small" : "large";
        CHECK(told(client.upload("/keep/" + name, {{"file", data, "f"}})) == "200 saved");
        CHECK(contents(folder.path(name)) == data);
        CHECK(told(client.upload("/keep/" + name, {{"file", "other", "f"}})) ==
              "409 a file of this name already exists");
        CHECK(contents(folder.path(name)) == data);
        CHECK(told(client.upload("/replace/" + name, {{"file", data + "2", "f"}})) == "200 saved");
        CHECK(contents(folder.path(name)) == data + "2");
        CHECK(std::filesystem::status(folder.path(name)).permissions() ==
              std::filesystem::status(folder.path("made")).permissions());
    }
    CHECK(client.upload("/keep/none%2Fx", {{"file", large, "f"}}).status == 500);
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), std::filesystem::directory_iterator()) ==
          3);
}

TEST_CASE("a file is copied to another file system") {
    const apus::test::temporary_folder folder;
    const auto fd = apus::forms::open_temporary(folder.path());
    REQUIRE(fd.has_value());
    const apus::runtime::file file(*fd);
    const std::string data(600'000, 'x');
    REQUIRE(apus::forms::write_all(*fd, data, 0).has_value());
    for (const auto then : {apus::existing_file::keep, apus::existing_file::replace})
        CHECK(apus::forms::save_copy({}, *fd, folder.path("copy"), then).has_value());
    CHECK(contents(folder.path("copy")) == data);
    CHECK(apus::forms::save_copy("x", -1, folder.path("copy"), apus::existing_file::keep).error().status() == 409);
    CHECK(apus::forms::save_copy("x", -1, folder.path("no/copy"), apus::existing_file::keep).error().status() == 500);
    CHECK(apus::forms::open_temporary(folder.path("no")).error().status() == 500);
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), std::filesystem::directory_iterator()) ==
          1);
}
