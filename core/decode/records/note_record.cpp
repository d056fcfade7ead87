#include "core/decode/records/note_record.h"

#include "core/base/byte_reader.h"

namespace highwater::decode {
namespace {

constexpr ByteCount kPageBytes = 4096;
/// 64 TiB, more than a process has. A value at a wrong offset is usually larger.
constexpr std::uint64_t kTooManyPages = std::uint64_t{1} << 34;

/// The places of a process's values in an entry of process memory.
struct EntryLayout {
    std::size_t bytes = 0;    ///< size of the entry
    std::size_t valuesAt = 0; ///< after the pid
    unsigned valueBytes = 0;  ///< 4 or 8
};

/// Known layouts: with 8 values of 64 bits, packed, whatever the size of pointers; before that 4 to 8 values of a
/// pointer, packed or aligned. The size of an entry distinguishes them. Newer systems append values to the first one.
std::optional<EntryLayout> layoutOf(std::size_t bytes, std::size_t entries, unsigned pointerBytes) {
    constexpr std::size_t kNewest = 4 + 8 * 8;
    constexpr std::size_t kFewestValues = 4;
    constexpr std::size_t kMostPadding = 7;
    const auto each = bytes / entries;
    if (each >= kNewest) {
        const auto whole = (each - 4) / 8 * 8 + 4;
        return bytes - whole * entries <= kMostPadding ? std::optional(EntryLayout{whole, 4, 8}) : std::nullopt;
    }
    const auto valuesAt = pointerBytes == 8 && each % 8 == 0 ? std::size_t{8} : std::size_t{4};
    if (each < valuesAt + kFewestValues * pointerBytes) return std::nullopt;
    if ((each - valuesAt) % pointerBytes != 0 || bytes - each * entries > kMostPadding) return std::nullopt;
    return EntryLayout{each, valuesAt, pointerBytes};
}

bool isUtf16(ByteSpan text) {
    if (text.size() < 2 || text.size() % 2 != 0) return false;
    return loadUnchecked<std::uint16_t>(text.data() + text.size() - 2) == 0;
}

} // namespace

std::string decodeMarkName(const etl::RawRecord& record) {
    const auto text = record.payloadSpan();
    ByteReader reader(text);
    return isUtf16(text) ? reader.takeUtf16() : reader.takeNarrow();
}

std::optional<MarkEdit> decodeMarkEdit(const etl::RawRecord& record) {
    ByteReader reader(record.payloadSpan());
    const auto ticks = reader.take<std::int64_t>();
    if (!ticks) return std::nullopt;
    return MarkEdit{*ticks, reader.takeNarrow()};
}

std::optional<std::vector<PrivateBytesSample>> decodeProcessMemory(const etl::RawRecord& record) {
    ByteReader reader(record.payloadSpan());
    const auto count = reader.take<std::uint32_t>();
    if (!count) return std::nullopt;
    std::vector<PrivateBytesSample> samples;
    if (*count == 0) return samples;
    const auto layout = layoutOf(reader.remaining(), *count, record.pointerBytes);
    if (!layout) return std::nullopt;
    samples.reserve(*count);
    for (std::uint32_t i = 0; i < *count; ++i) {
        const auto entry = *reader.takeBytes(layout->bytes);
        ByteReader values(entry.subspan(layout->valuesAt));
        const auto workingSet = *values.takePointer(layout->valueBytes);
        const auto commit = *values.takePointer(layout->valueBytes);
        if (workingSet >= kTooManyPages || commit >= kTooManyPages) return std::nullopt;
        samples.push_back(
            {{}, loadUnchecked<std::uint32_t>(entry.data()), commit * kPageBytes, workingSet * kPageBytes});
    }
    return samples;
}

} // namespace highwater::decode
