# SPDX-License-Identifier: GPL-3.0-or-later
# Three packages, one for each component: node, controller, commands.
set(here ${CMAKE_CURRENT_LIST_DIR})
set(made ${CMAKE_BINARY_DIR}/package_files)

set(SUBMIX_MAINTAINER "Submix maintainers <submix@submix.invalid>" CACHE STRING "Who answers for the packages")

# A later commit makes a later package.
set(SUBMIX_PACKAGE_VERSION ${PROJECT_VERSION})
string(TIMESTAMP SUBMIX_PACKAGE_DATE "%a, %d %b %Y %H:%M:%S +0000" UTC)
find_package(Git QUIET)
if(Git_FOUND)
  execute_process(COMMAND ${GIT_EXECUTABLE} log -1 --date=format:%Y%m%d%H%M --format=%cd.%h%n%cD
                  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE commit ERROR_QUIET)
  if(commit MATCHES "^([^\n]+)\n([^\n]+)")
    set(SUBMIX_PACKAGE_VERSION ${PROJECT_VERSION}+${CMAKE_MATCH_1})
    set(SUBMIX_PACKAGE_DATE ${CMAKE_MATCH_2})
  endif()
endif()
configure_file(${here}/changelog.in ${made}/changelog @ONLY)

# Manual pages and the changelog: only packages need them, and help2man.
add_custom_target(package_files
  COMMAND gzip -9nkf ${made}/changelog
  COMMENT "Compressing the changelog")

# submix_manual(submix-node node "runs a performer's part of a show")
function(submix_manual program component summary)
  set(page ${made}/${program}.1)
  add_custom_command(OUTPUT ${page}.gz
    COMMAND help2man --no-info --section=1 --name=${summary} --version-string=${PROJECT_VERSION}
            --include=${here}/${component}/${program}.h2m --output=${page} $<TARGET_FILE:${program}>
    COMMAND gzip -9nf ${page}
    DEPENDS ${program} ${here}/${component}/${program}.h2m
    VERBATIM)
  add_custom_target(${program}.1 DEPENDS ${page}.gz)
  add_dependencies(package_files ${program}.1)
  install(FILES ${page}.gz DESTINATION share/man/man1 COMPONENT ${component})
endfunction()

# submix_package(node submix-node SUMMARY … TEXT … DEPENDS … RECOMMENDS … SUGGESTS … SECTION … CONTROL …)
macro(submix_package component package)
  cmake_parse_arguments(ARG "" "SUMMARY;TEXT;SECTION" "DEPENDS;RECOMMENDS;SUGGESTS;CONTROL" ${ARGN})
  string(TOUPPER ${component} upper)
  list(JOIN ARG_DEPENDS ", " CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS)
  list(JOIN ARG_RECOMMENDS ", " CPACK_DEBIAN_${upper}_PACKAGE_RECOMMENDS)
  list(JOIN ARG_SUGGESTS ", " CPACK_DEBIAN_${upper}_PACKAGE_SUGGESTS)
  list(TRANSFORM ARG_CONTROL PREPEND ${here}/${component}/ OUTPUT_VARIABLE CPACK_DEBIAN_${upper}_PACKAGE_CONTROL_EXTRA)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${package})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${ARG_SECTION})
  set(CPACK_DEBIAN_${upper}_PACKAGE_CONTROL_STRICT_PERMISSION ON)
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${ARG_SUMMARY}\n${about}\n${ARG_TEXT}")
  list(APPEND CPACK_COMPONENTS_ALL ${component})
  install(FILES ${here}/copyright ${made}/changelog.gz DESTINATION share/doc/${package} COMPONENT ${component})
  if(EXISTS ${here}/${component}/lintian-overrides)
    install(FILES ${here}/${component}/lintian-overrides DESTINATION share/lintian/overrides RENAME ${package}
            COMPONENT ${component})
  endif()
endmacro()

# submix_service(node submix-node): its units and its settings
function(submix_service component service)
  install(FILES ${here}/${component}/${service}.service DESTINATION lib/systemd/system COMPONENT ${component})
  install(FILES ${here}/${component}/${service}.user.service DESTINATION lib/systemd/user RENAME ${service}.service
          COMPONENT ${component})
  install(FILES ${here}/${component}/default DESTINATION /etc/default RENAME ${service} COMPONENT ${component})
endfunction()

set(about [[
Submix turns several PCs into one machine for live visuals. Each performer's
PC renders a chain of plugins and streams the pictures, uncompressed and over
every network card at once, to the PC that mixes and shows them.
]])
set(CPACK_COMPONENTS_ALL)

submix_package(node submix-node
  SUMMARY "live visuals on several PCs - the part that renders and streams"
  TEXT [[
This package has the program of each performer's PC and of the PC that mixes,
the programs that it starts, and a service.]]
  SECTION video
  RECOMMENDS "libgl1-mesa-dri"
  SUGGESTS "fonts-noto-cjk" # for texts in Chinese, Japanese or Korean
  DEPENDS "frei0r-plugins" "systemd | systemd-standalone-sysusers | systemd-sysusers"
  CONTROL conffiles postinst prerm postrm)
submix_service(node submix-node)
submix_manual(submix-node node "renders and streams a performer's part of a show")
install(FILES ${here}/node/sysusers.conf DESTINATION lib/sysusers.d RENAME submix.conf COMPONENT node)
install(FILES ${here}/node/limits.conf DESTINATION /etc/security/limits.d RENAME submix.conf COMPONENT node)
install(FILES ${here}/README.md DESTINATION share/doc/submix-node COMPONENT node)

submix_package(controller submix-controller
  SUMMARY "live visuals on several PCs - the window"
  TEXT [[
This package has the window: what runs where, what flows, who waits for whom,
and the mixer.]]
  SECTION video
  DEPENDS "fonts-inter" "fonts-dejavu-core" "fonts-jetbrains-mono"
  RECOMMENDS "submix-node (= ${SUBMIX_PACKAGE_VERSION})" "nats-server" "xdg-utils"
  SUGGESTS "fonts-noto-cjk") # for names in Chinese, Japanese or Korean
submix_manual(submix-controller controller "the window of a show of live visuals")
install(FILES ${here}/controller/submix-controller.desktop DESTINATION share/applications COMPONENT controller)
install(FILES ${here}/controller/submix.svg DESTINATION share/icons/hicolor/scalable/apps COMPONENT controller)
install(FILES ${here}/controller/submix.xml DESTINATION share/mime/packages COMPONENT controller)
install(FILES ${PROJECT_SOURCE_DIR}/configs/plugins/plugins.jpg ${PROJECT_SOURCE_DIR}/configs/plugins/plugins.txt
        DESTINATION share/submix/plugins COMPONENT controller)

submix_package(commands submix
  SUMMARY "live visuals on several PCs - the command line"
  TEXT [[
This package has the commands, a demo, a service for the NATS server, and the
program that measures streams.]]
  SECTION video
  DEPENDS "submix-node (= ${SUBMIX_PACKAGE_VERSION})" "nats-server" "ffmpeg"
  RECOMMENDS "submix-controller (= ${SUBMIX_PACKAGE_VERSION})" "avahi-daemon"
  CONTROL conffiles postinst prerm postrm)
submix_service(commands submix-nats)
submix_manual(submix commands "steers a show of live visuals")
submix_manual(submix-throughput commands "measures streams of frames")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/configs/shows DESTINATION share/submix COMPONENT commands)
install(FILES ${PROJECT_SOURCE_DIR}/configs/README.md ${PROJECT_SOURCE_DIR}/controller/cli/COMMANDS.md
        DESTINATION share/doc/submix COMPONENT commands)
install(FILES ${PROJECT_SOURCE_DIR}/controller/cli/submix.bash DESTINATION share/bash-completion/completions
        RENAME submix COMPONENT commands)

set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_SET_DESTDIR ON) # some files are outside /usr
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_PACKAGE_VERSION ${SUBMIX_PACKAGE_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER ${SUBMIX_MAINTAINER})
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
include(CPack)
