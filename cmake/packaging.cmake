# Defines the installed files and the packages that CPack makes: a .deb on Linux; for Windows an installer and a
# portable .zip. `sh installer/package.sh` builds them.

set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON) # packs only targets that were requested and built, without the tests

set(CPACK_PACKAGE_NAME highwater)
set(CPACK_PACKAGE_VENDOR "Highwater")
set(CPACK_PACKAGE_CONTACT "Highwater maintainers <highwater@packages.debian.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "memory analyzer for heap and VirtualAlloc event traces")
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)

if(WIN32)
  include(${CMAKE_CURRENT_LIST_DIR}/packaging_windows.cmake)
else()
  include(${CMAKE_CURRENT_LIST_DIR}/packaging_debian.cmake)
endif()
include(CPack)
