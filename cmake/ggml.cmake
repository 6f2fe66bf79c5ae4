# ggml, llama.cpp and whisper.cpp.
#   npm    (default) prebuilt libraries and sources out of node_modules/, headers out of the
#          git bundle that tools/setup unpacks into third_party/llama.cpp; no download here
#   system find_package(ggml, llama, whisper)
# Either way: targets cbench_llama and cbench_whisper, and CBENCH_GGML_DIR, the folder that
# holds ggml's loadable backends.
set(CBENCH_GGML npm CACHE STRING "Where ggml, llama.cpp and whisper.cpp come from: npm or system")
set_property(CACHE CBENCH_GGML PROPERTY STRINGS npm system)

add_library(cbench_llama INTERFACE)
if(CBENCH_GGML STREQUAL "system")
  find_package(ggml REQUIRED)
  find_package(llama REQUIRED)
  find_package(whisper REQUIRED)
  target_link_libraries(cbench_llama INTERFACE llama ggml::ggml)
  add_library(cbench_whisper INTERFACE)
  target_link_libraries(cbench_whisper INTERFACE whisper ggml::ggml)
  set(CBENCH_GGML_DIR "${GGML_LIB_DIR}")
  return()
endif()

set(npm ${CMAKE_SOURCE_DIR}/node_modules)
set(CBENCH_GGML_DIR ${npm}/@node-llama-cpp/linux-x64/bins/linux-x64)
set(CBENCH_VOCAB_DIR ${CMAKE_SOURCE_DIR}/third_party/llama.cpp/models)
set(whisper ${npm}/nodejs-whisper/cpp/whisper.cpp)
foreach(path ${CBENCH_GGML_DIR}/libggml-base.so ${whisper}/src/whisper.cpp
        ${CMAKE_SOURCE_DIR}/third_party/llama.cpp/include/llama.h)
  if(NOT EXISTS ${path})
    message(FATAL_ERROR "${path} is missing: run 'make setup' first, or use -DCBENCH_GGML=system")
  endif()
endforeach()

target_include_directories(cbench_llama SYSTEM INTERFACE
  ${CMAKE_SOURCE_DIR}/third_party/llama.cpp/include
  ${CMAKE_SOURCE_DIR}/third_party/llama.cpp/ggml/include)
target_link_libraries(cbench_llama INTERFACE
  ${CBENCH_GGML_DIR}/libllama.v0.4.0.so ${CBENCH_GGML_DIR}/libggml.v0.4.0.so
  ${CBENCH_GGML_DIR}/libggml-base.so)

# whisper.cpp is one translation unit, built against the same ggml.
add_library(cbench_whisper STATIC EXCLUDE_FROM_ALL ${whisper}/src/whisper.cpp)
target_include_directories(cbench_whisper SYSTEM PUBLIC ${whisper}/include PRIVATE ${whisper}/src)
target_compile_definitions(cbench_whisper PRIVATE WHISPER_VERSION="1.9.1"
  ggml_backend_init_by_type=cbench_whisper_backend)  # src/embedded/speech_backend.h says why
target_compile_options(cbench_whisper PRIVATE -w)
target_link_libraries(cbench_whisper PUBLIC cbench_llama Threads::Threads)
