// SPDX-License-Identifier: Apache-2.0
#pragma once

// OpenAPI 3.1 documents, generated from an app's routes and from the parameter and return types of its handlers. Also a
// page that shows the document and can send requests.

#include <apus/app.hpp>

#include <string>

namespace apus {

/// General information about the service.
struct openapi_info {
    std::string title;             ///< Title of the service.
    std::string version;           ///< Version of the service, not of OpenAPI, such as "1.4.0".
    std::string description = {};  ///< Text of any length, in CommonMark.
};

/// Returns an app that serves the API description at GET /openapi.json.
/// It describes the app that mounts it, including other mounted apps: `app.mount(apus::openapi_document({.title =
/// "Todos", .version = "1"}))`. If the app is mounted with a prefix, the path begins with the prefix. Middleware around
/// the mounted app applies.
///
/// The description of a route has its path with the types of its captures, the fields of a `query<T>` with their
/// constraints, the request body, the response, and the errors that these types can cause. Other errors are the
/// `default` response, a problem document (RFC 9457). The return type `response` is described as any content. Schemas
/// have the names of types, without namespaces; the second of two types with the same name gets a number. `route_note`
/// adds text and can hide routes. Folders of files are not described. HEAD and OPTIONS are described only if the
/// program adds routes for them. Security requirements (`security`, 401 and 403) are described if middleware declares
/// them: security_note.hpp.
///
/// OpenAPI cannot distinguish "{a}" from "{b}", nor a segment from the rest of a path: if two routes of a method differ
/// only in such captures, only the route that was added first is described.
///
/// The document is created with the service, and is the same for all requests. The response has an ETag. If two routes
/// have the same `operation_id`, creating the service throws `std::logic_error`.
app openapi_document(openapi_info);

/// Returns an app with a page at GET /docs that shows the API description and can send requests.
/// Mount it next to `openapi_document`: with the same prefix, inside the same middleware. Users of the page can send
/// any request, as with any client. Decide whether to mount it in production.
///
/// The files of the page are part of the program, which grows by 2 MB. The Content-Security-Policy of the page allows
/// requests to this server only. If Apus was built without npm, the page only reports that its renderer is missing.
app openapi_page();

}  // namespace apus
