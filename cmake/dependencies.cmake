# Every system library, in one place; the Debian packages are in packaging/apt.txt.
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(fmt 9 REQUIRED)                # text formatting (std::format is missing in GCC 12)
find_package(tl-expected 1.0 REQUIRED)      # Result<T>
find_package(nlohmann_json 3.11 REQUIRED)   # records, summaries, wire bodies
find_package(yaml-cpp 0.7 REQUIRED)         # scenarios, recipes
find_package(CLI11 2.1 REQUIRED)            # command line
find_package(CURL 7.88 REQUIRED)            # HTTP client
find_package(PNG 1.6 REQUIRED)              # images
find_package(ZLIB 1.2.13 REQUIRED)          # traces are gzip files
find_package(SQLite3 3.40 REQUIRED)         # full-text search of the research app
find_package(GTest 1.12 REQUIRED)
find_package(benchmark 1.7 REQUIRED)
pkg_check_modules(HTTPLIB REQUIRED IMPORTED_TARGET cpp-httplib)  # HTTP server
pkg_check_modules(SNDFILE REQUIRED IMPORTED_TARGET sndfile)      # audio files
pkg_check_modules(SAMPLERATE REQUIRED IMPORTED_TARGET samplerate)  # audio at any rate
