# SPDX-License-Identifier: Apache-2.0
# Run by `cmake --install`: installs the manual pages and completions that the tool prints.

set(share "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/${apus_share}")
set(pages "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/${apus_pages}")
message(STATUS "Installing: manual pages and completions")
file(MAKE_DIRECTORY ${pages})
execute_process(COMMAND ${apus_tool} --quiet manual --all ${pages} COMMAND_ERROR_IS_FATAL ANY)
foreach(where
    bash:bash-completion/completions/apus zsh:zsh/site-functions/_apus fish:fish/vendor_completions.d/apus.fish)
  string(REGEX REPLACE ":.*" "" shell ${where})
  string(REGEX REPLACE ".*:" "" path ${where})
  get_filename_component(folder ${share}/${path} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  execute_process(COMMAND ${apus_tool} completion ${shell} OUTPUT_FILE ${share}/${path} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
