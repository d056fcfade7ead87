#include "core/analysis/held/held_by.h"

#include "core/analysis/balance/balance.h"
#include "core/analysis/frames/owner_frames.h"
#include "core/analysis/held/held_tree.h"
#include "core/analysis/held/stack_owners.h"
#include "core/analysis/pictures/picture_rows.h"
#include "core/analysis/rows/row_population.h"
#include "core/analysis/rows/row_selection.h"
#include "core/analysis/rows/stop_interval.h"
#include "core/analysis/rows/wrapper_search.h"
#include "core/analysis/table/table_health.h"
#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/references/retained.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace highwater::analysis {
namespace {

void add(BlockSum& sum, const BlockSum& more) {
    sum.count += more.count;
    sum.bytes += more.bytes;
}

/// For each block of a picture: its owner, and whether the question includes it.
struct Blocks {
    std::vector<std::uint32_t> owners; ///< labels
    std::vector<std::uint8_t> areAsked;
    std::vector<std::uint8_t> areTraced;
};

/// Visits each row of the pictures that a selection contains.
template <typename Visit>
bool eachRow(const RowSelection& selection, const PictureRows& pictures, const std::stop_token& stop, Visit visit) {
    const auto& population = selection.population();
    const auto look = [&](RowRef row) {
        const auto facts = population.facts(row);
        const auto process =
            ProcessIndex{static_cast<std::uint32_t>(selection.reader().key(Column::Process, facts.key))};
        const auto place = pictures.find(process, facts.address, facts.begin, facts.end);
        if (place) visit(*place, process, facts.key);
    };
    if (const auto& rows = selection.singleRows()) {
        for (const auto row : *rows)
            look(row);
        return !stop.stop_requested();
    }
    return population.visitMembers(1, stop, [&](unsigned, std::span<const Member> members) {
        for (const auto& member : members)
            look(member.row);
    });
}

SelectionQuery selectionOf(const HeldByQuery& query, const RowFilter* filter) {
    SelectionQuery wanted;
    wanted.table = Table::Heap;
    wanted.interval = query.interval;
    wanted.columns = {Column::Process, Column::StackBottomUp, Column::Address, Column::BeginTime, Column::EndTime};
    wanted.allocatorFrames = query.allocatorFrames.get();
    wanted.filter = filter;
    return wanted;
}

/// The steps of one process, with the sums of the blocks of the question.
class Answer {
  public:
    Answer(const PictureRows::Pictured& pictured, const Blocks& blocks, const FrameLabels& labels)
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
        answer.nodes.resize(steps.size());
        for (std::uint32_t i = 0; i < steps.size(); ++i) {
            const auto& step = steps[i];
            auto& node = answer.nodes[i];
            node.parent = step.parent;
            if (step.parent != HeldTree::kNone) {
                node.text = labels_.text(LabelId{step.owner});
                node.owner = step.owner;
            } else if (step.owner < picture_.roots.size()) {
                node.text = rootText(picture_, picture_.roots[step.owner]);
            } else {
                node.text = kNoHolder;
            }
        }
    }

    void addBlocks(HeldBy& answer) {
        for (std::uint32_t i = 0; i < picture_.blocks.size(); ++i) {
            if (blocks_.areAsked[i] == 0) continue;
            const auto& block = picture_.blocks[i];
            if (blocks_.areTraced[i] == 0) add(answer.untraced, {1, block.bytes});
            add(answer.sums[static_cast<std::size_t>(block.reachability)], {1, block.bytes});
            auto& node = answer.nodes[tree_.stepOf(i)];
            add(node.own, {1, block.bytes});
            if (block.reachability != Reachability::Reachable) ++node.uncertain;
        }
        for (auto i = answer.nodes.size(); i-- > 0;) {
            auto& node = answer.nodes[i];
            add(node.all, node.own);
            if (node.parent == HeldNode::kNoParent) continue;
            add(answer.nodes[node.parent].all, node.all);
            answer.nodes[node.parent].uncertain += node.uncertain;
        }
    }

    void addHolders(HeldBy& answer) const {
        const references::RetainedSizes retained(picture_);
        const auto blocks = static_cast<std::uint32_t>(picture_.blocks.size());
        const auto heaviest = heaviestOf(answer);
        for (std::uint32_t i = 0; i <= picture_.roots.size(); ++i) {
            const auto& node = answer.nodes[i];
            if (node.all.count == 0) continue;
            RootHolder holder{node.text, std::nullopt, node.all, node.all.bytes, node.uncertain == 0, i, {}};
            if (i < picture_.roots.size()) {
                holder.kind = picture_.roots[i].kind;
                holder.retained = retained.of(blocks + i);
            }
            for (auto step = heaviest[i]; step != HeldNode::kNoParent; step = heaviest[step])
                holder.path.push_back(answer.nodes[step].text);
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
    const FrameLabels& labels_;
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
    if (picture.hasUnknownBlocks)
        cautions.emplace_back("Not all blocks are known because the process ran before it was recorded. Heaps were "
                              "searched for pointers as a whole, so that some leaks appear reachable.");
    if (healthOf(trace, Table::Heap).totalsAreBounds())
        cautions.emplace_back("Events were lost, so the unreachable memory may be less than listed.");
    return cautions;
}

/// Collects the stacks of owners, each once.
class StackCollector {
  public:
    StackCollector(const RowSelection& selection, const StackOwners& owners, std::size_t stackCount,
                   OwnerStacks& stacks)
        : selection_(selection), owners_(owners), isNoted_(stackCount), stacks_(stacks) {}

    void note(std::uint32_t owner, ProcessIndex process, const CellKey& key) {
        const auto stack = selection_.reader().stackId(Column::StackBottomUp, key).value;
        if (isNoted_[stack]) return;
        isNoted_[stack] = true;
        std::vector<std::uint64_t> frames;
        for (const auto& step : owners_.pathToOwner({{Column::Process, process.value}}, process, key))
            if (step.column == Column::StackBottomUp) frames.push_back(step.key);
        stacks_[owner].insert(std::move(frames));
    }

  private:
    const RowSelection& selection_;
    const StackOwners& owners_;
    std::vector<bool> isNoted_;
    OwnerStacks& stacks_;
};

/// Of each picture. Paths lead through all blocks, so that each has an owner, whatever the filter is.
Result<std::vector<Blocks>> blocksOf(const store::PublishedTrace& trace, FrameLabels& labels,
                                     const PictureRows& pictures, const HeldByQuery& query, OwnerStacks& stacks,
                                     const std::stop_token& stop) {
    const auto all = TRY(RowSelection::make(trace, labels, selectionOf(query, nullptr), stop));
    OwnerFrames owners(*trace.processes, labels, query.allocatorFrames.get(), query.owners);
    const auto wrappers = findWrappers(trace, labels, {Table::Heap, query.allocatorFrames, query.owners}, stop);
    if (!wrappers) return cancelled();
    owners.setWrappers(wrappers.get());
    StackOwners ofStacks(trace, *all, owners);
    StackCollector collector(*all, ofStacks, trace.stackCount, stacks);
    std::vector<Blocks> blocks;
    const auto notInTrace = labels.textId(kNotInTrace).value;
    const std::uint8_t areAsked = query.filter.isEmpty() ? 1 : 0;
    for (const auto& pictured : pictures.all()) {
        const auto count = pictured.picture->blocks.size();
        blocks.push_back(
            {std::vector(count, notInTrace), std::vector(count, areAsked), std::vector<std::uint8_t>(count)});
    }
    const auto ask = [&](PictureRows::Place place, ProcessIndex, const CellKey&) {
        blocks[place.pictured].areAsked[place.block] = 1;
    };
    const auto note = [&](PictureRows::Place place, ProcessIndex process, const CellKey& key) {
        const auto owner = ofStacks.of(process, key);
        blocks[place.pictured].owners[place.block] = owner;
        blocks[place.pictured].areTraced[place.block] = 1;
        collector.note(owner, process, key);
    };
    if (!eachRow(*all, pictures, stop, note)) return cancelled();
    if (query.filter.isEmpty()) return blocks;
    const auto some = TRY(RowSelection::make(trace, labels, selectionOf(query, &query.filter), stop));
    if (!eachRow(*some, pictures, stop, ask)) return cancelled();
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
    return Error{ErrorKind::Unsupported,
                 fmt::format("The trace contains no picture of memory. {}",
                             trace.isOfAgent ? "To see what holds its blocks, press Ctrl+Alt+P in the window while the "
                                               "program is being recorded, or record it with --picture-every or "
                                               "--picture-at-stop."
                                             : "Only recordings that Highwater makes on Linux contain pictures.")};
}

std::vector<KeyPath> rowsOf(const HeldBy& answer, std::uint32_t node) {
    auto root = node;
    while (answer.nodes[root].parent != HeldNode::kNoParent)
        root = answer.nodes[root].parent;
    const KeyPath held{{Column::Process, answer.process.value},
                       {Column::Holder, std::uint64_t{answer.holderTexts[root]} + 1}};
    if (root == node) return {held};
    std::vector<KeyPath> rows;
    const auto stacks = answer.stacks->find(answer.nodes[node].owner);
    if (stacks == answer.stacks->end()) return rows;
    for (const auto& stack : stacks->second) {
        rows.push_back(held);
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
