# cbench_layer(NAME USES other layers… LIBS external targets… [PRECOMPILE headers…])
# makes the static library cbench_NAME from the folder's *.cc files and the test program
# NAME_test from its *_test.cc files. USES must equal the folder's line in src/layers.txt
# (tools/check-layers compares them).
#
# All layers share one precompiled header, all tests another, made with the first of each. A layer
# whose every file reads one more slow header names it by PRECOMPILE and gets its own.
include(GoogleTest)

function(cbench_precompile LIBRARY FIRST)
  if("${LIBRARY}" STREQUAL "${FIRST}")
    target_precompile_headers(${LIBRARY} PRIVATE ${ARGN})
  else()
    target_precompile_headers(${LIBRARY} REUSE_FROM ${FIRST})
  endif()
endfunction()

function(cbench_layer NAME)
  cmake_parse_arguments(ARG "" "" "USES;LIBS;PRECOMPILE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cc)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(TRANSFORM ARG_USES PREPEND cbench_)

  if(sources)
    add_library(cbench_${NAME} STATIC ${sources})
    target_link_libraries(cbench_${NAME} PUBLIC ${ARG_USES} ${ARG_LIBS} cbench_options)
    if(ARG_PRECOMPILE)
      target_precompile_headers(cbench_${NAME} PRIVATE
        ${CMAKE_SOURCE_DIR}/src/base/precompiled.h ${ARG_PRECOMPILE})
    else()
      cbench_precompile(cbench_${NAME} cbench_base ${CMAKE_SOURCE_DIR}/src/base/precompiled.h)
    endif()
  else()
    add_library(cbench_${NAME} INTERFACE)
    target_link_libraries(cbench_${NAME} INTERFACE ${ARG_USES} ${ARG_LIBS} cbench_options)
  endif()
  if(tests)
    add_executable(${NAME}_test ${tests})
    target_link_libraries(${NAME}_test PRIVATE cbench_${NAME} GTest::gmock GTest::gtest_main)
    target_compile_definitions(${NAME}_test PRIVATE
      CBENCH_SOURCE_DIR="${CMAKE_SOURCE_DIR}" CBENCH_BINARY="${CMAKE_BINARY_DIR}/cbench")
    target_compile_options(${NAME}_test PRIVATE ${CBENCH_LIGHT_OPTIMISATION})
    cbench_precompile(${NAME}_test base_test ${CMAKE_SOURCE_DIR}/src/base/precompiled.h
      <gmock/gmock.h> <gtest/gtest.h>)
    gtest_discover_tests(${NAME}_test DISCOVERY_TIMEOUT 60
      PROPERTIES TIMEOUT ${CBENCH_UNIT_TIMEOUT})
  endif()
endfunction()
