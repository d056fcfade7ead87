# highwater_windows_resources(<target> <description>): icon, version and manifest of a program for Windows. Does nothing
# on other systems.
if(WIN32)
  enable_language(RC)
endif()

function(highwater_windows_resources target description)
  if(NOT WIN32)
    return()
  endif()
  set(file ${CMAKE_CURRENT_BINARY_DIR}/${target}.rc)
  configure_file(${PROJECT_SOURCE_DIR}/resources/windows/program.rc.in ${file} @ONLY)
  set_source_files_properties(${file} PROPERTIES
    OBJECT_DEPENDS "${PROJECT_SOURCE_DIR}/resources/windows/program.manifest;${PROJECT_SOURCE_DIR}/resources/highwater.ico")
  target_sources(${target} PRIVATE ${file})
endfunction()
