#pragma once

#include "core/base/byte_reader.h"
#include "core/base/seeded_hash.h"
#include "core/event/event_sink.h"

#include <tsl/robin_map.h>

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace highwater::decode {

/// Numbers the types of managed objects by name, and passes each to the sink once. An allocation of a known type costs
/// one look-up of the bytes as they are in the record. Pipeline thread only.
class ManagedTypes {
  public:
    static constexpr std::uint32_t kMost = std::uint32_t{1} << 20;

    explicit ManagedTypes(EventSink& sink) : sink_(sink) {}

    /// name: UTF-16LE. Returns 0 if it is empty, or if there are too many types.
    [[nodiscard]] std::uint32_t numberOf(ByteSpan name);

  private:
    EventSink& sink_;
    std::deque<std::string> names_; ///< raw bytes of the names
    std::uint64_t nameBytes_ = 0;
    tsl::robin_map<std::string_view, std::uint32_t, SeededHash, std::equal_to<>> numbers_; ///< views into names_
};

} // namespace highwater::decode
