#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/frames/owner_choices.h"
#include "core/analysis/frames/wrappers.h"
#include "core/base/seeded_hash.h"
#include "core/store/published/process_table.h"

#include <tsl/robin_map.h>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::analysis {

/// Who asked for memory: the first frame of the program that is no allocator, no runtime, no container and no wrapper
/// of an allocator. Libraries of the system (modules in its folders that are not the program's own) are passed over,
/// because what they hold they hold for somebody. One thread; what it is made of must outlive it.
class OwnerFrames {
  public:
    /// allocators: the reader's list; null: none but runtimes and containers are passed over.
    OwnerFrames(const store::ProcessTable& processes, const FrameLabels& labels, const AllocatorFrames* allocators,
                OwnerChoices choices = {})
        : processes_(processes), labels_(labels), allocators_(allocators), choices_(std::move(choices)) {}

    /// The wrappers of the trace are passed over from now on.
    void setWrappers(const Wrappers* wrappers) { wrappers_ = wrappers; }

    /// Which of the frames it is. Innermost first, at least one. Where all are of the system: the first that is no
    /// plumbing; where all are plumbing, the first.
    [[nodiscard]] std::size_t ownerOf(ProcessIndex process, std::span<const std::uint32_t> frames);
    /// Which of the frames inside of the owner are wrappers.
    [[nodiscard]] std::vector<std::size_t> wrappersBelow(std::span<const std::uint32_t> frames, std::size_t owner);
    /// The functions next to the allocator that may be wrappers, innermost first, each once, and behind them one more,
    /// which calls the last.
    void functionsNear(ProcessIndex process, std::span<const std::uint32_t> frames,
                       std::vector<std::uint32_t>& functions);

  private:
    enum class Chosen : std::uint8_t { No, Owner, Wrapper };
    enum class Search : std::uint8_t { OfProgram, Any };
    [[nodiscard]] bool isPlumbing(LabelId label);
    [[nodiscard]] bool isOfProgram(ProcessIndex process, LabelId label);
    [[nodiscard]] bool findIsOfProgram(ProcessIndex process, LabelId label);
    [[nodiscard]] Chosen chosenAs(LabelId label);
    [[nodiscard]] bool isCandidate(ProcessIndex process, LabelId label, Search search);
    [[nodiscard]] std::optional<std::size_t> search(ProcessIndex process, std::span<const std::uint32_t> frames,
                                                    Search search);
    /// The outermost wrapper at the frame or near it; nothing: it is no wrapper, and asks for none.
    [[nodiscard]] std::optional<std::size_t> wrapperNear(ProcessIndex process, std::span<const std::uint32_t> frames,
                                                         std::size_t frame, Search search);
    using Modules = std::map<std::string, bool, std::less<>>; ///< by name in small letters: of the program
    const Modules& modulesOf(ProcessIndex process);

    const store::ProcessTable& processes_;
    const FrameLabels& labels_;
    const AllocatorFrames* allocators_;
    OwnerChoices choices_;
    const Wrappers* wrappers_ = nullptr;
    std::map<std::uint32_t, Modules> modules_;                  ///< by process
    tsl::robin_map<std::uint32_t, bool, SeededHash> plumbing_;  ///< by label
    tsl::robin_map<std::uint32_t, Chosen, SeededHash> chosen_;  ///< by label
    tsl::robin_map<std::uint64_t, bool, SeededHash> ofProgram_; ///< by process and label
};

/// Whether a module with this path belongs to the system: /usr/lib/..., C:\Windows\... . Both kinds of slashes.
[[nodiscard]] bool isSystemPath(std::string_view path);

} // namespace highwater::analysis
