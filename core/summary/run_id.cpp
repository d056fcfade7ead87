#include "core/summary/run_id.h"

#include "core/base/sha256.h"
#include "core/files/mapped_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace highwater::summary {
namespace {

using Hash = std::array<std::uint8_t, 32>;
constexpr std::size_t kPart = 64 * 1024;

Result<Hash> hashOf(const std::filesystem::path& path) {
    const auto file = TRY(MappedFile::open(path));
    const auto bytes = file->bytes();
    std::vector<std::byte> read;
    for (auto size = static_cast<std::uint64_t>(bytes.size()); read.size() < 8; size >>= 8)
        read.push_back(static_cast<std::byte>(size & 0xFF));
    const auto head = bytes.first(std::min(bytes.size(), kPart));
    const auto tail = bytes.last(std::min(bytes.size(), kPart));
    read.insert(read.end(), head.begin(), head.end());
    read.insert(read.end(), tail.begin(), tail.end());
    return sha256(read);
}

} // namespace

Result<std::string> runIdOf(std::span<const std::filesystem::path> files) {
    std::vector<Hash> hashes;
    for (const auto& file : files) {
        const auto hash = TRY(hashOf(file));
        hashes.push_back(hash);
    }
    std::sort(hashes.begin(), hashes.end());
    const auto all = sha256(std::as_bytes(std::span(hashes)));
    std::string text;
    for (std::size_t i = 0; i < 16; ++i)
        text += fmt::format("{:02x}", all[i]);
    return text;
}

} // namespace highwater::summary
