#include "core/summary/stack_key.h"

#include "core/base/sha256.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>

namespace highwater::summary {
namespace {

std::uint64_t bigEndian(const std::uint8_t* bytes) {
    std::uint64_t value = 0;
    for (int i = 0; i < 8; ++i)
        value = value << 8 | bytes[i];
    return value;
}

void putBigEndian(std::uint64_t value, std::byte* out) {
    for (int i = 7; i >= 0; --i, value >>= 8)
        out[i] = static_cast<std::byte>(value & 0xFF);
}

StackKey keyOf(ByteSpan bytes) {
    const auto hash = sha256(bytes);
    return {bigEndian(hash.data()), bigEndian(hash.data() + 8)};
}

} // namespace

StackKey functionKey(std::string_view name) { return keyOf(std::as_bytes(std::span(name.data(), name.size()))); }

StackKey calledFrom(const StackKey& caller, const StackKey& function) {
    std::array<std::byte, 32> bytes;
    putBigEndian(caller.high, bytes.data());
    putBigEndian(caller.low, bytes.data() + 8);
    putBigEndian(function.high, bytes.data() + 16);
    putBigEndian(function.low, bytes.data() + 24);
    return keyOf(bytes);
}

StackKey stackKey(std::span<const std::string> names) {
    StackKey key;
    for (auto name = names.rbegin(); name != names.rend(); ++name)
        key = calledFrom(key, functionKey(*name));
    return key;
}

std::string text(const StackKey& key) { return fmt::format("{:016x}{:016x}", key.high, key.low); }

} // namespace highwater::summary
