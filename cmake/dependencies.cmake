# Libraries without Qt, found once so that every folder sees the same targets.
find_package(Threads REQUIRED)

if(NOT CMAKE_CROSSCOMPILING)
  find_package(ZLIB REQUIRED)
  find_package(fmt REQUIRED)
  find_package(spdlog REQUIRED)
  find_package(tsl-robin-map REQUIRED)
  find_package(nlohmann_json REQUIRED)
  find_package(CLI11 REQUIRED)
  add_library(protozero INTERFACE) # headers alone
  if(NOT WIN32) # WinHTTP and DbgHelp there
    find_package(CURL REQUIRED)
    find_library(HIGHWATER_ZSTD zstd REQUIRED) # there is none for mingw-w64: such files are refused with a sentence
    find_package(LLVM 19.1 REQUIRED CONFIG) # its interface differs from release to release
  endif()
  return()
endif()

# Cross build: headers alone are the same for every system, so this system's packages do. Their folder as a whole must
# not be searched (it holds this system's C library): a folder of links to just them is.
set(ZLIB_USE_STATIC_LIBS ON)
find_package(ZLIB REQUIRED)
set(links ${PROJECT_BINARY_DIR}/header_links)
file(MAKE_DIRECTORY ${links})
foreach(header fmt spdlog tsl nlohmann CLI protozero)
  find_path(${header}_PARENT ${header} PATHS /usr/include NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED)
  file(CREATE_LINK ${${header}_PARENT}/${header} ${links}/${header} SYMBOLIC)
endforeach()
foreach(target fmt::fmt spdlog::spdlog_header_only tsl::robin_map nlohmann_json::nlohmann_json CLI11::CLI11 protozero)
  add_library(${target} INTERFACE IMPORTED)
  target_include_directories(${target} SYSTEM INTERFACE ${links})
endforeach()
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY=1)
target_compile_definitions(spdlog::spdlog_header_only INTERFACE SPDLOG_FMT_EXTERNAL=1)
target_link_libraries(spdlog::spdlog_header_only INTERFACE fmt::fmt)
