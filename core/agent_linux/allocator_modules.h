#pragma once

#include <cstdint>

namespace highwater::agent {

/// Modules other than libc that contain an allocator. Allocation functions that they call while one of their own is
/// running are part of that operation.

/// Registers the module that contains this function, unless it is libc. Call it before the program runs or is recorded.
void noteAllocator(const void* function);
/// Whether a return address is in one of these modules.
[[nodiscard]] bool isAllocatorCode(std::uint64_t returnAddress);

} // namespace highwater::agent
