// SPDX-License-Identifier: Apache-2.0
#pragma once

// Pages of HTML from templates, which docs/templates.md describes. HTML that goes in as it is comes
// in safe_html.hpp.

#include <apus/detail/shared.hpp>
#include <apus/http.hpp>
#include <apus/safe_html.hpp>
#include <apus/schema.hpp>

namespace apus {

namespace detail {
class pages_folder;
struct bound_page_parts;

/// A template that is compiled for a type.
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

/// A template for models of one type: `return list(model);` in a handler answers 200 with a page of
/// text/html. Every value is escaped by where it stands; `safe_html` is not. Made by `pages`.
///
/// A page that would be longer than `pages::settings::longest` is a 500. Copies share what they
/// hold, and all belong to the core that made the `pages`.
template <schema_type Model>
class page {
public:
    result<response> operator()(const Model& model) const { return bound_.render(&model); }

private:
    friend class pages;
    explicit page(detail::bound_page bound) : bound_(std::move(bound)) {}

    detail::bound_page bound_;
};

/// The templates of a folder: its files that end in ".html", and those of folders in it, by their
/// names below it, such as "parts/row.html". Made in make_app, which reads and checks them, so a
/// mistake in a template keeps a server from starting. At most 1,000 files of 1 MiB each.
///
/// Throws `std::runtime_error` that names file, line, and what to do: for a folder or file that
/// cannot be read, a tag that is not closed, a file that is not there, and a value where no escaping
/// makes it safe.
class pages {
public:
    struct settings {
        /// Looks at the folder before each page and reads it again if a file has changed; what is
        /// wrong is then shown as a 500. For development: it blocks the loop while it looks.
        bool reload = false;
        std::size_t longest = 16 * 1024 * 1024;  ///< Of a page, in bytes.
    };

    explicit pages(std::string folder) : pages(std::move(folder), settings()) {}
    pages(std::string folder, settings);

    /// Compiles a template for a type. Throws `std::runtime_error` as above, also for a name that
    /// the type does not have, and a value that cannot be shown where it stands.
    template <schema_type Model>
    page<Model> bind(std::string_view name) const {
        return page<Model>(detail::bound_page(folder_, name, detail::schema_table<Model>));
    }

private:
    detail::shared<detail::bound_page, detail::pages_folder> folder_;
};

}  // namespace apus
