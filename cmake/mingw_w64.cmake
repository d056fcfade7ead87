# Toolchain file: programs for 64-bit Windows, with Debian's mingw-w64 (g++-mingw-w64-x86-64-posix: std::thread needs the
# posix flavour). Libraries for Windows come from its own folder and from HIGHWATER_WINDOWS_QT, programs from this system.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)

set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)

set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32 ${HIGHWATER_WINDOWS_QT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES HIGHWATER_WINDOWS_QT)

set(CMAKE_CROSSCOMPILING_EMULATOR wine)

# Qt's own tools (moc, rcc) run on this system: they come from its Qt, which must have the same version.
if(HIGHWATER_WINDOWS_QT)
  set(Qt6_DIR ${HIGHWATER_WINDOWS_QT}/lib/cmake/Qt6 CACHE PATH "Qt for Windows")
  set(QT_HOST_PATH /usr CACHE PATH "Qt of this system")
  set(QT_HOST_PATH_CMAKE_DIR /usr/lib/${CMAKE_HOST_SYSTEM_PROCESSOR}-linux-gnu/cmake CACHE PATH "Its CMake files")
endif()
