#pragma once

#include <cstddef>

/// Memory directly from the system, as the recorder's VirtualAlloc events see it.
[[nodiscard]] void* commitPages(std::size_t bytes);
/// Address space that must not count as committed.
[[nodiscard]] void* reservePages(std::size_t bytes);
void releasePages(void* pages, std::size_t bytes);
