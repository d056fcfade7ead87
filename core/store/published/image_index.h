#pragma once

#include "core/base/seeded_hash.h"
#include "core/store/published/epoch_index.h"
#include "core/store/published/process_table.h"

#include <cstdint>
#include <optional>
#include <tsl/robin_map.h>

namespace highwater::store {

/// Finds images as ProcessTable::findImage does, for hundreds of thousands of look-ups. A look-up takes a few dozen
/// steps regardless of the number of images and replacements. Processes are indexed on first use. The table must
/// outlive this object and must not change. One thread.
class ImageIndex {
  public:
    explicit ImageIndex(const ProcessTable& processes) : processes_(processes) {}

    [[nodiscard]] const LoadedImage* find(StackRoot root, Address address);

  private:
    const ProcessTable& processes_;
    tsl::robin_map<std::uint32_t, EpochIndex, SeededHash> ofProcesses_;
    std::optional<EpochIndex> ofKernel_; ///< one epoch: valid in all
};

} // namespace highwater::store
