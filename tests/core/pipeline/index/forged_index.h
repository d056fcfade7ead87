#pragma once

#include "core/pipeline/index/index_checksum.h"

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

namespace highwater::tests {

/// An index file in memory, to be changed including its checksums. The header contains: magic, checksum, bytes of
/// columns, bytes of the rest; these two parts follow, then a checksum for each block.
class ForgedIndex {
  public:
    explicit ForgedIndex(const std::filesystem::path& path) {
        std::ifstream file(path, std::ios::binary);
        bytes_.assign(std::istreambuf_iterator<char>(file), {});
    }

    static constexpr std::size_t kHeader = 64;
    [[nodiscard]] std::size_t columnBytes() const { return static_cast<std::size_t>(word(16)); }
    [[nodiscard]] std::size_t otherBytes() const { return static_cast<std::size_t>(word(24)); }
    [[nodiscard]] std::size_t payloadEnd() const { return kHeader + columnBytes() + otherBytes(); }
    [[nodiscard]] const std::string& bytes() const { return bytes_; }

    /// Writes the file with another value in one place, and correct checksums.
    template <typename Value>
    void writeWith(const std::filesystem::path& path, std::size_t at, Value value) const {
        auto changed = *this;
        std::memcpy(changed.bytes_.data() + at, &value, sizeof(value));
        changed.makeChecksumsRight();
        std::ofstream(path, std::ios::binary | std::ios::trunc) << changed.bytes_;
    }

  private:
    [[nodiscard]] std::uint64_t word(std::size_t at) const {
        std::uint64_t value = 0;
        std::memcpy(&value, bytes_.data() + at, sizeof(value));
        return value;
    }
    void setWord(std::size_t at, std::uint64_t value) { std::memcpy(bytes_.data() + at, &value, sizeof(value)); }
    void makeChecksumsRight() {
        using namespace pipeline;
        const auto all = std::as_bytes(std::span(bytes_));
        std::vector<std::uint64_t> sums;
        for (auto at = kHeader; at < payloadEnd(); at += kIndexBlockBytes)
            sums.push_back(indexChecksum(all.subspan(at, std::min(kIndexBlockBytes, payloadEnd() - at))));
        auto mixed = indexChecksum(std::as_bytes(std::span(sums)));
        for (const auto value : {word(0), word(16), word(24)})
            mixed = mixIndexChecksum(mixed, value);
        setWord(8, mixed);
        std::memcpy(bytes_.data() + payloadEnd(), sums.data(), sums.size() * sizeof(std::uint64_t));
    }

    std::string bytes_;
};

} // namespace highwater::tests
