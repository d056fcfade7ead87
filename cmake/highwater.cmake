# The ways a target comes into being here. Every folder is a static library, a namespace and a test folder.

# Qt 6.4's moc reads the standard library's headers and fails on <concepts>. Without the compiler's own macros it takes
# the language for an older one and passes them over.
set(CMAKE_AUTOMOC_COMPILER_PREDEFINES OFF)

# project_options: warnings and the language level, linked privately by everything.
add_library(project_options INTERFACE)
target_compile_features(project_options INTERFACE cxx_std_20)
target_include_directories(project_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(project_options INTERFACE
  -Wall -Wextra -Wpedantic -Wnon-virtual-dtor -Wshadow -Wundef -Wconversion -Wno-sign-conversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 at -O3 warns about overlapping copies inside std::string's own operator+ (GCC bug 105329).
  target_compile_options(project_options INTERFACE -Wno-restrict)
endif()
if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # A file that another includes should declare nothing in an anonymous namespace; these are not headers.
  target_compile_options(project_options INTERFACE -Wno-subobject-linkage)
endif()
if(HIGHWATER_WERROR)
  target_compile_options(project_options INTERFACE -Werror)
endif()
if(HIGHWATER_SANITIZE)
  target_compile_options(project_options INTERFACE -fsanitize=${HIGHWATER_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(project_options INTERFACE -fsanitize=${HIGHWATER_SANITIZE})
  # GCC sees uninitialised values in instrumented std::variant and std::string that are none.
  target_compile_options(project_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  if(HIGHWATER_SANITIZE MATCHES "undefined")
    target_compile_options(project_options INTERFACE -fno-sanitize-recover=undefined)
  endif()
endif()
if(WIN32)
  target_compile_definitions(project_options INTERFACE UNICODE _UNICODE NOMINMAX WIN32_LEAN_AND_MEAN _WIN32_WINNT=0x0A00)
endif()

# Files named *_windows.cpp or *_linux.cpp are built on that system only.
function(highwater_leave_out_other_systems sources)
  if(WIN32)
    list(FILTER ${sources} EXCLUDE REGEX "_linux\\.cpp$")
  else()
    list(FILTER ${sources} EXCLUDE REGEX "_windows\\.cpp$")
  endif()
  set(${sources} ${${sources}} PARENT_SCOPE)
endfunction()

# highwater_library(<target> SOURCES ... DEPENDS ...): one folder, one static library.
function(highwater_library target)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  highwater_leave_out_other_systems(arg_SOURCES)
  if(arg_SOURCES)
    add_library(${target} STATIC ${arg_SOURCES})
    target_link_libraries(${target} PUBLIC project_options ${arg_DEPENDS} PRIVATE ${arg_PRIVATE_DEPENDS})
  else()
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE project_options ${arg_DEPENDS})
  endif()
endfunction()

# highwater_program(<target> SOURCES ... DEPENDS ...): a program without Qt. For Windows it is one file: the compiler's own
# libraries are in it.
function(highwater_program target)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${target} ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE ${arg_DEPENDS})
  if(MINGW)
    target_link_options(${target} PRIVATE -static)
  endif()
endfunction()

# highwater_test(<target> SOURCES ... DEPENDS ... [LABELS ...]): one test program for one folder.
function(highwater_test target)
  cmake_parse_arguments(arg "" "TIMEOUT" "SOURCES;DEPENDS;LABELS" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  if(HIGHWATER_SANITIZE)
    math(EXPR arg_TIMEOUT "${arg_TIMEOUT} * 6") # instrumented code is up to ten times slower
  endif()
  math(EXPR function_timeout "${arg_TIMEOUT} * 1000") # QtTest's own, of a test function, is 5 minutes
  highwater_leave_out_other_systems(arg_SOURCES)
  add_executable(${target} ${arg_SOURCES})
  set_target_properties(${target} PROPERTIES AUTOMOC ON)
  # Little optimised: of a test that is built and run once, most of the time is the compiler's.
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  target_link_libraries(${target} PRIVATE project_options test_support Qt6::Test ${arg_DEPENDS})
  add_test(NAME ${target} COMMAND ${target})
  set_tests_properties(${target} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}"
    ENVIRONMENT "QT_QPA_PLATFORM=offscreen;QTEST_FUNCTION_TIMEOUT=${function_timeout};HIGHWATER_SHARED_TRACES=${HIGHWATER_SHARED_TRACES};TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/support/tsan.supp:die_after_fork=0")
endfunction()
