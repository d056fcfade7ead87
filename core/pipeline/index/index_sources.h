#pragma once

namespace highwater::pipeline {

/// Set by the build (cmake/checksum_of_sources.cmake writes the .cpp).
extern const char* const kVersionOfProgram;
/// Checksum of the sources that turn records into rows.
extern const char* const kChecksumOfSources;

} // namespace highwater::pipeline
