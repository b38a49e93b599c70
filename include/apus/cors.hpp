// SPDX-License-Identifier: Apache-2.0
#pragma once

// Lets pages of other sites read answers (CORS, the Fetch standard, 3.2). What keeps their requests
// from doing harm is csrf.hpp.

#include <apus/detail/owned_parts.hpp>
#include <apus/duration.hpp>
#include <apus/http.hpp>

#include <string>
#include <vector>

namespace apus {

/// Middleware that tells browsers which other origins may read the answers of its routes. It
/// answers preflights itself, also for routes with no OPTIONS: 204, or 403 with a problem document
/// that says what is not allowed. Other requests always reach their handler: their answer gets the
/// fields if the origin is allowed, and none otherwise, so that the browser hides it from the page.
///
/// Answers that depend on the origin say so by `Vary: Origin`, whether or not there was one; with "*"
/// they do not, and have the fields also where there was none. A
/// handler that sets Access-Control-Allow-Origin itself keeps what it set.
///
/// Throws `std::invalid_argument` for options that are none of a browser's, or not safe: an origin
/// that is not spelled as browsers do; "null", which is the origin of anybody's sandboxed frame; "*"
/// anywhere together with `credentials`; a predicate that accepts an origin nobody has, with them.
class cors {
public:
    /// Who may ask for what.
    struct options {
        /// Such as "https://app.example" or "http://localhost:5173". "*" alone: any.
        std::vector<std::string> origins = {};
        std::vector<std::string> methods = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"};  ///< Or "*" alone.
        /// That a page may set, in any case. "*" alone: any but Authorization.
        std::vector<std::string> headers = {"content-type"};
        std::vector<std::string> expose = {};  ///< Of the answer, besides those every page may read. Or "*" alone.
        bool credentials = false;              ///< Whether requests may carry cookies and the like.
        /// How long a browser may remember a preflight; most cap it at two hours.
        duration max_age = seconds(600);
        bool private_network = false;  ///< Whether public sites may ask this server in a private network.
    };

    explicit cors(options);

    /// Also origins for which `allows(std::string_view origin)` is true. Compare all of the text:
    /// one that ends in "example.org" may be "https://evil-example.org".
    template <class F>
    cors(options how, F allows)
        : cors(std::move(how), predicate{new F(std::move(allows)),
                                         [](const void* self, std::string_view origin) -> bool {
                                             return (*static_cast<const F*>(self))(origin);
                                         },
                                         [](void* self) { delete static_cast<F*>(self); }}) {}

    // For the app.
    static constexpr const void* sets = detail::sets_nothing;
    bool before(request&, response&) const;
    void after(request&, response&) const;

private:
    struct parts;
    struct predicate {
        void* self = nullptr;
        bool (*allows)(const void* self, std::string_view origin) = nullptr;
        void (*destroy)(void* self) = nullptr;
    };
    cors(options, predicate);

    detail::owned_parts<parts> parts_;
};

}  // namespace apus
