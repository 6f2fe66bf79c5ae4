# Warnings (errors in our code only), sanitizers chosen by -DCBENCH_SANITIZE, ccache when there.
option(CBENCH_WERROR "Treat warnings as errors" ON)
set(CBENCH_SANITIZE "" CACHE STRING "Sanitizers for our code, e.g. address,undefined or thread")
option(CBENCH_FUZZ "Make libFuzzer programs of fuzz/ (clang only); see tools/fuzz" OFF)

# -O2, not CMake's -O3: the harness waits more than it computes. Tests and the command line get
# -O1: they are compiled more often than they run.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_CXX_FLAGS_SANITIZE "-O1 -g1")  # lines in stack traces, half of -O2 -g's compile time
set(CBENCH_LIGHT_OPTIMISATION $<$<CONFIG:Release>:-O1>)

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # The two kinds of sloppiness are what ccache asks for with precompiled headers.
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)  # ccache needs it too
endif()

add_library(cbench_options INTERFACE)
target_include_directories(cbench_options INTERFACE ${CMAKE_SOURCE_DIR}/src)
target_compile_options(cbench_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wold-style-cast
  -Wnon-virtual-dtor -Woverloaded-virtual -Wnull-dereference
  $<$<BOOL:${CBENCH_WERROR}>:-Werror>)
if(CBENCH_SANITIZE)
  # GCC's sanitizers make the flow analysis behind these warnings guess wrong. After those above,
  # since of -Wx and -Wno-x the last one counts.
  target_compile_options(cbench_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-null-dereference>
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endif()
set(CBENCH_UNIT_TIMEOUT 120)  # seconds a test may take; none gets near it
set(CBENCH_E2E_TIMEOUT 300)
if(CBENCH_SANITIZE)
  # Instrumented code takes about seven times as long, and a neighbour on the machine may double that.
  math(EXPR CBENCH_UNIT_TIMEOUT "5 * ${CBENCH_UNIT_TIMEOUT}")
  math(EXPR CBENCH_E2E_TIMEOUT "5 * ${CBENCH_E2E_TIMEOUT}")
  add_compile_options(-fsanitize=${CBENCH_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${CBENCH_SANITIZE})
endif()
if(CBENCH_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)  # counts the branches taken, in our code too
endif()
