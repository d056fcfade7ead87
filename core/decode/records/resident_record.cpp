#include "core/decode/records/resident_record.h"

#include "core/base/varint.h"

#include <utility>

namespace highwater::decode {
namespace {

std::string coded(const ResidentSample& sample) {
    std::string out;
    putNames(out, sample.names);
    putVarint(out, sample.mappings.size());
    Address reached = 0;
    for (const auto& mapping : sample.mappings) {
        putVarint(out, (mapping.begin - reached) / kResidentPageBytes);
        putVarint(out, (mapping.end - mapping.begin) / kResidentPageBytes);
        putVarint(out, mapping.resident / kResidentPageBytes);
        putVarint(out, mapping.proportional);
        putVarint(out, mapping.privateDirty / kResidentPageBytes);
        putVarint(out, mapping.swapped / kResidentPageBytes);
        putVarint(out, mapping.flags);
        putVarint(out, mapping.name);
        putCounted(out, mapping.pages.coded());
        reached = mapping.end;
    }
    return out;
}

std::uint64_t takePages(CodedReader& reader) {
    const auto count = reader.number();
    constexpr auto kMostPages = ~std::uint64_t{0} / kResidentPageBytes;
    return (count <= kMostPages ? count : reader.fail()) * kResidentPageBytes;
}

Mapping takeMapping(CodedReader& reader, Address reached) {
    Mapping mapping;
    if (__builtin_add_overflow(reached, takePages(reader), &mapping.begin)) reader.fail();
    if (__builtin_add_overflow(mapping.begin, takePages(reader), &mapping.end)) reader.fail();
    mapping.resident = takePages(reader);
    mapping.proportional = reader.number();
    mapping.privateDirty = takePages(reader);
    mapping.swapped = takePages(reader);
    mapping.flags = reader.word();
    mapping.name = reader.word();
    mapping.pages = ResidentRuns::fromCoded(reader.text());
    return mapping;
}

/// Null if the bytes are not a sample.
SharedResidentSample sampleOf(const RecordParts::Whole& whole, TraceTime time) {
    CodedReader reader(whole.bytes, kMostResidentSampleBytes);
    auto sample = std::make_shared<ResidentSample>();
    sample->pid = whole.pid;
    sample->time = time;
    sample->names = reader.names();
    const auto count = reader.count(sizeof(Mapping));
    sample->mappings.reserve(count);
    Address reached = 0;
    for (std::uint64_t i = 0; i < count && reader.isRight(); ++i)
        reached = sample->mappings.emplace_back(takeMapping(reader, reached)).end;
    return reader.isComplete() && isValid(*sample) ? sample : nullptr;
}

} // namespace

std::vector<std::vector<std::byte>> encodeResidentSample(const ResidentSample& sample, std::uint32_t number) {
    if (!isValid(sample) || sample.bytes() > kMostResidentSampleBytes) return {};
    return encodeParts(sample.pid, number, coded(sample));
}

ResidentParts::Outcome ResidentParts::take(const etl::RawRecord& record, TraceTime time) {
    const auto [whole, dropped] = parts_.take(record, time);
    Outcome outcome{whole ? sampleOf(*whole, time) : nullptr, dropped};
    outcome.dropped += whole && !outcome.sample ? 1 : 0;
    return outcome;
}

} // namespace highwater::decode
