#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/frames/owner_choices.h"
#include "core/analysis/frames/wrappers.h"
#include "core/base/seeded_hash.h"
#include "core/store/published/process_table.h"

#include <tsl/robin_map.h>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::analysis {

/// Finds the function that requested memory: the first frame of the program that is not an allocator, a runtime, a
/// container or a wrapper of an allocator. System libraries (modules in system folders that do not belong to the
/// program) and interpreters are skipped because they hold memory for their callers. One thread; its sources must
/// outlive it.
class OwnerFrames {
  public:
    /// allocators: the user's list; null: only runtimes and containers are skipped.
    OwnerFrames(const store::ProcessTable& processes, const FrameLabels& labels, const AllocatorFrames* allocators,
                OwnerChoices choices = {})
        : processes_(processes), labels_(labels), allocators_(allocators), choices_(std::move(choices)) {}

    /// From now on, skips the wrappers of the trace.
    void setWrappers(const Wrappers* wrappers) { wrappers_ = wrappers; }

    /// The index of the owner. Frames are innermost first, at least one. If all are system frames or interpreters, the
    /// first system frame; if all are interpreters, the first that is not skipped as plumbing; if all are plumbing, the
    /// first.
    [[nodiscard]] std::size_t ownerOf(ProcessIndex process, std::span<const std::uint32_t> frames);
    /// The wrappers among the frames inside the owner.
    [[nodiscard]] std::vector<std::size_t> wrappersBelow(std::span<const std::uint32_t> frames, std::size_t owner);
    /// The functions next to the allocator that may be wrappers, innermost first, without duplicates, followed by the
    /// caller of the last.
    void functionsNear(ProcessIndex process, std::span<const std::uint32_t> frames,
                       std::vector<std::uint32_t>& functions);

  private:
    enum class Chosen : std::uint8_t { No, Owner, Wrapper };
    /// Frames that may be owners. The last two include interpreters.
    enum class Search : std::uint8_t { OfProgram, Any, InterpreterOfProgram, AnyInterpreter };
    static constexpr std::array kSearches{Search::OfProgram, Search::Any, Search::InterpreterOfProgram,
                                          Search::AnyInterpreter};
    [[nodiscard]] bool isPlumbing(LabelId label);
    /// Also a row that names no function: "[stub]", "(stack cut at 192 frames)".
    [[nodiscard]] bool isInterpreter(LabelId label);
    [[nodiscard]] bool isOfProgram(ProcessIndex process, LabelId label);
    [[nodiscard]] bool findIsOfProgram(ProcessIndex process, LabelId label);
    [[nodiscard]] Chosen chosenAs(LabelId label);
    [[nodiscard]] bool isCandidate(ProcessIndex process, LabelId label, Search search);
    [[nodiscard]] std::optional<std::size_t> search(ProcessIndex process, std::span<const std::uint32_t> frames,
                                                    Search search);
    /// The outermost wrapper at or near the frame; nothing: the frame is not a wrapper and does not call one.
    [[nodiscard]] std::optional<std::size_t> wrapperNear(ProcessIndex process, std::span<const std::uint32_t> frames,
                                                         std::size_t frame, Search search);
    using Modules = std::map<std::string, bool, std::less<>>; ///< by lowercase name: whether it belongs to the program
    const Modules& modulesOf(ProcessIndex process);

    const store::ProcessTable& processes_;
    const FrameLabels& labels_;
    const AllocatorFrames* allocators_;
    OwnerChoices choices_;
    const Wrappers* wrappers_ = nullptr;
    std::map<std::uint32_t, Modules> modules_;                  ///< by process
    tsl::robin_map<std::uint32_t, bool, SeededHash> plumbing_;  ///< by label
    tsl::robin_map<std::uint32_t, bool, SeededHash> interpreters_; ///< by label
    tsl::robin_map<std::uint32_t, Chosen, SeededHash> chosen_;  ///< by label
    tsl::robin_map<std::uint64_t, bool, SeededHash> ofProgram_; ///< by process and label
};

/// Whether a module with this path belongs to the system: /usr/lib/..., C:\Windows\... . Accepts both kinds of slashes.
[[nodiscard]] bool isSystemPath(std::string_view path);

} // namespace highwater::analysis
