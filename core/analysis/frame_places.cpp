#include "core/analysis/frame_places.h"

#include <tsl/robin_map.h>

#include <algorithm>

namespace highwater::analysis {
namespace {

constexpr Address kKernelBit = Address{1} << 63;
constexpr std::uint32_t kKernelRoot = 0xFFFFFFFFu; ///< stands for every root when the address is the kernel's

/// Changes whenever a place may change: images, epochs and names of modules, but not threads or the ends of processes.
std::uint64_t imagesFingerprint(const store::ProcessTable& processes) {
    std::uint64_t hash = 0;
    const auto add = [&](std::uint64_t value) { hash = (hash ^ value) * 0x9E3779B97F4A7C15ull + (hash >> 29); };
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
        const auto h = (p.address ^ (std::uint64_t{p.root} << 40) ^ (std::uint64_t{p.isReturnAddress} << 62)) *
                       0x9E3779B97F4A7C15ull;
        return static_cast<std::size_t>(h ^ (h >> 32));
    }
};

} // namespace

/// The images of one address space, for lookups by the hundred thousand. Images that overlap (kept from before a loss)
/// are left to ProcessTable, which decides.
class FramePlaces::ImageRanges {
  public:
    ImageRanges(const store::ProcessTable& processes, store::StackRoot root, bool kernel) {
        for (const auto& process : processes.processes()) {
            const bool wanted = kernel ? process.pid == 0 : &process == &processes.processes()[root.process.value];
            if (!wanted) continue;
            overlap_ = overlap_ || !images_.empty();
            for (const auto& image : process.images) {
                const bool valid = image.firstEpoch <= root.epoch && root.epoch < image.lastEpoch;
                if (kernel || valid) images_.push_back(&image);
            }
        }
        std::sort(images_.begin(), images_.end(), [](auto* a, auto* b) { return a->base < b->base; });
        for (std::size_t i = 1; i < images_.size(); ++i) {
            overlap_ = overlap_ || images_[i]->base - images_[i - 1]->base < images_[i - 1]->size;
        }
    }

    [[nodiscard]] const store::LoadedImage* find(const store::ProcessTable& processes, store::StackRoot root,
                                                 Address address) const {
        if (overlap_) return processes.findImage(root, address);
        auto after = std::upper_bound(images_.begin(), images_.end(), address,
                                      [](Address a, const auto* image) { return a < image->base; });
        if (after == images_.begin()) return nullptr;
        const auto* image = *--after;
        return address - image->base < image->size ? image : nullptr;
    }

  private:
    std::vector<const store::LoadedImage*> images_;
    bool overlap_ = false;
};

struct FramePlaces::Index {
    tsl::robin_map<PlaceKey, std::uint32_t, PlaceKeyHash> places;
    tsl::robin_map<std::uint32_t, ImageRanges> ranges; ///< by root; valid for one table of processes
};

FramePlaces::FramePlaces() : index_(std::make_unique<Index>()) {}
FramePlaces::~FramePlaces() = default;

const store::LoadedImage* FramePlaces::imageAt(std::uint32_t root, store::StackRoot unpacked, Address address) {
    const bool kernel = root == kKernelRoot;
    auto& ranges = index_->ranges;
    auto range = ranges.find(root);
    if (range == ranges.end()) {
        const bool hasImages = kernel || unpacked.process.value < processes_->processes().size();
        range = ranges
                    .emplace(root, hasImages ? ImageRanges(*processes_, unpacked, kernel)
                                             : ImageRanges(store::ProcessTable{}, unpacked, true))
                    .first;
    }
    return range->second.find(*processes_, unpacked, address);
}

void FramePlaces::locate(const store::PublishedTrace& trace, FramePlace& place) {
    const bool kernel = (place.address & kKernelBit) != 0;
    const auto root = rootOfNode_[place.node.value];
    const auto unpacked = store::unpackRoot(trace.columns->stacks.node(FrameNodeId{root}));
    const auto* image = imageAt(kernel ? kKernelRoot : root, unpacked, place.address);
    // On 32-bit systems the kernel's addresses do not have the bit.
    if (image == nullptr && !kernel) image = imageAt(kKernelRoot, unpacked, place.address);
    place.module = image == nullptr ? store::ModuleIndex{FramePlace::kNoModule} : image->module;
    place.offset = image == nullptr ? 0 : place.address - image->base;
}

std::uint32_t FramePlaces::placeOf(const store::PublishedTrace& trace, FrameNodeId node) {
    const auto address = trace.columns->stacks.node(node).address;
    const bool kernel = (address & kKernelBit) != 0;
    const PlaceKey key{kernel ? kKernelRoot : rootOfNode_[node.value], isCaller_[node.value], address};
    const auto number = static_cast<std::uint32_t>(places_.size());
    const auto [entry, isNew] = index_->places.try_emplace(key, number);
    if (!isNew) return entry->second;
    FramePlace place;
    place.address = address;
    place.node = node;
    place.isReturnAddress = key.isReturnAddress;
    locate(trace, place);
    places_.push_back(place);
    return number;
}

bool FramePlaces::takeImages(const store::PublishedTrace& trace) {
    if (processes_ == trace.processes) return false;
    const auto fingerprint = imagesFingerprint(*trace.processes);
    const bool isChanged = processes_ && fingerprint != fingerprint_;
    index_->ranges.clear(); // they point into the old table
    processes_ = trace.processes;
    fingerprint_ = fingerprint;
    return isChanged;
}

bool FramePlaces::update(const store::PublishedTrace& trace) {
    const bool isChanged = takeImages(trace);
    if (isChanged) {
        for (auto& place : places_)
            locate(trace, place);
    }
    const auto& stacks = trace.columns->stacks;
    const auto first = static_cast<std::uint32_t>(placeOfNode_.size());
    if (first >= trace.nodeCount) return isChanged;
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
    return isChanged;
}

} // namespace highwater::analysis
