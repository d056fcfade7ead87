#include "core/analysis/held/held_by.h"

#include "core/analysis/held/held_tree.h"
#include "core/analysis/held/picture_blocks.h"
#include "core/analysis/held/step_types.h"
#include "core/analysis/pictures/picture_rows.h"
#include "core/analysis/rows/row_selection.h"
#include "core/analysis/table/table_health.h"
#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/references/retained.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace highwater::analysis {
namespace {

/// For each block of a picture: its owner, and whether the question includes it.
struct Blocks {
    std::vector<std::uint32_t> owners; ///< labels
    std::vector<std::uint8_t> areAsked;
    std::vector<std::uint8_t> areTraced;
};

/// The name of a frame without its line, which changes from picture to picture.
std::string functionOf(const std::string& frame) {
    const auto comma = frame.rfind(", "), colon = frame.rfind(':');
    const bool hasLine = comma != std::string::npos && colon != std::string::npos && comma < colon &&
                         colon + 1 < frame.size() &&
                         frame.find_first_not_of("0123456789", colon + 1) == std::string::npos;
    return hasLine ? frame.substr(0, comma) : frame;
}

/// The steps of one process, with the sums of the blocks of the question.
class Answer {
  public:
    Answer(const PictureRows::Pictured& pictured, const Blocks& blocks, FrameLabels& labels)
        : picture_(*pictured.picture), blocks_(blocks), tree_(picture_, blocks.owners), labels_(labels) {}

    [[nodiscard]] HeldBy make(std::string name, const PictureRows::Pictured& pictured) {
        HeldBy answer{pictured.process, std::move(name), pictured.picture};
        addNodes(answer);
        addBlocks(answer);
        addHolders(answer);
        return answer;
    }

  private:
    void addNodes(HeldBy& answer) const {
        const auto& steps = tree_.steps();
        const auto types = typesOfSteps(picture_, tree_);
        answer.nodes.resize(steps.size());
        for (std::uint32_t i = 0; i < steps.size(); ++i) {
            const auto& step = steps[i];
            auto& node = answer.nodes[i];
            node.parent = step.parent;
            if (step.parent != HeldTree::kNone) {
                node.text = labels_.text(LabelId{step.owner});
                node.owner = step.owner;
                node.type = types[i];
            } else if (step.owner < picture_.roots.size()) {
                const auto& root = picture_.roots[step.owner];
                node.text = rootText(picture_, root);
                if (root.parent != PictureRoot::kNoParent) {
                    node.parent = root.parent;
                    node.isFrame = true;
                    node.text = picture_.names[root.name];
                    node.owner = labels_.textId(functionOf(node.text)).value;
                }
            } else {
                node.text = kNoHolder;
            }
        }
    }

    void addBlocks(HeldBy& answer) {
        for (std::uint32_t i = 0; i < picture_.blocks.size(); ++i) {
            if (blocks_.areAsked[i] == 0) continue;
            const auto& block = picture_.blocks[i];
            if (blocks_.areTraced[i] == 0) answer.untraced += {1, block.bytes};
            answer.sums[static_cast<std::size_t>(block.reachability)] += {1, block.bytes};
            auto& node = answer.nodes[tree_.stepOf(i)];
            node.own += {1, block.bytes};
            if (block.reachability != Reachability::Reachable) ++node.uncertain;
        }
        for (auto i = answer.nodes.size(); i-- > 0;) {
            auto& node = answer.nodes[i];
            node.all += node.own;
            if (node.parent == HeldNode::kNoParent) continue;
            answer.nodes[node.parent].all += node.all;
            answer.nodes[node.parent].uncertain += node.uncertain;
        }
    }

    void addHolders(HeldBy& answer) const {
        const references::RetainedSizes retained(picture_);
        const auto blocks = static_cast<std::uint32_t>(picture_.blocks.size());
        const auto heaviest = heaviestOf(answer);
        for (std::uint32_t i = 0; i <= picture_.roots.size(); ++i) {
            const auto& node = answer.nodes[i];
            if (node.all.count == 0 || node.parent != HeldNode::kNoParent) continue;
            RootHolder holder{node.text, std::nullopt, node.all, node.all.bytes, node.uncertain, i, {}};
            if (i < picture_.roots.size()) {
                holder.kind = picture_.roots[i].kind;
                holder.retained = retained.of(blocks + i);
            }
            for (auto step = heaviest[i]; step != HeldNode::kNoParent; step = heaviest[step])
                holder.path.push_back(step);
            answer.holders.push_back(std::move(holder));
        }
        std::ranges::sort(answer.holders, [](const RootHolder& a, const RootHolder& b) {
            const auto most = [](const RootHolder& holder) { return std::max(holder.retained, holder.held.bytes); };
            return std::tuple(most(b), b.retained, a.text) < std::tuple(most(a), a.retained, b.text);
        });
    }

    /// For each step, the next one on the way to most of its bytes; none: most bytes are at this step.
    static std::vector<std::uint32_t> heaviestOf(const HeldBy& answer) {
        std::vector<std::uint32_t> heaviest(answer.nodes.size(), HeldNode::kNoParent);
        for (std::uint32_t i = 0; i < answer.nodes.size(); ++i) {
            const auto parent = answer.nodes[i].parent;
            if (parent == HeldNode::kNoParent || answer.nodes[i].all.count == 0) continue;
            auto& next = heaviest[parent];
            const auto least =
                next == HeldNode::kNoParent ? answer.nodes[parent].own.bytes : answer.nodes[next].all.bytes;
            if (answer.nodes[i].all.bytes > least) next = i;
        }
        return heaviest;
    }

    const MemoryPicture& picture_;
    const Blocks& blocks_;
    HeldTree tree_;
    FrameLabels& labels_;
};

/// Sentences about what the picture does not contain, and what follows.
std::vector<std::string> cautionsOf(const store::PublishedTrace& trace, const HeldBy& answer) {
    std::vector<std::string> cautions;
    const auto& picture = *answer.picture;
    if (answer.untraced.count > 0)
        cautions.push_back(fmt::format(
            "{} in {} {} not in the trace, such as blocks from before the recording: their stacks are unknown.",
            bytesText(answer.untraced.bytes), counted(answer.untraced.count, "block"),
            byNumber(answer.untraced.count, "is", "are")));
    if (picture.unreadThreads > 0)
        cautions.push_back(
            fmt::format("{} could not be stopped: blocks that only {} stack refers to are listed as unreachable.",
                        counted(picture.unreadThreads, "thread"), byNumber(picture.unreadThreads, "its", "their")));
    if (picture.unreadBytes > 0)
        cautions.push_back(fmt::format("{} of memory could not be read.", bytesText(picture.unreadBytes)));
    if (picture.hasUnknownBlocks && picture.blocks.empty())
        cautions.emplace_back(
            "No blocks are known because those that are not in the trace are found only in intact heaps "
            "of glibc. A program with another allocator, or with glibc linked statically, has none.");
    else if (picture.hasUnknownBlocks)
        cautions.emplace_back(
            "Not all blocks are known because those that are not in the trace are found only in intact "
            "heaps of glibc. Other heaps were searched for pointers as a whole, so some leaks may "
            "appear reachable.");
    if (healthOf(trace, Table::Heap).totalsAreBounds())
        cautions.emplace_back("Events were lost, so the unreachable memory may be less than listed.");
    return cautions;
}

/// Of each picture.
Result<std::vector<Blocks>> blocksOf(const store::PublishedTrace& trace, FrameLabels& labels,
                                     const PictureRows& pictures, const HeldByQuery& query, OwnerStacks& stacks,
                                     const std::stop_token& stop) {
    auto traced = TRY(
        tracedBlocksOf(trace, labels, pictures, {query.interval, query.allocatorFrames, query.owners}, &stacks, stop));
    std::vector<Blocks> blocks;
    const std::uint8_t areAsked = query.filter.isEmpty() ? 1 : 0;
    for (auto& one : traced) {
        const auto count = one.owners.size();
        blocks.push_back({std::move(one.owners), std::vector(count, areAsked), std::move(one.areTraced)});
    }
    if (query.filter.isEmpty()) return blocks;
    SelectionQuery wanted;
    wanted.table = Table::Heap;
    wanted.interval = query.interval;
    wanted.columns = {Column::Process};
    wanted.allocatorFrames = query.allocatorFrames.get();
    wanted.filter = &query.filter;
    const auto asked = TRY(RowSelection::make(trace, labels, wanted, stop));
    const auto ask = [&](PictureRows::Place place, std::uint32_t, const RowNumbers&) {
        blocks[place.pictured].areAsked[place.block] = 1;
    };
    if (!visitPictured(*asked, pictures, stop, ask)) return cancelled();
    return blocks;
}

Error noPictureIn(const std::vector<SharedMemoryPicture>& pictures, TimeRange interval) {
    const auto distance = [&](const SharedMemoryPicture& picture) {
        const auto time = picture->time.ns;
        return time < interval.start.ns ? interval.start.ns - time : time - interval.end.ns;
    };
    const auto nearest = std::ranges::min(pictures, {}, distance)->time;
    return {ErrorKind::Unsupported,
            fmt::format("The interval contains no picture of memory. The nearest one was taken at {} s. Choose an "
                        "interval that includes it.",
                        allDecimals(nearest))};
}

} // namespace

std::optional<Error> whyNoPictures(const store::PublishedTrace& trace) {
    if (trace.pictures) return std::nullopt;
    auto why = whyNotTaken(trace);
    if (why.empty())
        why = trace.isOfAgent ? "To see what holds its blocks, press Ctrl+Alt+P in the window while the program is "
                                "being recorded, or record it with --picture-every, --picture-at-stop or "
                                "--picture-at-exit."
                              : "Only recordings that Highwater makes contain pictures.";
    return Error{ErrorKind::Unsupported, "The trace contains no picture of memory. " + why};
}

std::vector<KeyPath> rowsOf(const HeldBy& answer, std::uint32_t node) {
    const auto roots = answer.holderTexts.size(); // the first nodes, with those of frames
    const auto heldBy = [&](std::uint32_t root) {
        return KeyPath{{Column::Process, answer.process.value},
                       {Column::Holder, std::uint64_t{answer.holderTexts[root]} + 1}};
    };
    std::vector<KeyPath> rows;
    if (node < roots) {
        std::set<std::uint32_t> texts;
        for (std::uint32_t root = 0; root < roots; ++root)
            if ((root == node || answer.nodes[root].parent == node) && texts.insert(answer.holderTexts[root]).second)
                rows.push_back(heldBy(root));
        return rows;
    }
    auto root = node;
    while (root >= roots)
        root = answer.nodes[root].parent;
    const auto stacks = answer.stacks->find(answer.nodes[node].owner);
    if (stacks == answer.stacks->end()) return rows;
    for (const auto& stack : stacks->second) {
        rows.push_back(heldBy(root));
        for (const auto frame : stack)
            rows.back().push_back({Column::StackBottomUp, frame});
    }
    return rows;
}

Result<std::vector<HeldBy>> findHeldBy(const store::PublishedTrace& trace, FrameLabels& labels,
                                       const HeldByQuery& query, const std::stop_token& stop) {
    if (auto refused = whyNoPictures(trace)) return *std::move(refused);
    const PictureRows pictures(trace, query.interval);
    if (pictures.all().empty()) return noPictureIn(*trace.pictures, query.interval);
    const auto stacks = std::make_shared<OwnerStacks>();
    const auto blocks = TRY(blocksOf(trace, labels, pictures, query, *stacks, stop));
    std::vector<HeldBy> answers;
    for (std::size_t i = 0; i < pictures.all().size(); ++i) {
        if (stop.stop_requested()) return cancelled();
        const auto& pictured = pictures.all()[i];
        auto answer = Answer(pictured, blocks[i], labels).make(trace.processes->key(pictured.process), pictured);
        answer.cautions = cautionsOf(trace, answer);
        answer.holderTexts = pictured.holders;
        answer.stacks = stacks;
        answers.push_back(std::move(answer));
    }
    return answers;
}

} // namespace highwater::analysis
