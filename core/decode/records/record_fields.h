#pragma once

#include "core/etl/raw_record.h"

#include <cstddef>
#include <cstdint>

namespace highwater::decode {

/// The fixed fields of a payload. Layouts mix pointers (4 or 8 bytes, as specified by the record) and plain integers,
/// so a position is given as (pointers before it, other bytes before it): the third pointer after a u32 is at (2, 4).
/// Call holds() once for the end of the fixed part; reads after that are unchecked.
class RecordFields {
  public:
    explicit RecordFields(const etl::RawRecord& record)
        : payload_(record.payload),
          payloadBytes_(record.payloadBytes),
          pointerBytes_(record.pointerBytes == 4 ? 4u : 8u) {}

    [[nodiscard]] unsigned pointerBytes() const { return pointerBytes_; }
    [[nodiscard]] std::size_t offset(unsigned pointers, unsigned bytes) const {
        return pointers * pointerBytes_ + bytes;
    }
    /// Whether the payload holds at least this many pointers and other bytes.
    [[nodiscard]] bool holds(unsigned pointers, unsigned bytes) const {
        return payloadBytes_ >= offset(pointers, bytes);
    }

    [[nodiscard]] std::uint64_t pointerAt(unsigned pointers, unsigned bytes = 0) const {
        const auto* at = payload_ + offset(pointers, bytes);
        return pointerBytes_ == 8 ? loadUnchecked<std::uint64_t>(at) : loadUnchecked<std::uint32_t>(at);
    }
    template <typename T>
    [[nodiscard]] T valueAt(unsigned pointers, unsigned bytes) const {
        return loadUnchecked<T>(payload_ + offset(pointers, bytes));
    }
    [[nodiscard]] std::uint32_t u32At(unsigned pointers, unsigned bytes = 0) const {
        return valueAt<std::uint32_t>(pointers, bytes);
    }
    /// The data after the fixed part; empty if there is none.
    [[nodiscard]] ByteSpan rest(unsigned pointers, unsigned bytes) const {
        const auto start = offset(pointers, bytes);
        return start >= payloadBytes_ ? ByteSpan{} : ByteSpan(payload_ + start, payloadBytes_ - start);
    }

  private:
    const std::byte* payload_;
    std::size_t payloadBytes_;
    unsigned pointerBytes_;
};

} // namespace highwater::decode
