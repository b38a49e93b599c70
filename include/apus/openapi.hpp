// SPDX-License-Identifier: Apache-2.0
#pragma once

// A description of an app for people and programs (OpenAPI 3.1), made of its routes and of the types
// that handlers take and give; and a page to read it and to try it out.

#include <apus/app.hpp>

#include <string>

namespace apus {

/// What a description says of the service as a whole.
struct api_info {
    std::string title;             ///< Of the service.
    std::string version;           ///< Of the service, not of OpenAPI; such as "1.4.0".
    std::string description = {};  ///< Any length; CommonMark.
};

/// An app that answers GET /openapi.json with the description of the app that it is mounted in, and of
/// all that is mounted there: `app.mount(apus::openapi_document({.title = "Todos", .version = "1"}))`.
/// Mounted with a prefix, or inside of middleware, it is found there.
///
/// Every route that has a handler is described: its path with the types of its captures, each field of a
/// `query<T>` with what it must be, the body it takes, what it answers, and the errors that
/// these types can give; all others are the `default` answer, a problem document (RFC 9457).
/// What a handler returns as `response` is described as anything. Schemas are named as types are,
/// without namespaces; of two types of one name, the second gets a number. `route_note` adds words and
/// leaves routes out; folders of files are not described. HEAD and OPTIONS are described where they
/// have routes of their own. What middleware asks of who sends a request is there (`security`, 401 and
/// 403) as far as it says so: security_note.hpp.
///
/// OpenAPI cannot tell "{a}" from "{b}", nor a segment from the rest of a path: of two routes of a
/// method that differ only there, the one that was added first is described.
///
/// The document is made when the service is, and is the same for all requests; it has an ETag. Making
/// the service throws `std::logic_error` if two routes were given the same `operation_id`.
app openapi_document(api_info);

/// An app that answers GET /docs with a page on which people read the document and try it out, to be
/// mounted beside `openapi_document`: with the same prefix, inside of the same middleware. Whoever
/// reaches it can send requests by it, as with any client: whether it is there in production is for
/// the program to say, and without this call it is not.
///
/// All of it comes from the program, which gets 2 MB larger, and its policy (CSP) lets it ask
/// this server only. Where apus was built without npm there is no renderer: the page then says so.
app openapi_page();

}  // namespace apus
