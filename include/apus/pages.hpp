// SPDX-License-Identifier: Apache-2.0
#pragma once

// HTML pages from templates. Template language: docs/templates.md. HTML inserted without escaping: safe_html.hpp.

#include <apus/detail/shared.hpp>
#include <apus/http.hpp>
#include <apus/safe_html.hpp>
#include <apus/schema.hpp>

namespace apus {

namespace detail {
class pages_folder;
struct bound_page_parts;

/// A template compiled for a type.
class bound_page {
public:
    bound_page(const shared<bound_page, pages_folder>& folder, std::string_view name, const schema::type& model);
    result<response> render(const void* model) const;

    static void keep(pages_folder*) noexcept;
    static void let_go(pages_folder*) noexcept;
    static void keep(bound_page_parts*) noexcept;
    static void let_go(bound_page_parts*) noexcept;

private:
    shared<bound_page, bound_page_parts> parts_;
};
}  // namespace detail

/// A template for models of one type, created by `pages::bind`.
/// A call such as `list(model)` returns a 200 with an HTML page. Every value is escaped for its context, except
/// `safe_html`.
///
/// If the page is longer than `pages_options::longest`, the call returns error 500. Copies share data and belong to the
/// core that created the `pages`.
template <schema_type Model>
class page {
public:
    result<response> operator()(const Model& model) const { return bound_.render(&model); }

private:
    friend class pages;
    explicit page(detail::bound_page bound) : bound_(std::move(bound)) {}

    detail::bound_page bound_;
};

/// Options of `pages`.
struct pages_options {
    /// Checks the folder before each page, and reloads changed templates.
    /// A template error gets 500. For development only: the check blocks the event loop.
    bool reload = false;
    std::size_t longest = 16 * 1024 * 1024;  ///< Maximum bytes of a page.
};

/// The templates of a folder: all files that end in ".html", recursively.
/// Names are relative, such as "parts/row.html". The constructor reads and checks the templates: create the object in
/// `make_app`, so that template errors prevent the start. At most 1,000 files of 1 MiB each.
///
/// Throws `std::runtime_error` with file, line and a suggested fix: for an unreadable folder or file, an unclosed tag,
/// a missing file, and a value in a context for which no escaping is safe.
class pages {
public:
    explicit pages(std::string folder) : pages(std::move(folder), pages_options()) {}
    pages(std::string folder, pages_options);

    /// Compiles a template for a type.
    /// Throws `std::runtime_error` like the constructor, also for a name that the type does not have, and for a value
    /// whose type is not allowed in its context.
    template <schema_type Model>
    page<Model> bind(std::string_view name) const {
        return page<Model>(detail::bound_page(folder_, name, detail::schema_table<Model>));
    }

private:
    detail::shared<detail::bound_page, detail::pages_folder> folder_;
};

}  // namespace apus
