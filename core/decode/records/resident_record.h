#pragma once

#include "core/decode/records/parted_record.h"
#include "core/event/resident_sample.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace highwater::decode {

/// Highwater's own records (highwater_opcode::kResident) of a sample of resident memory, at its time, in parts
/// (parted_record.h). The bytes are LEB128 numbers: the names (their number; length and UTF-8 of each), then the
/// mappings (their number; for each: pages since the end of the previous one, pages, resident pages, proportional
/// bytes, private dirty pages, swapped pages, flags, name, length of the runs, runs as in ResidentRuns).
inline constexpr std::size_t kMostResidentSampleBytes = std::size_t{64} << 20; ///< in memory and in records

/// The payloads of the records. Empty if the sample is larger than kMostResidentSampleBytes, or not isValid().
[[nodiscard]] std::vector<std::vector<std::byte>> encodeResidentSample(const ResidentSample& sample,
                                                                       std::uint32_t number);

/// Assembles samples from their records. One thread.
class ResidentParts {
  public:
    struct Outcome {
        SharedResidentSample sample; ///< complete and valid; null if none is complete
        std::uint32_t dropped = 0;   ///< samples that turned out to be incomplete or damaged
    };

    /// `time`: time of the record.
    [[nodiscard]] Outcome take(const etl::RawRecord& record, TraceTime time);
    /// No parts follow. Returns the number of samples that are incomplete.
    [[nodiscard]] std::uint32_t finish() { return parts_.finish(); }

  private:
    RecordParts parts_{kMostResidentSampleBytes};
};

} // namespace highwater::decode
