# SPDX-License-Identifier: GPL-3.0-or-later
# How this project says "library", "program" and "test". One way for each.

# GCC 12 warns of `"text" + std::to_string(…)` as an overlapping copy, wrongly (its bug 105651): -Wno-restrict.
# GCC 13 and later warn of what a moved std::variant does not hold as uninitialised: -Wno-maybe-uninitialized.
# Clang 19 blames what GCC's library uses itself: -Wno-deprecated-declarations. It sees names of one joined source
# shadow those of another: -Wno-shadow.
add_library(submix_warnings INTERFACE)
target_compile_options(submix_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast -Wnon-virtual-dtor
  -Woverloaded-virtual -Wimplicit-fallthrough $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_GREATER_EQUAL:$<CXX_COMPILER_VERSION>,13>>:-Wno-maybe-uninitialized>
  $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations> $<$<AND:$<CXX_COMPILER_ID:Clang>,$<BOOL:${SUBMIX_UNITY}>>:-Wno-shadow>
  $<$<BOOL:${SUBMIX_WERROR}>:-Werror>)

if(SUBMIX_SANITIZE)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL Clang) # GCC takes twice the time, and warns of correct code through its checks
    message(FATAL_ERROR "SUBMIX_SANITIZE needs Clang; use the presets asan and tsan in a new build folder")
  endif()
  add_compile_options(-pthread -fsanitize=${SUBMIX_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${SUBMIX_SANITIZE})
  string(REGEX MATCH "address|thread" sanitizer "${SUBMIX_SANITIZE}")
  if(sanitizer) # later versions of Clang define this themselves
    string(TOUPPER ${sanitizer} sanitizer)
    add_compile_definitions(__SANITIZE_${sanitizer}__=1)
  endif()
  # These programs are large: GNU ld takes 15 s for one, mold 2 s.
  find_program(SUBMIX_MOLD mold)
  if(SUBMIX_MOLD)
    add_link_options(-fuse-ld=mold)
  endif()
endif()

# Precompiled headers of the standard library and of GoogleTest, for the sanitizers' builds: a quarter of their time.
# The release build has none, so that each source must name what it uses.
function(submix_precompile name)
  cmake_parse_arguments(ARG "" "" "HEADERS;DEPENDS" ${ARGN})
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/${name}.cpp CONTENT "")
  add_library(${name} OBJECT ${CMAKE_BINARY_DIR}/${name}.cpp)
  target_link_libraries(${name} PRIVATE submix_warnings ${ARG_DEPENDS})
  target_precompile_headers(${name} PRIVATE ${ARG_HEADERS})
endfunction()

# Compiles up to `batch` sources together (empty: 36): the headers they share are read once. ALONE are those that cannot.
function(submix_unite target batch)
  if(NOT batch)
    set(batch 36)
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${SUBMIX_UNITY} UNITY_BUILD_BATCH_SIZE ${batch})
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  if(SUBMIX_UNITY) # GCC takes the unnamed namespaces of included sources for those of headers
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
endfunction()

if(SUBMIX_UNITY) # a program gets the functions it uses, not all of a batch
  add_compile_options(-ffunction-sections -fdata-sections)
  add_link_options(LINKER:--gc-sections)
  # GCC collects its garbage from half a gigabyte on: a sixth more of memory (1.4 GB), an eighth less of time.
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=500000>)
endif()

function(submix_use_precompiled target name)
  if(TARGET ${name})
    target_precompile_headers(${target} REUSE_FROM ${name})
  endif()
endfunction()

if(SUBMIX_SANITIZE)
  set(standard_headers <algorithm> <array> <atomic> <chrono> <cmath> <cstdint> <filesystem> <functional> <map> <memory>
      <mutex> <optional> <set> <span> <string> <string_view> <thread> <utility> <variant> <vector>)
  submix_precompile(submix_precompiled HEADERS ${standard_headers})
  submix_precompile(submix_precompiled_tests HEADERS ${standard_headers} <gmock/gmock.h> <gtest/gtest.h> DEPENDS GTest::gmock)
endif()

# submix_library(media HEADERS a.hpp … SOURCES a.cpp … DEPENDS submix::base … PRIVATE_DEPENDS PkgConfig::SWSCALE … [BATCH sources])
# Makes the target submix_media with the alias submix::media; headers are included from the project's
# root ("common/media/frame.hpp"). Those that have a source are its first include (tests/architecture), so that they
# compile on their own; the others are checked to.
function(submix_library name)
  cmake_parse_arguments(ARG "" "BATCH" "HEADERS;SOURCES;ALONE;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  if(ARG_SOURCES)
    add_library(submix_${name} STATIC)
    set(scope PUBLIC)
    target_sources(submix_${name} PRIVATE ${ARG_SOURCES})
    target_link_libraries(submix_${name} PRIVATE submix_warnings ${ARG_PRIVATE_DEPENDS})
    submix_unite(submix_${name} "${ARG_BATCH}" ${ARG_ALONE})
    submix_use_precompiled(submix_${name} submix_precompiled)
  else()
    add_library(submix_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(submix::${name} ALIAS submix_${name})
  set(lone_headers ${ARG_HEADERS})
  foreach(source ${ARG_SOURCES})
    string(REGEX REPLACE "\\.cpp$" ".hpp" header ${source})
    list(REMOVE_ITEM lone_headers ${header})
  endforeach()
  target_sources(submix_${name} ${scope}
    FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${ARG_HEADERS}
    FILE_SET lone_headers TYPE HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${lone_headers})
  set_target_properties(submix_${name} PROPERTIES INTERFACE_HEADER_SETS_TO_VERIFY lone_headers)
  target_link_libraries(submix_${name} ${scope} ${ARG_DEPENDS})
endfunction()

# submix_program(submix-node SOURCES main.cpp … DEPENDS submix::agent …)
function(submix_program name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  submix_unite(${name} "")
  target_link_libraries(${name} PRIVATE submix_warnings ${ARG_DEPENDS})
endfunction()

# All programs of the label unit: what the sanitizers need, and no more.
add_custom_target(unit_tests)

# submix_test(media SOURCES frame_test.cpp … DEPENDS submix::media … [LABEL unit|system|gui] [TIMEOUT seconds] [COST seconds] [ONE_THREAD] [PATIENT tests:…] [BATCH sources])
# One program for a folder of tests. Label unit (the default): no show of several processes, no display, no NATS;
# the whole program is one of ctest's tests. These also run under the sanitizers, but for the thread sanitizer where there is ONE_THREAD only.
# Labels system and gui: real processes, run one at a time. PATIENT: a GoogleTest filter of those that run beside others, because nothing in them must be on time; `*:-A.*:B.*` is all but A and B.
# BATCH: how many sources are compiled together where names of more would meet.
# COST: about how long a long one takes with sanitizers, so that it starts first.
function(submix_test name)
  cmake_parse_arguments(ARG "ONE_THREAD" "BATCH;LABEL;TIMEOUT;COST;PATIENT" "SOURCES;ALONE;DEPENDS" ${ARGN})
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "submix_test(${name}): what is ${ARG_UNPARSED_ARGUMENTS}?")
  endif()
  if(NOT ARG_LABEL)
    set(ARG_LABEL unit)
  endif()
  if(NOT ARG_COST)
    set(ARG_COST 0)
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  add_executable(${name}_test ${ARG_SOURCES})
  submix_unite(${name}_test "${ARG_BATCH}" ${ARG_ALONE})
  if(SUBMIX_SANITIZE)
    target_sources(${name}_test PRIVATE ${PROJECT_SOURCE_DIR}/tests/support/sanitizer.cpp)
  endif()
  # Tests are not measured, and -Og compiles them in seven tenths of the time of -O1. With it, GCC 12 warns wrongly of a
  # std::stop_source.
  target_compile_options(${name}_test PRIVATE $<$<CONFIG:Release>:-Og>
    $<$<AND:$<CONFIG:Release>,$<CXX_COMPILER_ID:GNU>>:-Wno-maybe-uninitialized>)
  set_target_properties(${name}_test PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_link_libraries(${name}_test PRIVATE submix_warnings submix::test_support GTest::gmock GTest::gtest_main
                                             ${ARG_DEPENDS})
  submix_use_precompiled(${name}_test submix_precompiled_tests)
  if(ARG_ONE_THREAD AND SUBMIX_SANITIZE MATCHES thread)
    return()
  endif()
  if(ARG_LABEL STREQUAL unit) # each test in a process of its own would take three times the CPU time
    add_dependencies(unit_tests ${name}_test)
    add_test(NAME ${name} COMMAND ${name}_test --gtest_brief=1)
    set(timeout 600)
    if(SUBMIX_SANITIZE) # they take several times as long
      set(timeout 1800)
    endif()
    set_tests_properties(${name} PROPERTIES LABELS unit TIMEOUT ${timeout} COST "${ARG_COST}")
    return()
  endif()
  if(SUBMIX_SANITIZE)
    return()
  endif()
  include(GoogleTest)
  set(discover ${name}_test TEST_PREFIX ${name}: DISCOVERY_MODE PRE_TEST)
  set(properties LABELS ${ARG_LABEL} TIMEOUT ${ARG_TIMEOUT})
  if(ARG_PATIENT)
    gtest_discover_tests(${discover} TEST_FILTER ${ARG_PATIENT} PROPERTIES ${properties})
  endif()
  if(NOT ARG_PATIENT STREQUAL "*")
    if(ARG_PATIENT MATCHES "^\\*:-(.+)$")
      set(hasty "${CMAKE_MATCH_1}")
    else()
      set(hasty "-${ARG_PATIENT}")
    endif()
    gtest_discover_tests(${discover} TEST_FILTER ${hasty} PROPERTIES ${properties} RUN_SERIAL TRUE)
  endif()
endfunction()
