# Writes a source with the version of the program and a checksum of sources:
#   cmake -DFILES=a.txt -DOUTPUT=x.cpp -DVERSION=1.2.3 -P checksum_of_sources.cmake
# FILES lists one source per line. An unchanged output is not written again.
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
