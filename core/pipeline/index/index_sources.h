#pragma once

namespace highwater::pipeline {

/// What the build knows of itself (cmake/checksum_of_sources.cmake writes the .cpp).
extern const char* const kVersionOfProgram;
/// Of the sources that make rows of records.
extern const char* const kChecksumOfSources;

} // namespace highwater::pipeline
