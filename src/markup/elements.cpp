// SPDX-License-Identifier: Apache-2.0
#include "markup/elements.hpp"

#include "base/ascii.hpp"

#include <algorithm>

namespace apus::markup {
namespace {

template <std::size_t N>
bool is_one_of(std::string_view name, const std::string_view (&names)[N]) {
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

constexpr std::string_view raw[] = {"style", "xmp", "iframe", "noembed", "noframes", "plaintext"};

constexpr std::string_view addresses[] = {"action", "archive",    "background", "cite", "classid",  "codebase",
                                          "data",   "formaction", "href",       "icon", "longdesc", "manifest",
                                          "ping",   "poster",     "profile",    "src",  "usemap",   "xlink:href"};

// Elements that execute or embed a URL, or change the base of other URLs.
constexpr std::string_view runs[] = {"script", "iframe", "frame", "embed", "object", "applet", "base", "link"};

// Attributes that contain a page, a style or a list of URLs, or change the meaning of other attributes.
constexpr std::string_view refused[] = {"srcdoc",     "style",   "srcset",       "imagesrcset",
                                        "http-equiv", "sandbox", "attributename"};

// SVG animation elements. Their attributes contain values for attributes of other elements.
constexpr std::string_view animations[] = {"animate", "set", "animatemotion", "animatetransform"};

constexpr std::string_view scripts[] = {"",
                                        "module",
                                        "importmap",
                                        "speculationrules",
                                        "text/javascript",
                                        "application/javascript",
                                        "text/ecmascript",
                                        "application/ecmascript",
                                        "application/json",
                                        "application/ld+json"};

}  // namespace

element kind_of_element(std::string_view tag) noexcept {
    if (tag == "script") return element::script;
    if (tag == "title" || tag == "textarea") return element::title;
    return is_one_of(tag, raw) ? element::raw : element::plain;
}

attribute kind_of_attribute(std::string_view tag, std::string_view name) noexcept {
    if (name.starts_with("on") || is_one_of(name, refused) || is_one_of(tag, animations)) return attribute::refused;
    if (tag == "script" && (name == "type" || name == "language")) return attribute::refused;
    if (tag == "meta" && name == "charset") return attribute::refused;
    const bool own = name.starts_with("data-");
    const bool named_so =
        own && (name.contains("url") || name.contains("uri") || name.contains("src") || name.contains("href"));
    if (!named_so && !is_one_of(name, addresses)) return attribute::plain;
    return !own && is_one_of(tag, runs) ? attribute::fixed_host_url : attribute::url;
}

bool is_script_type(std::string_view type) noexcept {
    return std::any_of(std::begin(scripts), std::end(scripts),
                       [&](std::string_view known) { return base::equal_ignoring_case(type, known); });
}

}  // namespace apus::markup
