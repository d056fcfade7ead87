#include "core/analysis/frames/code_locations.h"

#include "core/base/seeded_hash.h"
#include "core/store/published/image_index.h"

#include <tsl/robin_map.h>

#include <optional>

namespace highwater::analysis {
namespace {

constexpr std::uint32_t kKernelRoot = 0xFFFFFFFFu; ///< stands for every root when the address is the kernel's

/// Changes whenever a place may change: images, epochs and names of modules, but not threads or the ends of processes.
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

struct PlaceKey {
    std::uint32_t root;
    bool isReturnAddress;
    Address address;
    friend bool operator==(const PlaceKey&, const PlaceKey&) = default;
};

struct PlaceKeyHash {
    std::size_t operator()(const PlaceKey& p) const noexcept {
        return static_cast<std::size_t>(
            seededHash(p.address, (std::uint64_t{p.root} << 1) | (p.isReturnAddress ? 1 : 0)));
    }
};

} // namespace

struct CodeLocations::Index {
    tsl::robin_map<PlaceKey, std::uint32_t, PlaceKeyHash> places;
    std::optional<store::ImageIndex> images; ///< of one table of processes
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

/// What a runtime lists of its precompiled images says more than their exports. What it has generated lies in no image.
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

std::uint32_t CodeLocations::placeOf(const store::PublishedTrace& trace, FrameNodeId node) {
    const auto address = trace.columns->stacks.node(node).address;
    const bool kernel = (address & store::kKernelBit) != 0;
    const PlaceKey key{kernel ? kKernelRoot : rootOfNode_[node.value], isCaller_[node.value], address};
    const auto number = static_cast<std::uint32_t>(places_.size());
    const auto [entry, isNew] = index_->places.try_emplace(key, number);
    if (!isNew) return entry->second;
    CodeLocation place;
    place.address = address;
    place.node = node;
    place.isReturnAddress = key.isReturnAddress;
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

/// A function, a name of a module: few are concerned, but which of them takes as long to find out as to look again.
std::vector<bool> CodeLocations::takeCode(const store::PublishedTrace& trace) {
    if (!code_.update(trace)) return {};
    std::vector<bool> concerned(places_.size());
    for (std::size_t i = 0; i < places_.size(); ++i) {
        auto& place = places_[i];
        const auto& root = trace.columns->stacks.node(FrameNodeId{rootOfNode_[place.node.value]});
        const auto before = std::pair(place.isGenerated(), place.isStub);
        if (place.address != store::kStackCut) locateGenerated(store::unpackRoot(root), place);
        concerned[i] = place.isGenerated() || before != std::pair(place.isGenerated(), place.isStub);
    }
    return concerned;
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
    for (auto i = first; i < trace.nodeCount; ++i) {
        if (stacks.node(FrameNodeId{i}).depth > 0) placeOfNode_[i] = placeOf(trace, FrameNodeId{i});
    }
    return moved;
}

} // namespace highwater::analysis
