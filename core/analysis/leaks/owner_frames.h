#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/base/seeded_hash.h"
#include "core/store/published/process_table.h"

#include <tsl/robin_map.h>

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace highwater::analysis {

/// Who asked for memory: the first frame of the program that is no allocator, no runtime and no container. Libraries of
/// the system (modules in its folders that are not the program's own) are passed over, because what they hold they hold
/// for somebody. One thread; what it is made of must outlive it.
class OwnerFrames {
  public:
    /// allocators: the reader's list; null: none but runtimes and containers are passed over.
    OwnerFrames(const store::ProcessTable& processes, const FrameLabels& labels, const AllocatorFrames* allocators)
        : processes_(processes), labels_(labels), allocators_(allocators) {}

    /// Which of the frames it is. Innermost first, at least one. Where all are of the system: the first that is no
    /// plumbing; where all are plumbing, the first.
    [[nodiscard]] std::size_t ownerOf(ProcessIndex process, std::span<const std::uint32_t> frames);

  private:
    [[nodiscard]] bool isPlumbing(LabelId label);
    [[nodiscard]] bool isOfProgram(ProcessIndex process, LabelId label);
    using Modules = std::map<std::string, bool, std::less<>>; ///< by name in small letters: of the program
    const Modules& modulesOf(ProcessIndex process);

    const store::ProcessTable& processes_;
    const FrameLabels& labels_;
    const AllocatorFrames* allocators_;
    std::map<std::uint32_t, Modules> modules_;                 ///< by process
    tsl::robin_map<std::uint32_t, bool, SeededHash> plumbing_; ///< by label
};

/// Whether a module with this path belongs to the system: /usr/lib/..., C:\Windows\... . Both kinds of slashes.
[[nodiscard]] bool isSystemPath(std::string_view path);

} // namespace highwater::analysis
