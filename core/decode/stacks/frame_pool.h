#pragma once

#include "core/base/units.h"

#include <array>
#include <memory>
#include <span>
#include <vector>

namespace highwater::decode {

/// Stores copies of frames of waiting events. Uses blocks of a few sizes, cut from large chunks and reused, so that a
/// steady stream of waiting events does not allocate memory. Pipeline thread only.
class FramePool {
  public:
    /// A copy that stays valid until it is released.
    [[nodiscard]] std::span<const Address> keep(std::span<const Address> frames);
    void release(std::span<const Address> kept);
    /// Currently stored frames, rounded up to blocks.
    [[nodiscard]] std::size_t framesInUse() const { return framesInUse_; }

  private:
    static constexpr std::size_t kClasses = 14; ///< 8, 16, ... 65536 frames: a record contains at most 8190
    static constexpr std::size_t kChunkFrames = 65536;
    static constexpr std::size_t kKeptChunks = 16; ///< 8 MiB; memory beyond it, used by a rare long wait, is freed

    [[nodiscard]] Address* takeBlock(std::size_t sizeClass);
    void giveBack();

    std::array<std::vector<Address*>, kClasses> free_;
    std::vector<std::unique_ptr<Address[]>> chunks_;
    std::size_t usedInLastChunk_ = kChunkFrames;
    std::size_t framesInUse_ = 0;
};

} // namespace highwater::decode
