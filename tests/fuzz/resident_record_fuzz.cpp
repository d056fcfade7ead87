// Decodes any bytes as records of resident memory samples. There must be no crash and no read out of bounds, decoded
// samples must be valid, and a sample must be the same after it is encoded and decoded again.
#include "core/base/byte_reader.h"
#include "core/decode/records/resident_record.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

using namespace highwater;
using namespace highwater::decode;

namespace {

void check(bool holds) {
    if (!holds) std::abort();
}

void writeAgain(const ResidentSample& sample) {
    ResidentParts parts;
    SharedResidentSample read;
    for (const auto& payload : encodeResidentSample(sample, 7)) {
        etl::RawRecord record;
        record.payload = payload.data();
        record.payloadBytes = static_cast<std::uint32_t>(payload.size());
        auto outcome = parts.take(record, sample.time);
        check(outcome.dropped == 0);
        if (outcome.sample) read = outcome.sample;
    }
    check(read && *read == sample);
}

void readAll(const ResidentSample& sample) {
    check(isValid(sample) && sample.bytes() > 0);
    ByteCount sum = sample.swapped();
    for (const auto& mapping : sample.mappings) {
        sum += sample.nameOf(mapping).size();
        mapping.pages.each([&](std::uint64_t first, std::uint64_t pages) {
            check(pages > 0 && first + pages <= (mapping.end - mapping.begin) / kResidentPageBytes);
        });
    }
    check(sum + sample.resident() + 1 > 0);
}

} // namespace

/// Records of a u16, their length, and a payload of that length; all have the same time.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    ResidentParts parts;
    for (ByteReader reader({reinterpret_cast<const std::byte*>(data), size}); reader.remaining() > 2;) {
        const auto length = std::min<std::size_t>(reader.take<std::uint16_t>().value_or(0), reader.remaining());
        const auto from = reader.takeBytes(length).value_or(ByteSpan{});
        const std::unique_ptr<std::byte[]> payload(new std::byte[length]); // exact size, for the sanitizers
        std::copy(from.begin(), from.end(), payload.get());
        etl::RawRecord record;
        record.payload = payload.get();
        record.payloadBytes = static_cast<std::uint32_t>(length);
        const auto [sample, dropped] = parts.take(record, TraceTime{5});
        check(dropped <= 2);
        if (!sample) continue;
        readAll(*sample);
        writeAgain(*sample);
    }
    check(parts.finish() <= 1 && parts.finish() == 0);
    return 0;
}
