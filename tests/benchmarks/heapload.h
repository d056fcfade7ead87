#pragma once

#include <filesystem>

namespace highwater::benchmarks {

/// Builds heapload.cpp, which is beside the shared traces, into `folder`. Empty if it is missing or does not compile.
[[nodiscard]] std::filesystem::path buildHeapload(const std::filesystem::path& folder);

} // namespace highwater::benchmarks
