#include "tests/core/etl/record_fixture.h"

#include <fmt/format.h>

#include <cstdlib>

namespace highwater::tests {
namespace {

std::string hex(const std::vector<std::byte>& bytes) {
    std::string out;
    for (auto b : bytes)
        out += fmt::format("{:02x}", std::to_integer<unsigned>(b));
    return out;
}

std::vector<std::byte> copyOf(const std::byte* bytes, std::size_t count) {
    return bytes == nullptr ? std::vector<std::byte>{} : std::vector<std::byte>(bytes, bytes + count);
}

} // namespace

etl::RawRecord OwnedRecord::view() const {
    auto record = fields;
    record.payload = payload.data();
    record.payloadBytes = static_cast<std::uint32_t>(payload.size());
    record.extended = extended.empty() ? nullptr : extended.data();
    record.extendedBytes = static_cast<std::uint32_t>(extended.size());
    record.provider = provider.empty() ? nullptr : provider.data();
    return record;
}

std::string OwnedRecord::text() const {
    return fmt::format(
        "{} t={} cpu={} kind={} group={:#x} op={} v={} id={} pid={} tid={} ptr={} guid={} ext={} payload={}",
        etl::name(fields.header), fields.ticks, fields.processor, static_cast<int>(fields.kind), fields.group,
        fields.opcode, fields.version, fields.eventId, fields.pid, fields.tid, fields.pointerBytes, hex(provider),
        hex(extended), hex(payload));
}

OwnedRecord ownedCopy(const etl::RawRecord& record) {
    return {record, copyOf(record.payload, record.payloadBytes), copyOf(record.extended, record.extendedBytes),
            copyOf(record.provider, 16)};
}

OwnedRecord classicRecord(etl::HeaderType header, std::int64_t ticks, std::uint16_t processor,
                          std::size_t payloadBytes) {
    OwnedRecord record;
    record.fields.header = header;
    record.fields.ticks = ticks;
    record.fields.processor = processor;
    record.fields.group = 0x10;
    record.fields.opcode = 33;
    record.fields.version = 2;
    for (std::size_t i = 0; i < payloadBytes; ++i) {
        record.payload.push_back(static_cast<std::byte>(static_cast<std::uint64_t>(ticks) * 31 + i * 7));
    }
    return record;
}

TraceProperties exampleProperties() {
    TraceProperties properties;
    properties.osBuild = 19045;
    properties.processors = 4;
    properties.cpuSpeedMhz = 2400;
    properties.firstTicks = 1000;
    properties.startFileTime = 133'000'000'000'000'000;
    properties.bootFileTime = 132'999'000'000'000'000;
    properties.biasMinutes = -60;
    properties.sessionName = "Example";
    return properties;
}

std::vector<std::byte> writeTrace(const std::vector<OwnedRecord>& records, etl::WriterOptions options,
                                  const TraceProperties& properties) {
    etl::MemoryOutput output;
    auto writer = etl::EtlWriter::create(output, properties, options);
    if (!writer.hasValue()) std::abort();
    for (const auto& record : records) {
        if (!writer.value()->write(record.view()).hasValue()) std::abort();
    }
    if (!writer.value()->finish(properties.startFileTime + 10'000'000).hasValue()) std::abort();
    return output.bytes();
}

void KeepingSink::onBatch(etl::RecordBatch& batch) {
    for (const auto& record : batch.records)
        records.push_back(ownedCopy(record));
}

} // namespace highwater::tests
