# Writes a source with the version of the program and a checksum of sources:
#   cmake -DFILES=a.txt -DOUTPUT=x.cpp -DVERSION=1.2.3 -P checksum_of_sources.cmake
# FILES names one source a line. A source that would be the same is left alone.
cmake_minimum_required(VERSION 3.25)
file(STRINGS ${FILES} sources)
set(sums "")
foreach(source IN LISTS sources)
  file(SHA256 ${source} sum)
  string(APPEND sums "${sum}")
endforeach()
string(SHA256 checksum "${sums}")
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#include \"core/pipeline/index/index_sources.h\"

namespace highwater::pipeline {

const char* const kVersionOfProgram = \"@VERSION@\";
const char* const kChecksumOfSources = \"@checksum@\";

} // namespace highwater::pipeline
" @ONLY)
