#include "core/summary/stack_key.h"

#include "core/base/sha256.h"

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <vector>

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

StackKey unnamedFunctionKey(std::string_view name, std::string_view buildId) {
    std::string text(name);
    text += '\0';
    return functionKey(text.append(buildId));
}

StackKey stackKey(std::span<const StackKey> functions) {
    if (functions.empty()) return {};
    std::vector<std::byte> bytes(functions.size() * 16);
    auto* at = bytes.data();
    for (const auto& function : functions) {
        putBigEndian(function.high, at);
        putBigEndian(function.low, at + 8);
        at += 16;
    }
    return keyOf(bytes);
}

std::string text(const StackKey& key) { return fmt::format("{:016x}{:016x}", key.high, key.low); }

} // namespace highwater::summary
