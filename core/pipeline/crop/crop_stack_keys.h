#pragma once

#include "core/etl/raw_record.h"

#include <tsl/robin_map.h>
#include <tsl/robin_set.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace highwater::pipeline {

/// The definitions of stack keys that a crop needs from outside its interval: the newest ones from before it, and the
/// first ones after it, of keys that records inside use. One thread.
class CropStackKeys {
  public:
    /// A definition before the interval, whose bytes are copied: whether the crop is to have it, because of a reference
    /// that it has.
    [[nodiscard]] bool define(const etl::RawRecord& definition);
    /// A record of the interval that refers to a key (its payload says which).
    void use(const etl::RawRecord& reference);
    /// The same from before the interval. The definition that is to stand before it; nothing: one that comes later
    /// tells its frames. Valid until the next call.
    [[nodiscard]] std::optional<etl::RawRecord> useBefore(const etl::RawRecord& reference);
    /// A definition after the interval: whether the crop is to have it.
    [[nodiscard]] bool isFirstAfter(const etl::RawRecord& definition);
    /// The definitions from before the interval that were used, as of these ticks. Valid as long as this object.
    [[nodiscard]] std::vector<etl::RawRecord> used(std::int64_t ticks, std::uint16_t processor) const;

  private:
    struct Definition {
        std::vector<std::byte> payload;
        std::uint16_t version = 0;
        std::uint8_t pointerBytes = 8;
    };

    static etl::RawRecord recordOf(const Definition& definition, std::int64_t ticks, std::uint16_t processor);

    tsl::robin_map<std::uint64_t, Definition> before_;
    tsl::robin_set<std::uint64_t>
        awaited_; ///< their next definition tells the frames of a reference before the interval
    tsl::robin_set<std::uint64_t> used_;
    tsl::robin_set<std::uint64_t> definedAfter_;
};

/// Whether the record says which frames a stack key stands for.
[[nodiscard]] bool isKeyDefinition(const etl::RawRecord& record);

} // namespace highwater::pipeline
