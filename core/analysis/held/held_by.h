#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/frames/owner_choices.h"
#include "core/analysis/held/block_sum.h"
#include "core/analysis/held/picture_blocks.h"
#include "core/analysis/held/step_types.h"
#include "core/analysis/query/row_filter.h"
#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/units.h"
#include "core/event/memory_picture.h"
#include "core/store/published/published_trace.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::analysis {

/// Question for the roots that hold blocks of the Heap table. A plain value.
struct HeldByQuery {
    TimeRange interval{TraceTime{0}, kNever};                         ///< the newest picture of each process in it
    RowFilter filter = {}; ///< only blocks that match; empty: also blocks without a row, such as those from before the
                           ///< recording, of the owner kUntraced
    std::shared_ptr<const AllocatorFrames> allocatorFrames = nullptr; ///< skipped to find owners; null: none
    OwnerChoices owners = {};                                         ///< the user's choice of owners and wrappers
};

/// A step on the way from a root to its blocks: a root, a frame below the root of its stack, or blocks of one owner
/// that other blocks of the way refer to. Blocks of one owner that refer to each other are one step, such as the nodes
/// of a list.
struct HeldNode {
    static constexpr std::uint32_t kNoParent = 0xFFFFFFFF;

    std::uint32_t parent = kNoParent; ///< kNoParent: a root
    std::string text;                 ///< of a root as from rootText(), the function of a frame, or an owner
    BlockSum own = {};                ///< blocks of the question at this step
    BlockSum all = {};                ///< with those below
    std::uint64_t uncertain = 0;      ///< blocks of `all` that are not Reachability::Reachable
    std::uint32_t owner = 0;          ///< label of the owner or of the frame; of roots: 0
    StepType type = {};               ///< of all blocks at this step, whether the question includes them or not
    bool isFrame = false;             ///< `text` is the function of a frame, which may have no line

    /// "frame of app!run, run.cpp:41", otherwise `text`: a frame must not look like a function that allocated blocks.
    [[nodiscard]] std::string title() const { return (isFrame ? "frame of " : "") + text; }
};

/// A root and the blocks of the question that it holds: whose shortest path of pointers begins there.
struct RootHolder {
    std::string text;
    std::optional<RootKind> kind; ///< nothing: unreachable blocks
    BlockSum held;
    ByteCount retained = 0;        ///< bytes of all blocks that are reachable only from this root, with its frames
    std::uint64_t uncertain = 0;   ///< of these blocks, those that are not Reachability::Reachable
    std::uint32_t node = 0;        ///< index in HeldBy::nodes
    std::vector<std::uint32_t> path; ///< to the step with the most bytes: indexes in HeldBy::nodes

    [[nodiscard]] bool isCertain() const { return uncertain == 0; }
};

/// The answer for one process.
struct HeldBy {
    ProcessIndex process;
    std::string name; ///< "name (pid)"
    SharedMemoryPicture picture;
    std::array<BlockSum, kReachabilities> sums = {}; ///< of the blocks of the question
    BlockSum untraced = {};                          ///< those of them without a row in the trace
    std::vector<RootHolder> holders = {};            ///< most retained or held bytes first, whichever is more
    std::vector<HeldNode> nodes = {};                ///< parents before their children; first those of holderTexts
    std::vector<std::string> cautions = {};          ///< sentences: why the answer may be incomplete or wrong
    std::vector<std::uint32_t> holderTexts = {};     ///< by root: index in PictureRows::holders()
    std::shared_ptr<const OwnerStacks> stacks = nullptr;

    /// "" of roots, and of steps without a known type.
    [[nodiscard]] std::string_view typeOf(const HeldNode& node) const {
        return node.type.type == 0 ? std::string_view() : picture->types[node.type.type - 1];
    }
    [[nodiscard]] const BlockSum& sum(Reachability reachability) const {
        return sums[static_cast<std::size_t>(reachability)];
    }
};

/// Rows of the Heap table, as paths of Process, Holder and Stack (bottom-up): for a root, all blocks that it, its
/// frames or another root with the same text hold; for a step, those of them that belong to its owner. Empty: they are
/// not in the trace.
[[nodiscard]] std::vector<KeyPath> rowsOf(const HeldBy& answer, std::uint32_t node);

/// Why the trace has no answer, with the way to get one; nothing: it has pictures.
[[nodiscard]] std::optional<Error> whyNoPictures(const store::PublishedTrace& trace);

/// In the order of the process table: docs/numbers.md 26. Any thread. Errors: Cancelled, Unsupported (no picture in the
/// interval), those of the filter.
[[nodiscard]] Result<std::vector<HeldBy>> findHeldBy(const store::PublishedTrace& trace, FrameLabels& labels,
                                                     const HeldByQuery& query, const std::stop_token& stop = {});

} // namespace highwater::analysis
