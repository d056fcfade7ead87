#include "core/analysis/frame_labels.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <mutex>

namespace highwater::analysis {
namespace {

constexpr Address kKernelBit = Address{1} << 63;
constexpr std::uint32_t kKernelRoot = 0xFFFFFFFFu; ///< stands for every root when the address is the kernel's

/// The images of one address space, for lookups by the hundred thousand. Images that overlap (kept from before a loss)
/// are left to ProcessTable, which decides.
class ImageRanges {
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

/// Changes whenever a label may change: images, epochs and names of modules, but not threads or the ends of processes.
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

} // namespace

class FrameLabels::Impl {
  public:
    Impl() {
        (void)intern("(no stack)");
        (void)intern("(stack not resolved)");
    }

    std::shared_ptr<const std::vector<LabelId>> labelsOf(const store::PublishedTrace& trace);
    std::string text(LabelId label) {
        const std::lock_guard lock(mutex_);
        return label.value < texts_.size() ? texts_[label.value] : std::string();
    }

  private:
    struct Place {
        std::uint32_t root;
        Address address;
        friend bool operator==(const Place&, const Place&) = default;
    };
    struct PlaceHash {
        std::size_t operator()(const Place& p) const noexcept {
            const auto h = (p.address ^ (std::uint64_t{p.root} << 40)) * 0x9E3779B97F4A7C15ull;
            return static_cast<std::size_t>(h ^ (h >> 32));
        }
    };

    LabelId intern(const std::string& text) {
        const auto [entry, isNew] = ids_.try_emplace(text, static_cast<std::uint32_t>(texts_.size()));
        if (isNew) texts_.push_back(text);
        return LabelId{entry->second};
    }
    void extend(const store::PublishedTrace& trace, std::vector<LabelId>& labels);
    LabelId label(const store::PublishedTrace& trace, std::uint32_t root, Address address);
    const store::LoadedImage* imageAt(std::uint32_t root, store::StackRoot unpacked, Address address);

    std::mutex mutex_;
    std::deque<std::string> texts_;
    tsl::robin_map<std::string, std::uint32_t> ids_;

    // What holds while the images stay the same.
    std::shared_ptr<const store::ProcessTable> processes_;
    std::uint64_t fingerprint_ = 0;
    std::shared_ptr<const std::vector<LabelId>> labels_ = std::make_shared<std::vector<LabelId>>();
    std::vector<std::uint32_t> rootOfNode_;
    tsl::robin_map<std::uint32_t, ImageRanges> ranges_;
    tsl::robin_map<Place, std::uint32_t, PlaceHash> known_;
};

const store::LoadedImage* FrameLabels::Impl::imageAt(std::uint32_t root, store::StackRoot unpacked, Address address) {
    const bool kernel = root == kKernelRoot;
    auto range = ranges_.find(root);
    if (range == ranges_.end()) {
        const bool hasImages = kernel || unpacked.process.value < processes_->processes().size();
        range = ranges_
                    .emplace(root, hasImages ? ImageRanges(*processes_, unpacked, kernel)
                                             : ImageRanges(store::ProcessTable{}, unpacked, true))
                    .first;
    }
    return range->second.find(*processes_, unpacked, address);
}

LabelId FrameLabels::Impl::label(const store::PublishedTrace& trace, std::uint32_t root, Address address) {
    const bool kernel = (address & kKernelBit) != 0;
    const Place place{kernel ? kKernelRoot : root, address};
    if (const auto found = known_.find(place); found != known_.end()) return LabelId{found->second};
    const auto unpacked = store::unpackRoot(trace.columns->stacks.node(FrameNodeId{root}));
    const auto* image = imageAt(place.root, unpacked, address);
    // On 32-bit systems the kernel's addresses do not have the bit.
    if (image == nullptr && !kernel) image = imageAt(kKernelRoot, unpacked, address);
    const auto id =
        image == nullptr
            ? intern(fmt::format("0x{:x}", address))
            : intern(fmt::format("{}!+0x{:x}", processes_->module(image->module).name, address - image->base));
    known_.emplace(place, id.value);
    return id;
}

void FrameLabels::Impl::extend(const store::PublishedTrace& trace, std::vector<LabelId>& labels) {
    const auto& stacks = trace.columns->stacks;
    const auto first = static_cast<std::uint32_t>(labels.size());
    labels.resize(trace.nodeCount);
    rootOfNode_.resize(trace.nodeCount);
    for (auto i = first; i < trace.nodeCount; ++i) {
        const auto& node = stacks.node(FrameNodeId{i});
        rootOfNode_[i] = node.depth == 0 ? i : rootOfNode_[node.parent.value];
        labels[i] = node.depth == 0 ? kNoStack : label(trace, rootOfNode_[i], node.address);
    }
}

std::shared_ptr<const std::vector<LabelId>> FrameLabels::Impl::labelsOf(const store::PublishedTrace& trace) {
    const std::lock_guard lock(mutex_);
    if (processes_ != trace.processes) {
        const auto fingerprint = imagesFingerprint(*trace.processes);
        if (!processes_ || fingerprint != fingerprint_) {
            labels_ = std::make_shared<std::vector<LabelId>>();
            rootOfNode_.clear();
            known_.clear();
        }
        ranges_.clear(); // they point into the old table
        processes_ = trace.processes;
        fingerprint_ = fingerprint;
    }
    if (labels_->size() < trace.nodeCount) {
        auto longer = std::make_shared<std::vector<LabelId>>(*labels_);
        extend(trace, *longer);
        labels_ = std::move(longer);
    }
    return labels_;
}

FrameLabels::FrameLabels() : impl_(std::make_unique<Impl>()) {}
FrameLabels::~FrameLabels() = default;

std::shared_ptr<const std::vector<LabelId>> FrameLabels::labelsOf(const store::PublishedTrace& trace) {
    return impl_->labelsOf(trace);
}

std::string FrameLabels::text(LabelId label) const { return impl_->text(label); }

bool FrameLabels::isAllocatorFrame(LabelId label, const AllocatorFrames& frames) const {
    return frames.matches(impl_->text(label));
}

} // namespace highwater::analysis
