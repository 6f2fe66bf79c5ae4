# Warnings (errors in our code only), sanitizers chosen by -DCBENCH_SANITIZE, ccache when there.
option(CBENCH_WERROR "Treat warnings as errors" ON)
set(CBENCH_SANITIZE "" CACHE STRING "Sanitizers for our code, e.g. address,undefined or thread")

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
endif()

add_library(cbench_options INTERFACE)
target_include_directories(cbench_options INTERFACE ${CMAKE_SOURCE_DIR}/src)
target_compile_options(cbench_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wold-style-cast
  -Wnon-virtual-dtor -Woverloaded-virtual -Wnull-dereference
  $<$<BOOL:${CBENCH_WERROR}>:-Werror>)
if(CBENCH_SANITIZE)
  # GCC's sanitizers make the flow analysis behind these two warnings guess wrong.
  add_compile_options(-fsanitize=${CBENCH_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=all -Wno-null-dereference -Wno-maybe-uninitialized)
  add_link_options(-fsanitize=${CBENCH_SANITIZE})
endif()
