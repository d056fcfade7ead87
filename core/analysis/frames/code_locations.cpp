#include "core/analysis/frames/code_locations.h"

#include "core/base/seeded_hash.h"
#include "core/store/published/id_index.h"
#include "core/store/published/image_index.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace highwater::analysis {
namespace {

constexpr std::uint32_t kKernelRoot = 0xFFFFFFFFu; ///< represents every root if the address is in the kernel

/// Changes whenever a place may change: images, epochs and names of modules, but not threads or ends of processes.
std::uint64_t imagesFingerprint(const store::ProcessTable& processes) {
    std::uint64_t hash = 0;
    const auto add = [&](std::uint64_t value) { hash = seededHash(hash, value); };
    for (const auto& process : processes.processes()) {
        add(process.pid);
        add(process.images.size());
        for (const auto& image : process.images) {
            add(image.base);
            add(image.size);
            add(image.module.value);
            add((std::uint64_t{image.firstEpoch} << 32) | image.lastEpoch);
        }
    }
    add(processes.modules().size());
    return hash;
}

std::uint64_t hashOf(const CodeLocation& place) {
    return seededHash(place.address, (std::uint64_t{place.root} << 1) | (place.isReturnAddress ? 1 : 0));
}
bool areSame(const CodeLocation& a, const CodeLocation& b) {
    return a.address == b.address && a.root == b.root && a.isReturnAddress == b.isReturnAddress;
}

/// All fields that depend on generated code.
auto generatedFacts(const CodeLocation& place) {
    return std::tuple(place.code, place.isStub, place.isBehindEntry, place.ilModule, place.ilAddress,
                      place.isLineUncertain);
}

} // namespace

struct CodeLocations::Index {
    using ByAddress = std::set<std::pair<Address, std::uint32_t>>; ///< address and place
    tsl::robin_map<std::uint32_t, ByAddress> ofProcess;            ///< all places, if there is generated code
    std::size_t listed = 0;                                        ///< places in ofProcess
    store::IdIndex places;                                         ///< a trace may have millions
    std::optional<store::ImageIndex> images;                       ///< for one table of processes
};

CodeLocations::CodeLocations() : index_(std::make_unique<Index>()) {}
CodeLocations::~CodeLocations() = default;

void CodeLocations::locate(const store::PublishedTrace& trace, CodeLocation& place) {
    const auto root = trace.columns->stacks.node(FrameNodeId{rootOfNode_[place.node.value]});
    const bool isCode = place.address != store::kStackCut;
    const auto* image = isCode ? index_->images->find(store::unpackRoot(root), place.address) : nullptr;
    place.module = image == nullptr ? store::ModuleIndex{CodeLocation::kNoModule} : image->module;
    place.offset = image == nullptr ? 0 : place.address - image->base;
    if (isCode) locateGenerated(store::unpackRoot(root), place);
}

/// A runtime's list of its precompiled images is more precise than their exports. Code that it generated is outside all
/// images.
void CodeLocations::locateGenerated(store::StackRoot root, CodeLocation& place) {
    if (code_.isEmpty()) return;
    const auto at = place.codeAddress();
    auto code = code_.find(root, at);
    if (place.isInModule() && code && !code_.isPrecompiled(*code)) code.reset();
    place.isBehindEntry = place.isInModule() && !code;
    if (place.isBehindEntry) code = code_.findEntryPoint(root, at);
    place.code = code.value_or(CodeLocation::kNoCode);
    locateIl(place);
    place.isStub = !place.isGenerated() && !place.isInModule() && (place.address & store::kKernelBit) == 0 &&
                   code_.hasNamedCode(root.process);
}

void CodeLocations::locateIl(CodeLocation& place) const {
    place.ilModule = store::ModuleIndex{CodeLocation::kNoModule};
    if (!place.isGenerated() || place.isBehindEntry) return;
    const auto module = code_.ilModule(place.code);
    const auto origin = module ? code_.ilOrigin(place.code, place.codeAddress()) : std::nullopt;
    if (!origin) return;
    place.ilModule = *module;
    place.ilAddress = symbols::ilAddress({origin->token, origin->offset});
    place.isLineUncertain = !origin->isCertain;
}

CodeLocation CodeLocations::keyOf(const store::PublishedTrace& trace, FrameNodeId node) const {
    const auto address = trace.columns->stacks.node(node).address;
    const bool kernel = (address & store::kKernelBit) != 0;
    CodeLocation place;
    place.address = address;
    place.root = kernel ? kKernelRoot : rootOfNode_[node.value];
    place.node = node;
    place.isReturnAddress = isCaller_[node.value];
    return place;
}

std::uint32_t CodeLocations::placeOf(const store::PublishedTrace& trace, FrameNodeId node) {
    auto place = keyOf(trace, node);
    const auto hash = hashOf(place);
    const auto known = index_->places.find(hash, [&](std::uint32_t id) { return areSame(places_[id], place); });
    if (known != store::IdIndex::kNone) return known;
    const auto number = static_cast<std::uint32_t>(places_.size());
    index_->places.insert(hash, number);
    locate(trace, place);
    places_.push_back(place);
    return number;
}

bool CodeLocations::takeImages(const store::PublishedTrace& trace) {
    if (processes_ == trace.processes) return false;
    const auto fingerprint = imagesFingerprint(*trace.processes);
    const bool isChanged = processes_ && fingerprint != fingerprint_;
    index_->images.reset(); // they point into the old table
    processes_ = trace.processes;
    index_->images.emplace(*processes_);
    fingerprint_ = fingerprint;
    return isChanged;
}

/// Only traces with generated code need this.
void CodeLocations::listNewPlaces(const store::PublishedTrace& trace) {
    for (; index_->listed < places_.size(); ++index_->listed) {
        const auto& place = places_[index_->listed];
        if ((place.address & store::kKernelBit) != 0) continue;
        const auto& root = trace.columns->stacks.node(FrameNodeId{rootOfNode_[place.node.value]});
        index_->ofProcess[store::unpackRoot(root).process.value].emplace(place.address,
                                                                         static_cast<std::uint32_t>(index_->listed));
    }
}

/// A return address belongs to the byte before it.
void CodeLocations::findAffected(const store::CodeChange& change, std::vector<std::uint32_t>& concerned) const {
    const auto known = index_->ofProcess.find(change.process.value);
    if (known == index_->ofProcess.end()) return;
    const auto end = known->second.end();
    const auto behind = change.last + (change.last != std::numeric_limits<Address>::max() ? 1 : 0);
    for (auto at = known->second.lower_bound({change.first, 0}); at != end && at->first <= behind; ++at)
        concerned.push_back(at->second);
}

std::vector<std::uint32_t> CodeLocations::takeCode(const store::PublishedTrace& trace) {
    const bool hasMore = code_.update(trace);
    if (code_.isEmpty()) return {};
    listNewPlaces(trace);
    std::vector<std::uint32_t> changed;
    if (!hasMore) return changed;
    std::vector<std::uint32_t> concerned;
    for (const auto& change : code_.changes())
        findAffected(change, concerned);
    std::sort(concerned.begin(), concerned.end());
    concerned.erase(std::unique(concerned.begin(), concerned.end()), concerned.end());
    for (const auto i : concerned) {
        auto& place = places_[i];
        if (place.address == store::kStackCut) continue;
        const auto before = generatedFacts(place);
        const auto& root = trace.columns->stacks.node(FrameNodeId{rootOfNode_[place.node.value]});
        locateGenerated(store::unpackRoot(root), place);
        if (before != generatedFacts(place)) changed.push_back(i);
    }
    if (code_.otherModules().empty()) return changed;
    const std::set<std::uint32_t> others(code_.otherModules().begin(), code_.otherModules().end());
    for (std::uint32_t i = 0; i < places_.size(); ++i) {
        if (!places_[i].isGenerated() || !others.contains(code_.moduleOf(places_[i].code))) continue;
        locateIl(places_[i]);
        changed.push_back(i);
    }
    return changed;
}

/// Reserves address space rather than memory, because untouched pages cost nothing. More than necessary; otherwise each
/// publication would move everything.
void CodeLocations::reserveFor(std::size_t newFrames) {
    const auto most = places_.size() + newFrames;
    if (most > places_.capacity()) places_.reserve(std::max(most, 2 * places_.capacity()));
}

CodeLocations::Moved CodeLocations::update(const store::PublishedTrace& trace) {
    Moved moved{takeImages(trace), takeCode(trace)};
    if (moved.isAny) {
        for (auto& place : places_)
            locate(trace, place);
    }
    const auto& stacks = trace.columns->stacks;
    const auto first = static_cast<std::uint32_t>(placeOfNode_.size());
    if (first >= trace.nodeCount) return moved;
    reserveFor(trace.nodeCount - first);
    rootOfNode_.resize(trace.nodeCount);
    placeOfNode_.resize(trace.nodeCount, kNoPlace);
    isCaller_.resize(trace.nodeCount, false);
    std::vector<FrameNodeId> nowCallers;
    for (auto i = first; i < trace.nodeCount; ++i) {
        const auto& node = stacks.node(FrameNodeId{i});
        rootOfNode_[i] = node.depth == 0 ? i : rootOfNode_[node.parent.value];
        if (node.depth < 2 || isCaller_[node.parent.value]) continue;
        isCaller_[node.parent.value] = true;
        if (node.parent.value < first) nowCallers.push_back(node.parent);
    }
    for (const auto node : nowCallers)
        placeOfNode_[node.value] = placeOf(trace, node);
    constexpr std::uint32_t kAhead = 16; // each lookup is a cache miss
    for (auto i = first; i < trace.nodeCount; ++i) {
        if (trace.nodeCount - i > kAhead) index_->places.prefetch(hashOf(keyOf(trace, FrameNodeId{i + kAhead})));
        if (stacks.node(FrameNodeId{i}).depth > 0) placeOfNode_[i] = placeOf(trace, FrameNodeId{i});
    }
    return moved;
}

} // namespace highwater::analysis
