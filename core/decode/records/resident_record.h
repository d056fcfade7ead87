#pragma once

#include "core/etl/raw_record.h"
#include "core/event/resident_sample.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace highwater::decode {

/// Highwater's own records (highwater_opcode::kResident) of a sample of resident memory, at its time. A sample may not
/// fit into one record, so each contains a part. Payload:
///
///     u32 pid | u32 number of the sample, by its recorder | u32 part, from 0 | u32 parts | bytes of the part
///
/// The bytes of all parts, in order, are the sample as LEB128 numbers: the names (their number; length and UTF-8 of
/// each), then the mappings (their number; for each: pages since the end of the previous one, pages, resident pages,
/// proportional bytes, private dirty pages, swapped pages, flags, name, length of the runs, runs as in ResidentRuns).
inline constexpr std::size_t kMostResidentPartBytes = 60'000; ///< of a payload; a record's size is a u16
inline constexpr std::size_t kMostResidentSampleBytes = std::size_t{64} << 20; ///< in memory and in records

/// The payloads of the records. Empty if the sample is larger than kMostResidentSampleBytes, or not isValid().
[[nodiscard]] std::vector<std::vector<std::byte>> encodeResidentSample(const ResidentSample& sample,
                                                                       std::uint32_t number);

/// Assembles samples from their records, which follow each other in the order of their parts; other records may be
/// between them. Holds at most one incomplete sample. One thread.
class ResidentParts {
  public:
    struct Outcome {
        SharedResidentSample sample; ///< complete and valid; null if none is complete
        std::uint32_t dropped = 0;   ///< samples that turned out to be incomplete or damaged
    };

    /// `time`: time of the record.
    [[nodiscard]] Outcome take(const etl::RawRecord& record, TraceTime time);
    /// No parts follow. Returns the number of samples that are incomplete.
    [[nodiscard]] std::uint32_t finish();

  private:
    struct Key {
        TraceTime time;
        std::uint32_t pid = 0;
        std::uint32_t number = 0;
        friend bool operator==(const Key&, const Key&) = default;
    };

    std::optional<Key> open_;
    std::optional<Key> closed_; ///< the last delivered or dropped one, whose other parts are ignored
    std::uint32_t next_ = 0;    ///< part that must follow
    std::uint32_t parts_ = 0;
    std::string bytes_;
};

} // namespace highwater::decode
