# Charts of pages: Qt Charts, where available. Without it (a Qt for Windows that was built without qtcharts) a message
# takes their place, and the tables have the numbers (ui/view/chart/chart_canvas.h).
find_package(Qt6 6.4 QUIET OPTIONAL_COMPONENTS Charts)
if(TARGET Qt6::Charts)
  message(STATUS "Pages have charts")
else()
  message(STATUS "Pages have no charts: Qt Charts was not found")
endif()
