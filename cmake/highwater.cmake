# Functions that create targets. Every folder is a static library, a namespace and a test folder.

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
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Otherwise a tenth of the time goes into collecting garbage, all of which is freed when the compiler exits.
  target_compile_options(project_options INTERFACE --param=ggc-min-heapsize=1048576)
endif()
if(HIGHWATER_WERROR)
  target_compile_options(project_options INTERFACE -Werror)
endif()
if(HIGHWATER_SANITIZE)
  target_compile_options(project_options INTERFACE -fsanitize=${HIGHWATER_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(project_options INTERFACE -fsanitize=${HIGHWATER_SANITIZE})
  # In instrumented std::variant and std::string, GCC falsely reports uninitialised values.
  target_compile_options(project_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  if(HIGHWATER_SANITIZE MATCHES "undefined")
    target_compile_options(project_options INTERFACE -fno-sanitize-recover=undefined)
  endif()
endif()
if(WIN32)
  target_compile_definitions(project_options INTERFACE UNICODE _UNICODE NOMINMAX WIN32_LEAN_AND_MEAN _WIN32_WINNT=0x0A00)
endif()

# Files named *_windows.cpp or *_linux.cpp are built only on that system.
function(highwater_leave_out_other_systems sources)
  if(WIN32)
    list(FILTER ${sources} EXCLUDE REGEX "_linux\\.cpp$")
  else()
    list(FILTER ${sources} EXCLUDE REGEX "_windows\\.cpp$")
  endif()
  set(${sources} ${${sources}} PARENT_SCOPE)
endfunction()

# Unity builds precompile library headers once for each kind of target: without Qt, with Qt, tests. A compiler accepts a
# precompiled header only with the same options. linux-dev parses them in each file instead, because a unity build
# cannot check whether a file includes everything it uses.
set(standard_headers <algorithm> <array> <atomic> <charconv> <chrono> <condition_variable> <cstdint> <deque> <filesystem>
  <fstream> <functional> <map> <memory> <mutex> <optional> <set> <span> <sstream> <stop_token> <string> <string_view>
  <thread> <unordered_map> <utility> <variant> <vector> <fmt/format.h> <fmt/ranges.h> <tsl/robin_map.h>)
set(qt_headers <QAbstractTableModel> <QAction> <QApplication> <QComboBox> <QDialog> <QDir> <QDockWidget> <QFileInfo>
  <QHBoxLayout> <QHeaderView> <QKeyEvent> <QLabel> <QLineEdit> <QMainWindow> <QMenu> <QPainter> <QPushButton> <QScrollBar>
  <QSortFilterProxyModel> <QTimer> <QToolButton> <QTreeView> <QVBoxLayout>)
set(test_headers <QSignalSpy> <QTemporaryDir> <QTest>)

function(highwater_precompile kind)
  cmake_parse_arguments(arg "" "" "HEADERS;DEPENDS;OPTIONS" ${ARGN})
  if(CMAKE_UNITY_BUILD)
    set(source ${PROJECT_BINARY_DIR}/precompiled_${kind}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "")
    add_library(precompiled_${kind} OBJECT ${source})
    target_compile_options(precompiled_${kind} PRIVATE ${arg_OPTIONS})
    target_link_libraries(precompiled_${kind} PRIVATE project_options fmt::fmt tsl::robin_map ${arg_DEPENDS})
    target_precompile_headers(precompiled_${kind} PRIVATE ${arg_HEADERS})
  endif()
endfunction()

function(highwater_use_precompiled target kind)
  if(TARGET precompiled_${kind})
    target_precompile_headers(${target} REUSE_FROM precompiled_${kind})
    set(libraries fmt::fmt)
    if(NOT kind STREQUAL "core")
      list(APPEND libraries Qt6::Gui Qt6::Widgets)
    endif()
    foreach(library ${libraries})
      target_compile_definitions(${target} PRIVATE $<TARGET_PROPERTY:${library},INTERFACE_COMPILE_DEFINITIONS>)
    endforeach()
  endif()
endfunction()

# Runs moc on the files that the target's sources include from it: moc_X.cpp for the header X.h beside them, X.moc for
# X.cpp itself. CMake's AUTOMOC would search for them in each build, which takes a fifth of a full build. moc does not
# read Qt's headers because Qt 6.4's moc fails on <concepts>. After a source starts to include such a file, CMake must
# run again.
function(highwater_moc target)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}_moc)
  set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  set(outputs)
  foreach(source IN LISTS ARGN)
    get_filename_component(source ${source} ABSOLUTE)
    if(NOT EXISTS ${source}) # generated file
      continue()
    endif()
    get_filename_component(beside ${source} DIRECTORY)
    file(STRINGS ${source} includes REGEX "^#include \"(moc_[a-z0-9_]+[.]cpp|[a-z0-9_]+[.]moc)\"")
    foreach(include IN LISTS includes)
      string(REGEX MATCH "\"(.+)\"" output "${include}")
      set(output ${CMAKE_MATCH_1})
      set(input ${source})
      if(output MATCHES "^moc_(.+)[.]cpp$")
        set(input ${beside}/${CMAKE_MATCH_1}.h)
      endif()
      add_custom_command(OUTPUT ${folder}/${output}
        COMMAND Qt6::moc "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>" -o ${folder}/${output} ${input}
        DEPENDS ${input} COMMAND_EXPAND_LISTS VERBATIM)
      list(APPEND outputs ${folder}/${output})
    endforeach()
  endforeach()
  if(outputs)
    file(MAKE_DIRECTORY ${folder})
    set_source_files_properties(${outputs} PROPERTIES HEADER_FILE_ONLY ON)
    target_sources(${target} PRIVATE ${outputs})
    target_include_directories(${target} PRIVATE ${folder})
  endif()
endfunction()

# highwater_library(<target> SOURCES ... DEPENDS ... PRIVATE_DEPENDS ...): one folder, one static library. DEPENDS:
# libraries that its headers include; PRIVATE_DEPENDS: libraries that only its sources include (tests/layers compares).
function(highwater_library target)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  highwater_leave_out_other_systems(arg_SOURCES)
  if(arg_SOURCES)
    add_library(${target} STATIC ${arg_SOURCES})
    highwater_moc(${target} ${arg_SOURCES})
    target_link_libraries(${target} PUBLIC project_options ${arg_DEPENDS} PRIVATE ${arg_PRIVATE_DEPENDS})
    highwater_use_precompiled(${target} ${precompiled_kind})
  else()
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE project_options ${arg_DEPENDS})
  endif()
endfunction()

# highwater_program(<target> SOURCES ... DEPENDS ...): a program without Qt. On Windows it is one file, linked
# statically with the compiler's own libraries.
function(highwater_program target)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${target} ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE ${arg_DEPENDS})
  if(MINGW)
    target_link_options(${target} PRIVATE -static)
  endif()
endfunction()

# Little optimised: a test is built and run once, so compiling takes most of the time. Qt's macros for the folders of a
# test are not used; precompiled headers require that neither these macros nor that of a Qt module differ between tests.
set(test_options $<$<CONFIG:Release>:-O1> -UQT_TESTCASE_BUILDDIR -UQT_TESTCASE_SOURCEDIR -UQT_NETWORK_LIB)

# highwater_test(<target> SOURCES ... DEPENDS ... [LABELS ...]): one test program for one folder.
function(highwater_test target)
  cmake_parse_arguments(arg "" "TIMEOUT" "SOURCES;DEPENDS;LABELS" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 900) # limit for a test that hangs: a busy machine takes five times as long as a quiet one
  endif()
  if(HIGHWATER_SANITIZE)
    math(EXPR arg_TIMEOUT "${arg_TIMEOUT} * 6") # instrumented code is up to ten times slower
  endif()
  math(EXPR function_timeout "${arg_TIMEOUT} * 1000") # QtTest's own limit for a test function is 5 minutes
  highwater_leave_out_other_systems(arg_SOURCES)
  add_executable(${target} ${arg_SOURCES})
  highwater_moc(${target} ${arg_SOURCES})
  set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE 10) # tests repeat names of their helpers
  target_compile_options(${target} PRIVATE ${test_options})
  target_link_libraries(${target} PRIVATE project_options test_support Qt6::Test ${arg_DEPENDS})
  highwater_use_precompiled(${target} tests)
  add_test(NAME ${target} COMMAND ${target})
  set_tests_properties(${target} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}"
    ENVIRONMENT "QT_QPA_PLATFORM=offscreen;QTEST_FUNCTION_TIMEOUT=${function_timeout};HIGHWATER_SHARED_TRACES=${HIGHWATER_SHARED_TRACES};TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/support/tsan.supp:die_after_fork=0")
endfunction()
