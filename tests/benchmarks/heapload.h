#pragma once

#include <filesystem>

namespace highwater::benchmarks {

/// Builds heapload.cpp, which lies beside the shared traces, into `folder`. Empty: it is not there, or does not
/// compile.
[[nodiscard]] std::filesystem::path buildHeapload(const std::filesystem::path& folder);

} // namespace highwater::benchmarks
