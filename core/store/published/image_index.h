#pragma once

#include "core/base/seeded_hash.h"
#include "core/store/published/process_table.h"

#include <cstdint>
#include <optional>
#include <tsl/robin_map.h>
#include <vector>

namespace highwater::store {

/// Finds images as ProcessTable::findImage does, for look-ups by the hundred thousand: however many images a process
/// has had, and however often they replaced each other, one takes a few dozen steps. Processes are taken in when they
/// are first asked for. The table must outlive it, and not change. One thread.
class ImageIndex {
  public:
    explicit ImageIndex(const ProcessTable& processes) : processes_(processes) {}

    [[nodiscard]] const LoadedImage* find(StackRoot root, Address address);

  private:
    /// Images of which later ones hide earlier ones.
    class Layers {
      public:
        Layers() = default;
        /// In the order in which they were loaded; all of one process.
        explicit Layers(const std::vector<const LoadedImage*>& images);
        [[nodiscard]] const LoadedImage* find(Address address) const;

      private:
        struct Stretch { // [first, last]
            Address first = 0;
            Address last = 0;
            const LoadedImage* image = nullptr;
        };
        std::vector<Stretch> stretches_; ///< by address
    };
    /// Images of one process: a tree over its epochs. Each image is in the few nodes that together are the epochs in
    /// which it is valid; those of an epoch are in the nodes from its leaf up to the root.
    class OfProcess {
      public:
        explicit OfProcess(const ProcessInstance& process);
        [[nodiscard]] const LoadedImage* find(std::uint32_t epoch, Address address) const;

      private:
        std::vector<Layers> nodes_; ///< 1 is the root, the children of n are 2n and 2n + 1
        std::uint32_t epochs_;
        std::uint32_t leaves_;
    };

    const ProcessTable& processes_;
    tsl::robin_map<std::uint32_t, OfProcess, SeededHash> ofProcesses_;
    std::optional<Layers> ofKernel_; ///< in all epochs
};

} // namespace highwater::store
