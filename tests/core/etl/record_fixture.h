#pragma once

#include "core/etl/etl_writer.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace highwater::tests {

/// A record that owns its bytes, for tests to write and for sinks to store.
struct OwnedRecord {
    etl::RawRecord fields; ///< its pointers are not valid; view() sets them
    std::vector<std::byte> payload;
    std::vector<std::byte> extended;
    std::vector<std::byte> provider; ///< empty or 16 bytes

    /// Valid while this object lives and is not changed.
    [[nodiscard]] etl::RawRecord view() const;
    /// All fields and bytes as one line, for comparing and for failure messages.
    [[nodiscard]] std::string text() const;
};

[[nodiscard]] OwnedRecord ownedCopy(const etl::RawRecord& record);

/// A classic record of a processor with a recognisable payload of this many bytes.
[[nodiscard]] OwnedRecord classicRecord(etl::HeaderType header, std::int64_t ticks, std::uint16_t processor,
                                        std::size_t payloadBytes);

/// 10 MHz, Windows 10, 64 bits, closed; time 0 at 1,000 ticks.
[[nodiscard]] TraceProperties exampleProperties();

/// A finished file with these records.
[[nodiscard]] std::vector<std::byte> writeTrace(const std::vector<OwnedRecord>& records,
                                                etl::WriterOptions options = {},
                                                const TraceProperties& properties = exampleProperties());

/// Replaces a value in a file's bytes.
template <typename T>
void patch(std::vector<std::byte>& bytes, std::size_t at, T value) {
    std::memcpy(bytes.data() + at, &value, sizeof(value));
}

/// Stores everything that it receives.
class KeepingSink final : public etl::RecordSink {
  public:
    void onBatch(etl::RecordBatch& batch) override;
    std::vector<OwnedRecord> records;
};

} // namespace highwater::tests
