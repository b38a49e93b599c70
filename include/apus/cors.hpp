// SPDX-License-Identifier: Apache-2.0
#pragma once

// Lets pages of other origins read responses (CORS, Fetch standard, 3.2). For protection against forged requests, see
// csrf.hpp.

#include <apus/detail/owned_parts.hpp>
#include <apus/duration.hpp>
#include <apus/http.hpp>
#include <apus/middleware.hpp>

#include <string>
#include <vector>

namespace apus {

/// Allowed origins and requests.
struct cors_options {
    /// Allowed origins: "https://app.example", "http://localhost:5173". "*" alone: any origin.
    std::vector<std::string> origins = {};
    std::vector<std::string> methods = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"};  ///< "*" alone: any.
    /// Request fields that pages may set. Case is ignored. "*" alone: any except Authorization.
    std::vector<std::string> headers = {"content-type"};
    /// Response fields that pages may read, besides the CORS-safelisted ones. "*" alone: any.
    std::vector<std::string> expose = {};
    bool credentials = false;  ///< Whether requests may have credentials, such as cookies.
    /// Time for which a browser may cache a preflight response; most limit it to two hours.
    duration max_age = seconds(600);
    bool private_network = false;  ///< Whether pages of public sites may access this server in a private network.
};

/// Middleware that tells browsers which other origins may read the responses of its routes.
/// It responds to preflight requests itself, also for routes without OPTIONS: 204, or 403 with a problem document that
/// says why. Other requests always reach their handler. Their responses get the CORS fields only if the origin is
/// allowed; otherwise the browser hides the response from the page.
///
/// Responses that depend on the origin have `Vary: Origin`, also for requests without Origin. With "*", responses do
/// not depend on the origin, and have the CORS fields also for requests without Origin. An Access-Control-Allow-Origin
/// that the handler sets is kept.
///
/// Throws `std::invalid_argument` for invalid or unsafe options: an origin that is not spelled as browsers send it;
/// "null", the origin of every sandboxed frame; "*" with `credentials`; with `credentials`, a predicate that accepts
/// any origin.
class cors {
public:
    explicit cors(cors_options);

    /// Also accepts origins for which `allows(std::string_view origin)` is true.
    /// Compare the whole origin: an origin that ends in "example.org" may be "https://evil-example.org".
    template <class F>
    cors(cors_options how, F allows)
        : cors(std::move(how), predicate{new F(std::move(allows)),
                                         [](const void* self, std::string_view origin) -> bool {
                                             return (*static_cast<const F*>(self))(origin);
                                         },
                                         [](void* self) { delete static_cast<F*>(self); }}) {}

    // Middleware interface, used by the app.
    using sets = void;
    pending_response operator()(request&, response& out, next_handler) const;

private:
    struct parts;
    struct predicate {
        void* self = nullptr;
        bool (*allows)(const void* self, std::string_view origin) = nullptr;
        void (*destroy)(void* self) = nullptr;
    };
    cors(cors_options, predicate);

    detail::owned_parts<parts> parts_;
};

}  // namespace apus
