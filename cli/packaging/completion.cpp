// SPDX-License-Identifier: Apache-2.0
#include "cli/packaging/completion.hpp"

namespace apus::cli::packaging {

std::string bash_completion(const product& of) {
    return "_" + of.program +
           "() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]}\n"
           "    [[ $word == -* ]] || return\n"
           "    COMPREPLY=($(compgen -W \"$(\"$1\" --help 2>/dev/null </dev/null | sed -n 's/^ "
           "*\\(--[a-z][a-z-]*\\).*/\\1/p')\" -- \"$word\"))\n"
           "}\n"
           "complete -o default -F _" +
           of.program + " " + of.program + "\n";
}

std::string zsh_completion(const product& of) { return "#compdef " + of.program + "\n_arguments '*: :_default' --\n"; }

std::string fish_completion(const product& of) {
    return "complete -c " + of.program + " -n 'string match -q -- \"-*\" (commandline -ct)' -a \"(" + of.program +
           " --help 2>/dev/null </dev/null | string match -rg '^ *(--[a-z][a-z-]*)')\"\n";
}

}  // namespace apus::cli::packaging
