#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace highwater::source {

/// Heap events that can have a stack (docs/etw.md 2.2).
namespace heap_hook {
inline constexpr std::uint32_t kCreate = 0x1020, kAlloc = 0x1021, kReAlloc = 0x1022, kDestroy = 0x1023, kFree = 0x1024;
}
[[nodiscard]] std::vector<std::uint32_t> heapHooks(bool stacksOnFree);

/// The extension of a heap session: its processes and the events with stacks (docs/etw.md 2.2). Without processes it
/// names process 0, which makes no heap allocations; the recorded processes then have a heap tracing flag.
[[nodiscard]] std::vector<std::uint32_t> heapSessionExtension(std::span<const std::uint32_t> pids,
                                                              std::span<const std::uint32_t> hooks);

/// EVENT_TRACE_PROPERTIES::EnableFlags with the offset of the extension in the properties, which must be below 65536
/// bytes.
[[nodiscard]] constexpr std::uint32_t extensionFlags(std::size_t byteOffset) {
    return 0x80FF'0000u | static_cast<std::uint32_t>(byteOffset & 0xFFFF);
}

} // namespace highwater::source
