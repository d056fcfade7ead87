#pragma once

#include "core/etl/raw_record.h"

#include <cstddef>
#include <cstring>
#include <string_view>
#include <vector>

namespace highwater::source {

/// Builds a batch with its own memory from records that are written field by field, or copied from temporary memory.
/// One thread.
class BatchBuilder {
  public:
    /// Starts a record and copies its extended items. put() adds its payload.
    void begin(const etl::RawRecord& record);
    /// Appends to the payload of the current record.
    template <typename T>
    void put(const T& value) {
        putBytes(&value, sizeof(value));
    }
    void putBytes(const void* bytes, std::size_t count);
    void putZeros(std::size_t count);
    void putUtf16(std::string_view text);  ///< including its NUL
    void putNarrow(std::string_view text); ///< including its NUL

    /// Adds a whole record and copies its payload. The provider's GUID is not copied.
    void add(const etl::RawRecord& record);

    [[nodiscard]] std::size_t size() const { return records_.size(); }
    [[nodiscard]] std::size_t payloadBytes() const { return payloads_.size(); }
    /// Appends everything to the batch and clears the builder.
    void moveTo(etl::RecordBatch& batch);

  private:
    void end();

    std::vector<etl::RawRecord> records_;
    std::vector<std::size_t> offsets_; ///< payload offsets; extended items end there
    std::vector<std::byte> payloads_;
};

} // namespace highwater::source
