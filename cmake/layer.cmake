# cbench_layer(NAME USES other layers… LIBS external targets…)
# makes the static library cbench_NAME from the folder's *.cc files and the test program
# NAME_test from its *_test.cc files. USES must equal the folder's line in src/layers.txt
# (tools/check-layers compares them).
include(GoogleTest)

function(cbench_layer NAME)
  cmake_parse_arguments(ARG "" "" "USES;LIBS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cc)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(TRANSFORM ARG_USES PREPEND cbench_)

  if(sources)
    add_library(cbench_${NAME} STATIC ${sources})
    target_link_libraries(cbench_${NAME} PUBLIC ${ARG_USES} ${ARG_LIBS} cbench_options)
  else()
    add_library(cbench_${NAME} INTERFACE)
    target_link_libraries(cbench_${NAME} INTERFACE ${ARG_USES} ${ARG_LIBS} cbench_options)
  endif()
  if(tests)
    add_executable(${NAME}_test ${tests})
    target_link_libraries(${NAME}_test PRIVATE cbench_${NAME} GTest::gmock GTest::gtest_main)
    target_compile_definitions(${NAME}_test PRIVATE
      CBENCH_SOURCE_DIR="${CMAKE_SOURCE_DIR}" CBENCH_BINARY="${CMAKE_BINARY_DIR}/cbench")
    gtest_discover_tests(${NAME}_test DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 120)
  endif()
endfunction()
