#include "core/symbols/answers/symbol_identity.h"

#include <fmt/format.h>

namespace highwater::symbols {
namespace {

int digitOf(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

} // namespace

std::string pdbKey(const SymbolIdentity& identity) {
    if (!identity.hasPdb()) return {};
    const auto& guid = identity.pdbGuid;
    auto key = fmt::format("{:08X}{:04X}{:04X}", guid.data1, guid.data2, guid.data3);
    for (const auto byte : guid.data4)
        key += fmt::format("{:02X}", byte);
    return key + fmt::format("{:X}", identity.pdbAge);
}

std::string portablePdbKey(const SymbolIdentity& identity) {
    constexpr std::uint32_t kNoAge = 0xFFFFFFFF;
    return pdbKey({identity.pdbGuid, kNoAge, {}});
}

std::string buildIdHex(const SymbolIdentity& identity) {
    std::string hex;
    for (const char byte : identity.buildId)
        hex += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    return hex;
}

std::string toString(const SymbolIdentity& identity) {
    if (identity.hasPdb()) return fmt::format("GUID {} age {}", highwater::toString(identity.pdbGuid), identity.pdbAge);
    if (identity.hasBuildId()) return "build-id " + buildIdHex(identity);
    return "no identity";
}

std::optional<std::string> bytesOfHex(std::string_view hex) {
    if (hex.size() % 2 != 0) return std::nullopt;
    std::string bytes;
    for (std::size_t i = 0; i < hex.size(); i += 2) {
        const int high = digitOf(hex[i]);
        const int low = digitOf(hex[i + 1]);
        if (high < 0 || low < 0) return std::nullopt;
        bytes.push_back(static_cast<char>(high * 16 + low));
    }
    return bytes;
}

} // namespace highwater::symbols
