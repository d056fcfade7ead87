#pragma once

#include "core/base/guid.h"
#include "core/event/record_counts.h"

#include <array>
#include <cstdint>
#include <cstring>

namespace highwater::decode {

/// Counts provider records without a map search for each, because the few providers of a trace stay in a small table.
/// The counts must outlive this object and keep their entries.
class ProviderCounter {
  public:
    explicit ProviderCounter(RecordCounts& counts) : counts_(counts) {}

    void count(const Guid& provider) {
        auto& entry = entries_[provider.data1 % kEntries];
        if (entry.counter == nullptr || std::memcmp(&entry.provider, &provider, sizeof(Guid)) != 0) {
            entry = {provider, &counts_.byProvider[provider]};
        }
        ++*entry.counter;
    }

  private:
    static constexpr std::size_t kEntries = 61; ///< prime, because GUIDs of one vendor differ in few bits
    struct Entry {
        Guid provider;
        std::uint64_t* counter = nullptr;
    };
    RecordCounts& counts_;
    std::array<Entry, kEntries> entries_{};
};

} // namespace highwater::decode
