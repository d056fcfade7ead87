#pragma once

#include "core/base/byte_reader.h"

#include <optional>
#include <string_view>

namespace highwater::symbols {

/// One CodeView record: u16 length of the rest, u16 kind, content.
struct PdbRecord {
    std::uint16_t kind = 0;
    ByteSpan content;
    std::size_t begin = 0; ///< offset of the length
    std::size_t end = 0;   ///< offset of the next record
};

/// Iterates over consecutive records. Ends at the first record that does not fit.
class PdbRecordReader {
  public:
    PdbRecordReader(ByteSpan bytes, std::size_t offset) : bytes_(bytes), offset_(offset) {}

    [[nodiscard]] std::optional<PdbRecord> next() {
        if (offset_ > bytes_.size() || bytes_.size() - offset_ < 4) return std::nullopt;
        const auto length = loadUnchecked<std::uint16_t>(bytes_.data() + offset_);
        if (length < 2 || bytes_.size() - offset_ - 2 < length) return std::nullopt;
        const PdbRecord record{loadUnchecked<std::uint16_t>(bytes_.data() + offset_ + 2),
                               bytes_.subspan(offset_ + 4, length - 2u), offset_, offset_ + 2 + length};
        offset_ = record.end;
        return record;
    }

  private:
    ByteSpan bytes_;
    std::size_t offset_ = 0;
};

/// Text up to NUL or the end of the bytes, in place.
[[nodiscard]] inline std::string_view textAt(ByteSpan bytes, std::size_t offset) {
    if (offset >= bytes.size()) return {};
    const auto* begin = reinterpret_cast<const char*>(bytes.data()) + offset;
    return {begin, strnlen(begin, bytes.size() - offset)};
}

template <typename T>
[[nodiscard]] std::optional<T> loadAt(ByteSpan bytes, std::size_t offset) {
    if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
    return loadUnchecked<T>(bytes.data() + offset);
}

} // namespace highwater::symbols
