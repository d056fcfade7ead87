#pragma once

#include "core/etl/raw_record.h"

#include <cstdint>
#include <span>
#include <vector>

namespace highwater::pipeline {

/// Stores the records that define the meaning of others, regardless of their age: processes, thread names, images, the
/// system, marks, and stack keys that a source defined before their use. One thread.
class MetadataRecords {
  public:
    void take(std::span<const etl::RawRecord> records);
    /// All of them in order of arrival. Valid until take().
    [[nodiscard]] std::vector<etl::RawRecord> records() const;

  private:
    static constexpr std::size_t kNone = ~std::size_t{0};
    struct Fact {
        etl::RawRecord record;   ///< its pointers are invalid
        std::size_t payload = 0; ///< offset in bytes_
        std::size_t provider = kNone;
    };

    std::size_t keep(const std::byte* bytes, std::size_t count);

    std::vector<Fact> facts_;
    std::vector<std::byte> bytes_;
};

} // namespace highwater::pipeline
