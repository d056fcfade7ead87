#pragma once

#include <cstdint>

namespace highwater::agent {

/// Modules that bring an allocator of their own; not libc. What they call of allocation functions while one of theirs
/// is at work is part of what they do.

/// Notes the module that holds this function, unless it is libc. Once, before the program runs or is recorded.
void noteAllocator(const void* function);
/// Whether a return address is in one of them.
[[nodiscard]] bool isAllocatorCode(std::uint64_t returnAddress);

} // namespace highwater::agent
