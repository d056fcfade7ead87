# Libraries without Qt, found once so that every folder sees the same targets.
find_package(Threads REQUIRED)

# Header-only libraries without CMake files of their own.
function(highwater_headers library folder)
  add_library(${library}::${library} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${library}::${library} SYSTEM INTERFACE ${folder})
endfunction()

if(NOT CMAKE_CROSSCOMPILING)
  find_package(ZLIB REQUIRED)
  find_package(fmt REQUIRED)
  find_package(spdlog REQUIRED)
  find_package(tsl-robin-map REQUIRED)
  find_package(nlohmann_json REQUIRED)
  find_package(CLI11 REQUIRED)
  find_path(PROTOZERO_INCLUDE_DIR protozero/pbf_writer.hpp REQUIRED)
  highwater_headers(protozero ${PROTOZERO_INCLUDE_DIR})
  find_path(RAPIDXML_INCLUDE_DIR rapidxml/rapidxml.hpp REQUIRED)
  highwater_headers(rapidxml ${RAPIDXML_INCLUDE_DIR})
  if(NOT WIN32) # Windows has WinHTTP and DbgHelp
    find_package(CURL REQUIRED)
    find_package(SQLite3 REQUIRED) # part of Windows, which loads it on demand
    find_library(HIGHWATER_LZMA lzma REQUIRED) # MiniDebugInfo; mingw-w64 lacks it, where exported names suffice
    find_library(HIGHWATER_ZSTD zstd REQUIRED) # mingw-w64 lacks it: such files are refused with an error
    find_package(LLVM 19.1 REQUIRED CONFIG) # its interface changes from release to release
  endif()
  return()
endif()

# Cross build: headers are the same for every system, so those of this system's packages serve. Their folder must not be
# searched as a whole because it also holds this system's C library; a folder of links to these headers is searched
# instead.
set(ZLIB_USE_STATIC_LIBS ON)
find_package(ZLIB REQUIRED)
set(links ${PROJECT_BINARY_DIR}/header_links)
file(MAKE_DIRECTORY ${links})
foreach(header fmt spdlog tsl nlohmann CLI protozero rapidxml)
  find_path(${header}_PARENT ${header} PATHS /usr/include NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED)
  file(CREATE_LINK ${${header}_PARENT}/${header} ${links}/${header} SYMBOLIC)
endforeach()
file(STRINGS ${links}/fmt/core.h fmt_version REGEX "define FMT_VERSION")
if(fmt_version MATCHES " 9[0-9][0-9][0-9][0-9]$")
  add_library(fmt STATIC ${CMAKE_CURRENT_LIST_DIR}/fmt.cpp)
  target_include_directories(fmt SYSTEM PUBLIC ${links})
  target_compile_features(fmt PUBLIC cxx_std_20)
  add_library(fmt::fmt ALIAS fmt)
else() # other versions instantiate other templates
  add_library(fmt::fmt INTERFACE IMPORTED)
  target_include_directories(fmt::fmt SYSTEM INTERFACE ${links})
  target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY=1)
endif()
foreach(target spdlog::spdlog_header_only tsl::robin_map nlohmann_json::nlohmann_json CLI11::CLI11)
  add_library(${target} INTERFACE IMPORTED)
  target_include_directories(${target} SYSTEM INTERFACE ${links})
endforeach()
highwater_headers(protozero ${links})
highwater_headers(rapidxml ${links})
target_compile_definitions(spdlog::spdlog_header_only INTERFACE SPDLOG_FMT_EXTERNAL=1)
target_link_libraries(spdlog::spdlog_header_only INTERFACE fmt::fmt)
