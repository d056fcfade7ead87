#include "core/analysis/frames/label_history.h"

#include <algorithm>

namespace highwater::analysis {
namespace {

std::uint64_t keyOf(LabelId label, std::uint32_t place) { return (std::uint64_t{label.value} << 32) | place; }

RenewedFrame::Rows inOrder(LabelHistory::Rows chain, StackOrder order) {
    if (order == StackOrder::RootFirst) return {chain.begin(), chain.end()};
    return {chain.rbegin(), chain.rend()};
}

bool isBefore(const RenewedFrame::Rows& a, const RenewedFrame::Rows& b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                        [](auto x, auto y) { return x.value < y.value; });
}

} // namespace

void LabelHistory::list(LabelId label, std::uint32_t place) {
    if (placesOfLabel_.size() <= label.value) placesOfLabel_.resize(label.value + std::size_t{1});
    auto& places = placesOfLabel_[label.value];
    if (places.empty() || places.back() != place) places.push_back(place);
}

void LabelHistory::remember(LabelId label, std::uint32_t place) {
    if (ofOneRow_.insert(keyOf(label, place)).second) list(label, place);
}

void LabelHistory::rememberInlined(Rows chain, std::uint32_t place) {
    auto& chains = chainsOf_[place];
    const bool isKnown = std::any_of(chains.begin(), chains.end(), [&](Rows known) {
        return known.data() == chain.data() && known.size() == chain.size();
    });
    if (isKnown) return;
    chains.push_back(chain);
    for (const auto label : chain)
        list(label, place);
    for (const auto label : chain.subspan(1))
        inlined_.insert(label.value);
}

std::span<const std::uint32_t> LabelHistory::placesOf(LabelId label) const {
    if (label.value >= placesOfLabel_.size()) return {};
    return placesOfLabel_[label.value];
}

std::size_t LabelHistory::stepsOfFrame(Rows path, StackOrder order) const {
    std::size_t steps = 0;
    if (order == StackOrder::LeafFirst) {
        while (steps < path.size() && isInlined(path[steps]))
            ++steps;
        return std::min(steps + 1, path.size());
    }
    do {
        ++steps;
    } while (steps < path.size() && isInlined(path[steps]));
    return steps;
}

bool LabelHistory::isPartOf(const Part& part, Rows chain) {
    const auto rows = inOrder(chain, part.order);
    for (std::size_t first = 0; first + part.rows.size() <= rows.size(); ++first) {
        const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(first);
        const bool isToTheEnd = first + part.rows.size() == rows.size();
        if ((isToTheEnd || part.mayLackLast) && std::equal(part.rows.begin(), part.rows.end(), begin)) return true;
        if (part.mayLackFirst == nullptr || !*part.mayLackFirst || !(*part.mayLackFirst)(rows[first])) break;
    }
    return false;
}

bool LabelHistory::everWas(std::uint32_t place, const Part& part) const {
    if (part.rows.size() == 1 && ofOneRow_.contains(keyOf(part.rows.front(), place))) return true;
    const auto chains = chainsOf_.find(place);
    if (chains == chainsOf_.end()) return false;
    return std::any_of(chains->second.begin(), chains->second.end(), [&](Rows chain) { return isPartOf(part, chain); });
}

RenewedFrame LabelHistory::renewedFrame(const Part& part, Wanted wanted, const RowsOfPlace& rowsOfPlace) const {
    RenewedFrame frame;
    frame.steps = part.rows.size();
    const RenewedFrame::Rows own(part.rows.begin(), part.rows.end());
    bool isStill = false;
    for (const auto place : placesOf(own.front())) {
        if (!everWas(place, part)) continue;
        const auto now = rowsOfPlace(place);
        if (now.empty()) continue;
        if (isPartOf(part, now)) {
            isStill = true;
            if (wanted == Wanted::First) break;
            continue;
        }
        auto rows = inOrder(now, part.order);
        if (frame.alternatives.empty() || frame.alternatives.back() != rows)
            frame.alternatives.push_back(std::move(rows));
    }
    auto& rows = frame.alternatives;
    std::sort(rows.begin(), rows.end(), isBefore);
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    frame.isRenewed = !isStill && !rows.empty();
    if (!frame.isRenewed) rows.insert(rows.begin(), own);
    if (wanted == Wanted::First) rows.resize(1);
    return frame;
}

std::vector<RenewedFrame> LabelHistory::renewed(const Path& path, Wanted wanted, const RowsOfPlace& rowsOfPlace) const {
    std::vector<RenewedFrame> frames;
    for (std::size_t at = 0; at < path.steps.size();) {
        const auto steps = stepsOfFrame(path.steps.subspan(at), path.order);
        Part part{path.steps.subspan(at, steps), path.order, false, nullptr};
        part.mayLackLast = at + steps == path.steps.size() && !path.isWhole;
        if (at == 0 && path.order == StackOrder::LeafFirst) part.mayLackFirst = &path.isSkipped;
        frames.push_back(renewedFrame(part, wanted, rowsOfPlace));
        at += steps;
    }
    return frames;
}

} // namespace highwater::analysis
