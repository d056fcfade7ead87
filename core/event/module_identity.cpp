#include "core/event/module_identity.h"

#include <algorithm>
#include <cstring>

namespace highwater {
namespace {

constexpr std::string_view kFolder = ".build-id/";
constexpr std::string_view kSuffix = ".debug";
constexpr std::string_view kDigits = "0123456789abcdef";

} // namespace

std::string buildIdAsPdb(std::span<const std::uint8_t> buildId) {
    std::string name(kFolder);
    for (std::size_t i = 0; i < buildId.size(); ++i) {
        if (i == 1) name += '/';
        name += kDigits[buildId[i] >> 4];
        name += kDigits[buildId[i] & 15];
    }
    return name.append(kSuffix);
}

Guid buildIdAsGuid(std::span<const std::uint8_t> buildId) {
    Guid guid;
    if (!buildId.empty()) std::memcpy(&guid, buildId.data(), std::min(sizeof(guid), buildId.size()));
    return guid;
}

std::string buildIdOfPdb(std::string_view pdbName) {
    if (pdbName.size() <= kFolder.size() + kSuffix.size()) return {};
    if (pdbName.substr(0, kFolder.size()) != kFolder) return {};
    if (pdbName.substr(pdbName.size() - kSuffix.size()) != kSuffix) return {};
    const auto middle = pdbName.substr(kFolder.size(), pdbName.size() - kFolder.size() - kSuffix.size());
    std::string hex;
    for (const char letter : middle) {
        if (letter == '/') continue;
        if (kDigits.find(letter) == std::string_view::npos) return {};
        hex += letter;
    }
    return hex.size() % 2 == 0 ? hex : std::string();
}

} // namespace highwater
