// SPDX-License-Identifier: Apache-2.0
#include "cli/packaging/scripts.hpp"

#include <string_view>
#include <utility>

namespace apus::cli::packaging {

namespace {

// Replaces @NAME@ and @USER@ in a template.
std::string filled(std::string_view text, const product& of) {
    std::string made(text);
    for (const auto& [mark, value] :
         {std::pair<std::string_view, const std::string&>{"@NAME@", of.name}, {"@USER@", of.user}})
        for (std::size_t at; (at = made.find(mark)) != made.npos;) made.replace(at, mark.size(), value);
    return made;
}

// Lines that create the service's user and data folder, for both formats.
constexpr std::string_view make_user = R"(systemd-sysusers @NAME@.conf
if command -v systemd-tmpfiles >/dev/null; then
    systemd-tmpfiles --create @NAME@.conf || true
else
    install -d -o @USER@ -g @USER@ -m 0750 /var/lib/@NAME@
fi
)";

}  // namespace

std::string deb_postinst(const product& of) {
    return filled(
        "#!/bin/sh\nset -e\ncase \"$1\" in\n    configure|abort-upgrade|abort-deconfigure|abort-remove) ;;\n    *) "
        "exit 0 ;;\nesac\n" +
            std::string(make_user) +
            R"(if command -v deb-systemd-helper >/dev/null; then
    deb-systemd-helper unmask @NAME@.service >/dev/null || true
    if deb-systemd-helper --quiet was-enabled @NAME@.service; then
        deb-systemd-helper enable @NAME@.service >/dev/null || true
    else
        deb-systemd-helper update-state @NAME@.service >/dev/null || true
    fi
fi
if [ -d /run/systemd/system ]; then
    systemctl --system daemon-reload >/dev/null || true
    if [ -n "$2" ]; then action=restart; else action=start; fi
    deb-systemd-invoke $action @NAME@.service >/dev/null || true
fi
)",
        of);
}

std::string deb_prerm(const product& of) {
    return filled(R"(#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
    deb-systemd-invoke stop @NAME@.service >/dev/null || true
fi
)",
                  of);
}

std::string deb_postrm(const product& of) {
    return filled(R"(#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
    systemctl --system daemon-reload >/dev/null || true
fi
if command -v deb-systemd-helper >/dev/null; then
    if [ "$1" = remove ]; then
        deb-systemd-helper mask @NAME@.service >/dev/null || true
    elif [ "$1" = purge ]; then
        deb-systemd-helper purge @NAME@.service >/dev/null || true
        deb-systemd-helper unmask @NAME@.service >/dev/null || true
    fi
fi
)",
                  of);
}

std::string rpm_scripts(const product& of) {
    return filled("%post\n" + std::string(make_user) + R"(if command -v systemctl >/dev/null; then
    systemctl --no-reload preset @NAME@.service >/dev/null 2>&1 || :
    if [ -d /run/systemd/system ]; then
        systemctl daemon-reload || :
        if [ $1 -gt 1 ]; then systemctl try-restart @NAME@.service || :; fi
    fi
fi

%preun
if [ $1 -eq 0 ] && command -v systemctl >/dev/null; then
    systemctl --no-reload disable @NAME@.service >/dev/null 2>&1 || :
    if [ -d /run/systemd/system ]; then systemctl stop @NAME@.service || :; fi
fi

%postun
if [ -d /run/systemd/system ]; then systemctl daemon-reload || :; fi
)",
                  of);
}

}  // namespace apus::cli::packaging
