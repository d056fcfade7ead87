# The Debian package. It has no maintainer scripts: Debian's own triggers pick up the desktop entry and the file type.

foreach(program highwater highwater-cli)
  if(TARGET ${program})
    install(TARGETS ${program} RUNTIME DESTINATION bin)
  endif()
endforeach()
# core/agent_linux installs the recorder's library itself, where findAgentLibrary() looks for it.

set(resources ${PROJECT_SOURCE_DIR}/resources)
install(FILES ${resources}/highwater.desktop DESTINATION share/applications)
install(FILES ${resources}/highwater.svg DESTINATION share/icons/hicolor/scalable/apps)
install(FILES ${resources}/highwater.png DESTINATION share/icons/hicolor/256x256/apps)
install(FILES ${resources}/highwater-mime.xml DESTINATION share/mime/packages RENAME highwater.xml)
install(FILES ${PROJECT_SOURCE_DIR}/installer/debian/copyright DESTINATION share/doc/highwater)

# Debian requires compression. No timestamp inside: the same sources give the same package.
set(changelog ${PROJECT_BINARY_DIR}/installer/changelog)
configure_file(${PROJECT_SOURCE_DIR}/installer/debian/changelog.in ${changelog} @ONLY)
find_program(GZIP_PROGRAM gzip REQUIRED)
add_custom_command(OUTPUT ${changelog}.gz COMMAND ${GZIP_PROGRAM} -9nkf ${changelog} DEPENDS ${changelog} VERBATIM)
add_custom_target(changelog ALL DEPENDS ${changelog}.gz)
install(FILES ${changelog}.gz DESTINATION share/doc/highwater)

# The programs generate their manual page and bash completion.
set(page ${PROJECT_BINARY_DIR}/installer/highwater-cli.1)
set(completion ${PROJECT_BINARY_DIR}/installer/highwater-cli.bash)
set(quietly ${CMAKE_COMMAND} -E env HIGHWATER_LOG=off QT_QPA_PLATFORM=offscreen)
add_custom_command(OUTPUT ${page}.gz ${completion}
  COMMAND ${quietly} $<TARGET_FILE:highwater-cli> manual page > ${page}
  COMMAND ${quietly} $<TARGET_FILE:highwater-cli> manual completion > ${completion}
  COMMAND ${GZIP_PROGRAM} -9nkf ${page} DEPENDS highwater-cli VERBATIM)
set(manuals ${page}.gz)
if(TARGET highwater)
  set(page ${PROJECT_BINARY_DIR}/installer/highwater.1)
  add_custom_command(OUTPUT ${page}.gz
    COMMAND ${quietly} $<TARGET_FILE:highwater> --manual-page > ${page}
    COMMAND ${GZIP_PROGRAM} -9nkf ${page} DEPENDS highwater VERBATIM)
  list(APPEND manuals ${page}.gz)
endif()
add_custom_target(manual ALL DEPENDS ${manuals} ${completion})
install(FILES ${manuals} DESTINATION share/man/man1)
install(FILES ${completion} DESTINATION share/bash-completion/completions RENAME highwater-cli)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DESCRIPTION
"Highwater shows where the memory of a process goes, and who asked for it.
It records Linux programs while they run and opens event traces (.etl) of
Windows with heap and VirtualAlloc events. It draws the outstanding memory
over time and groups allocations by process, heap, lifetime and call stack
for exactly the selected part of the graph.
.
Beside the window there is highwater-cli, which gives the same answers on
the command line.")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/package_rights.cmake)
