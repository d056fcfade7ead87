#include "core/decode/records/note_record.h"

#include "core/base/byte_reader.h"

namespace highwater::decode {
namespace {

constexpr ByteCount kPageBytes = 4096;

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
    // Newer systems append fields. The size of an entry follows from the total size.
    const auto bytesEach = reader.remaining() / *count;
    if (bytesEach < sizeof(std::uint32_t) + 2u * record.pointerBytes) return std::nullopt;
    for (std::uint32_t i = 0; i < *count; ++i) {
        ByteReader entry(*reader.takeBytes(bytesEach));
        const auto pid = entry.take<std::uint32_t>();
        (void)entry.takePointer(record.pointerBytes); // working set
        const auto pages = entry.takePointer(record.pointerBytes);
        if (*pages > ~ByteCount{0} / kPageBytes) continue;
        samples.push_back({{}, *pid, *pages * kPageBytes});
    }
    return samples;
}

} // namespace highwater::decode
