#pragma once

#include "core/etl/raw_record.h"

#include <tsl/robin_map.h>
#include <tsl/robin_set.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace highwater::pipeline {

/// The definitions of stack keys that a crop needs from outside its interval: the newest ones before it, and the first
/// ones after it, of keys that records inside use. One thread.
class CropStackKeys {
  public:
    /// Adds a definition before the interval and copies its bytes. Returns whether the crop needs it because of a
    /// reference that it already has.
    [[nodiscard]] bool define(const etl::RawRecord& definition);
    /// A record of the interval that refers to a key (contained in its payload).
    void use(const etl::RawRecord& reference);
    /// The same for a record before the interval. Returns the definition to write before it, or nothing if a later one
    /// defines its frames. Valid until the next call.
    [[nodiscard]] std::optional<etl::RawRecord> useBefore(const etl::RawRecord& reference);
    /// Whether the crop needs this definition after the interval.
    [[nodiscard]] bool isFirstAfter(const etl::RawRecord& definition);
    /// The used definitions from before the interval, with these ticks. Valid as long as this object.
    [[nodiscard]] std::vector<etl::RawRecord> used(std::int64_t ticks, std::uint16_t processor) const;

  private:
    struct Definition {
        std::vector<std::byte> payload;
        std::uint16_t version = 0;
        std::uint8_t pointerBytes = 8;
    };

    static etl::RawRecord recordOf(const Definition& definition, std::int64_t ticks, std::uint16_t processor);

    tsl::robin_map<std::uint64_t, Definition> before_;
    tsl::robin_set<std::uint64_t> awaited_; ///< their next definition has the frames of a reference before the interval
    tsl::robin_set<std::uint64_t> used_;
    tsl::robin_set<std::uint64_t> definedAfter_;
};

/// Whether the record defines the frames of a stack key.
[[nodiscard]] bool isKeyDefinition(const etl::RawRecord& record);

} // namespace highwater::pipeline
