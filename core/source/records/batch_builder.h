#pragma once

#include "core/etl/raw_record.h"

#include <cstddef>
#include <cstring>
#include <string_view>
#include <vector>

namespace highwater::source {

/// Records that are made field by field, or copied from where they do not stay, as a batch with memory of its own.
/// One thread.
class BatchBuilder {
  public:
    /// Begins a record; its extended items are copied. Its payload follows through put().
    void begin(const etl::RawRecord& record);
    /// Adds to the payload of the record at hand.
    template <typename T>
    void put(const T& value) {
        putBytes(&value, sizeof(value));
    }
    void putBytes(const void* bytes, std::size_t count);
    void putZeros(std::size_t count);
    void putUtf16(std::string_view text);  ///< with its NUL
    void putNarrow(std::string_view text); ///< with its NUL

    /// A whole record, whose payload is copied. The GUID of its provider stays where it is.
    void add(const etl::RawRecord& record);

    [[nodiscard]] std::size_t size() const { return records_.size(); }
    [[nodiscard]] std::size_t payloadBytes() const { return payloads_.size(); }
    /// Appends everything to the batch, and is empty then.
    void moveTo(etl::RecordBatch& batch);

  private:
    void end();

    std::vector<etl::RawRecord> records_;
    std::vector<std::size_t> offsets_; ///< of their payloads; extended items end there
    std::vector<std::byte> payloads_;
};

} // namespace highwater::source
