# Graphs as drawings: Qt SVG, where available. Without it (a Qt for Windows that was built without qtsvg) they are saved
# as pictures only (ui/view/parts/svg_file.h).
find_package(Qt6 6.4 QUIET OPTIONAL_COMPONENTS Svg)
if(TARGET Qt6::Svg)
  message(STATUS "Graphs are saved as PNG and SVG")
else()
  message(STATUS "Graphs are saved as PNG only: Qt SVG was not found")
endif()
