#pragma once

#include <array>
#include <string_view>

namespace highwater {

/// Starts of the file names of libraries that replace malloc of glibc on Linux.
inline constexpr std::array<std::string_view, 8> kAllocatorLibraries{"libjemalloc",  "libtcmalloc", "libmimalloc",
                                                                     "libtbbmalloc", "librpmalloc", "libhoard",
                                                                     "libsnmalloc",  "libnedmalloc"};

} // namespace highwater
