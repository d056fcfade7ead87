#include "ui/state/table/path_renewal.h"

#include "core/analysis/rows/key_reader.h"
#include "core/base/seeded_hash.h"
#include "ui/state/table/key_tree.h"

#include <algorithm>
#include <utility>

namespace highwater::ui {

using analysis::KeyPath;
using analysis::KeyStep;

namespace {

constexpr std::size_t kManyRows = 64;

} // namespace

std::size_t PathRenewal::HashStep::operator()(const KeyStep& step) const noexcept {
    return static_cast<std::size_t>(seededHash(step.key, static_cast<std::uint64_t>(step.column)));
}

std::vector<PathRenewal::Part> PathRenewal::partsOf(const KeyPath& path) const {
    std::vector<Part> parts;
    for (auto first = path.begin(); first != path.end();) {
        const auto column = first->column;
        if (!analysis::isStack(column)) {
            parts.push_back({{{*first}}, false});
            ++first;
            continue;
        }
        // Consecutive frames are looked up together, because one row may have become several, and several one.
        const auto last = std::find_if(first, path.end(), [&](const KeyStep& step) { return step.column != column; });
        const auto frames =
            table_.reader().renewedFrames({first, last}, last != path.end(), analysis::LabelHistory::Wanted::All);
        for (const auto& frame : frames)
            parts.push_back(partOf(column, frame));
        first = last;
    }
    return parts;
}

PathRenewal::Part PathRenewal::partOf(analysis::Column column, const analysis::RenewedFrame& frame) {
    Part part{{}, frame.isRenewed};
    for (const auto& rows : frame.alternatives) {
        auto& way = part.ways.emplace_back();
        for (const auto label : rows)
            way.push_back({column, label.value});
    }
    return part;
}

TableRow* PathRenewal::childOf(TableRow& row, KeyStep step) {
    if (row.rows.size() < kManyRows) {
        const auto found = std::find_if(row.rows.begin(), row.rows.end(), [&](auto& r) { return r.step == step; });
        return found == row.rows.end() ? nullptr : &*found;
    }
    const auto [index, isNew] = indexes_.try_emplace(&row);
    if (isNew) {
        for (auto& child : row.rows)
            index->second.emplace(child.step, &child);
    }
    const auto found = index->second.find(step);
    return found == index->second.end() ? nullptr : found->second;
}

void PathRenewal::walk(TableRow& row, std::size_t part, Walk& walk) {
    if (part == walk.parts.size()) {
        if (walk.opens) open_(row);
        return walk.found.push_back(walk.path);
    }
    const auto length = walk.path.size();
    for (const auto& way : walk.parts[part].ways) {
        auto* at = &row;
        for (auto step = way.begin(); at && step != way.end(); ++step) {
            if (walk.opens) open_(*at);
            at = childOf(*at, *step);
            walk.path.push_back(*step);
        }
        if (at) {
            noteWay(length, part, walk);
            this->walk(*at, part + 1, walk);
        }
        walk.path.resize(length);
    }
}

/// An open row that has become several, for example because a call turned out to be inlined: all of them are open.
void PathRenewal::noteWay(std::size_t begin, std::size_t part, Walk& walk) {
    if (!walk.opens || part + 1 != walk.parts.size()) return;
    for (auto length = begin + 1; length < walk.path.size(); ++length)
        walk.found.emplace_back(walk.path.begin(), walk.path.begin() + static_cast<std::ptrdiff_t>(length));
}

bool PathRenewal::renew(Paths& paths, bool opens) {
    KeyTree renewed; // several paths may have become one
    bool isAnyChanged = false;
    for (const auto& path : paths) {
        Walk walk{partsOf(path), opens, {}, {}};
        if (std::none_of(walk.parts.begin(), walk.parts.end(), [](const Part& part) { return part.isChanged; })) {
            renewed.insert(path);
            continue;
        }
        isAnyChanged = true;
        this->walk(total_, 0, walk);
        // Missing, or starting after other allocator frames than before.
        if (walk.found.empty()) walk.found.push_back(table_.renewed(path));
        for (const auto& found : walk.found)
            renewed.insert(found);
    }
    if (isAnyChanged) paths = renewed.paths();
    return isAnyChanged;
}

void PathRenewal::renew(RowViewState& kept) {
    kept.isRenamed = renew(kept.expanded, true);
    for (auto* paths : kept.marked())
        kept.isRenamed = renew(*paths, false) || kept.isRenamed;
}

} // namespace highwater::ui
