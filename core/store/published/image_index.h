#pragma once

#include "core/base/seeded_hash.h"
#include "core/store/published/epoch_index.h"
#include "core/store/published/process_table.h"

#include <cstdint>
#include <optional>
#include <tsl/robin_map.h>

namespace highwater::store {

/// Finds images as ProcessTable::findImage does, for look-ups by the hundred thousand: however many images a process
/// has had, and however often they replaced each other, one takes a few dozen steps. Processes are taken in when they
/// are first asked for. The table must outlive it, and not change. One thread.
class ImageIndex {
  public:
    explicit ImageIndex(const ProcessTable& processes) : processes_(processes) {}

    [[nodiscard]] const LoadedImage* find(StackRoot root, Address address);

  private:
    const ProcessTable& processes_;
    tsl::robin_map<std::uint32_t, EpochIndex, SeededHash> ofProcesses_;
    std::optional<EpochIndex> ofKernel_; ///< one epoch: they stand in all
};

} // namespace highwater::store
