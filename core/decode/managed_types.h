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

/// Numbers the types of managed objects by their names, and tells the sink each once. An allocation of a type that is
/// known costs one look-up of the bytes as they stand in the record. Pipeline thread only.
class ManagedTypes {
  public:
    static constexpr std::uint32_t kMost = std::uint32_t{1} << 20;

    explicit ManagedTypes(EventSink& sink) : sink_(sink) {}

    /// name: UTF-16LE. 0: it is empty, or there are too many already.
    [[nodiscard]] std::uint32_t numberOf(ByteSpan name);

  private:
    EventSink& sink_;
    std::deque<std::string> names_; ///< bytes as they came
    std::uint64_t nameBytes_ = 0;
    tsl::robin_map<std::string_view, std::uint32_t, SeededHash, std::equal_to<>> numbers_; ///< views of names_
};

} // namespace highwater::decode
