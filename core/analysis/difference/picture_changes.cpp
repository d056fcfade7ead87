#include "core/analysis/difference/picture_changes.h"

#include "core/analysis/difference/place_texts.h"
#include "core/analysis/frames/owner_frames.h"
#include "core/analysis/held/stack_owners.h"
#include "core/analysis/rows/row_selection.h"
#include "core/analysis/rows/wrapper_search.h"
#include "core/base/counted.h"
#include "core/base/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

namespace highwater::analysis {
namespace {

using OwnerPlace = std::pair<std::uint32_t, std::uint32_t>; ///< places of the process and the owner

BlockSum without(const BlockSum& all, const BlockSum& part) { return {all.count - part.count, all.bytes - part.bytes}; }
bool hasGrown(const BlockSum& before, const BlockSum& after) {
    return std::tie(after.bytes, after.count) > std::tie(before.bytes, before.count);
}
std::uint64_t grownBytes(const BlockSum& before, const BlockSum& after) { return after.bytes - before.bytes; }

/// One side: its rows, and which of them the newest pictures contain.
struct PicturedSide {
    const ComparedTrace& compared;
    std::uint32_t trace = 0; ///< number in the difference
    std::unique_ptr<PicturedStacks> pictures = nullptr;
    std::unique_ptr<RowSelection> selection = nullptr;

    [[nodiscard]] Result<void> read(const DifferenceQuery& query, const std::stop_token& stop) {
        auto& labels = *compared.labels;
        pictures =
            TRY(PicturedStacks::make(*compared.trace, labels, {compared.interval, query.allocatorFrames, {}}, stop));
        if (pictures == nullptr) return {};
        SelectionQuery wanted;
        wanted.table = Table::Heap;
        wanted.interval = compared.interval;
        wanted.columns = {Column::Process, Column::StackBottomUp, Column::FreeType};
        wanted.allocatorFrames = query.allocatorFrames.get();
        wanted.filter = &compared.filter;
        selection = TRY(RowSelection::make(*compared.trace, labels, wanted, stop));
        return {};
    }
    [[nodiscard]] ProcessIndex processOf(const CellKey& key) const {
        return ProcessIndex{static_cast<std::uint32_t>(selection->reader().key(Column::Process, key))};
    }
    void addModulesTo(PlaceTexts& texts) const {
        std::set<std::uint32_t> processes;
        for (const auto& cell : selection->cells())
            processes.insert(processOf(cell.key).value);
        texts.addModulesOf(trace, processes);
    }
    /// Groups are owners, with the same numbers on both sides. False: stopped.
    [[nodiscard]] bool group(const DifferenceQuery& query, PlaceTexts& texts,
                             std::map<OwnerPlace, std::uint32_t>& numbers, const std::stop_token& stop) const {
        const auto& of = *compared.trace;
        OwnerFrames frames(*of.processes, *compared.labels, query.allocatorFrames.get());
        const auto wrappers = findWrappers(of, *compared.labels, {Table::Heap, query.allocatorFrames, {}}, stop);
        if (!wrappers) return false;
        frames.setWrappers(wrappers.get());
        StackOwners owners(of, *selection, frames);
        std::vector<std::uint32_t> groups;
        for (const auto& [key, sums] : selection->cells()) {
            const auto process = processOf(key);
            const auto name = selection->reader().text(Column::ProcessName, process.value);
            const OwnerPlace place{texts.process(trace, name), texts.frame(trace, LabelId{owners.of(process, key)})};
            const auto number = numbers.try_emplace(place, static_cast<std::uint32_t>(numbers.size())).first->second;
            groups.push_back(isFreedInside(key) ? PicturedStacks::kNoGroup : number);
        }
        return pictures->assign(*selection, groups, stop);
    }
};

/// The first of the owners, a sentence each.
std::string ownersText(const std::vector<PictureChange>& owners, std::string (*textOf)(const PictureChange&)) {
    constexpr std::size_t kMostOwners = 3;
    std::vector<std::string> sentences;
    for (std::size_t i = 0; i < std::min(owners.size(), kMostOwners); ++i)
        sentences.push_back(textOf(owners[i]));
    if (owners.size() > kMostOwners)
        sentences.push_back(
            fmt::format("The increase of {} is smaller.", counted(owners.size() - kMostOwners, "other owner")));
    return fmt::format("{}", fmt::join(sentences, " "));
}

} // namespace

BlockSum PictureChange::keptAfter() const { return after ? without(after->blocks, after->unreachable) : BlockSum(); }

Result<std::optional<PictureChanges>> findPictureChanges(const DifferenceQuery& query, const std::stop_token& stop) {
    std::optional<PictureChanges> changes;
    if (query.table != Table::Heap) return changes;
    std::array<PicturedSide, 2> sides{
        PicturedSide{query.before.front()},
        PicturedSide{query.after.front(), static_cast<std::uint32_t>(query.before.size())}};
    for (auto& side : sides) {
        TRY(side.read(query, stop));
        if (side.pictures == nullptr) return changes;
    }
    PlaceTexts texts(query);
    for (const auto& side : sides)
        side.addModulesTo(texts);
    std::map<OwnerPlace, std::uint32_t> numbers;
    for (const auto& side : sides)
        if (!side.group(query, texts, numbers, stop)) return cancelled();
    changes.emplace();
    for (const auto& [place, number] : numbers) {
        PictureChange change{texts.text(place.first), texts.text(place.second), {}, {}, sides[1].pictures->of(number)};
        if (const auto before = sides[0].pictures->of(number)) {
            change.unreachableBefore = before->unreachable;
            change.keptBefore = without(before->blocks, before->unreachable);
        }
        if (hasGrown(change.unreachableBefore, change.unreachableAfter())) changes->unreachable.push_back(change);
        if (hasGrown(change.keptBefore, change.keptAfter())) changes->kept.push_back(std::move(change));
    }
    std::ranges::stable_sort(changes->unreachable, std::ranges::greater(), [](const PictureChange& change) {
        return grownBytes(change.unreachableBefore, change.unreachableAfter());
    });
    std::ranges::stable_sort(changes->kept, std::ranges::greater(), [](const PictureChange& change) {
        return grownBytes(change.keptBefore, change.keptAfter());
    });
    return changes;
}

std::string unreachableText(const PictureChange& change) {
    const auto& before = change.unreachableBefore;
    return fmt::format("{} in {}: {} Before, {}.", change.owner, change.process, unreachableText(*change.after),
                       before.count == 0 ? "none was"
                                         : fmt::format("{} ({}) {}", counted(before.count, "block"),
                                                       bytesText(before.bytes), byNumber(before.count, "was", "were")));
}

std::string heldByText(const PictureChange& change) {
    return fmt::format("{} in {}, with {} more: {}", change.owner, change.process,
                       bytesText(grownBytes(change.keptBefore, change.keptAfter())), heldByText(*change.after));
}

void addPictureNotes(const DifferenceQuery& query, std::vector<DifferenceNote>& notes, const std::stop_token& stop) {
    const auto found = findPictureChanges(query, stop);
    if (!found.hasValue() || !found.value()) return;
    const auto& [unreachable, kept] = *found.value();
    if (!unreachable.empty())
        notes.push_back({"unreachable_grew", "owners with more unreachable memory", unreachable.size(),
                         ownersText(unreachable, unreachableText)});
    if (!kept.empty())
        notes.push_back(
            {"held_grew", "owners with more memory that is held", kept.size(), ownersText(kept, heldByText)});
}

} // namespace highwater::analysis
