#pragma once

#include "core/references/process_memory.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace highwater::references {

/// Single words of a process, wherever they are. Each costs a call.
class MemoryWords {
  public:
    /// `read` must outlive it.
    explicit MemoryWords(const ReadMemory& read) : read_(read) {}

    /// Nothing: not readable.
    [[nodiscard]] std::optional<std::uint64_t> at(Address address, std::size_t bytes = 8) const {
        std::uint64_t value = 0;
        if (!get(address, std::as_writable_bytes(std::span(&value, 1)).first(bytes))) return std::nullopt;
        return value;
    }
    /// Nothing: not readable.
    template <typename T>
    [[nodiscard]] std::optional<T> valueAt(Address address) const {
        T value{};
        if (!get(address, std::as_writable_bytes(std::span(&value, 1)))) return std::nullopt;
        return value;
    }
    /// 0 if it is not readable, as if it were null.
    [[nodiscard]] Address pointer(Address address) const { return at(address).value_or(0); }
    /// False: not all of it is readable.
    [[nodiscard]] bool get(Address address, std::span<std::byte> to) const { return read_(address, to) == to.size(); }

  private:
    const ReadMemory& read_;
};

} // namespace highwater::references
