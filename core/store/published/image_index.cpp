#include "core/store/published/image_index.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>
#include <map>

namespace highwater::store {
namespace {

constexpr Address kHighestAddress = std::numeric_limits<Address>::max();

Address lastByteOf(const LoadedImage& image) {
    return image.base + std::min<ByteCount>(image.size - 1, kHighestAddress - image.base);
}

} // namespace

ImageIndex::Layers::Layers(const std::vector<const LoadedImage*>& images) {
    std::map<Address, Stretch> stretches; // by first
    for (const auto* image : images) {
        const auto first = image->base;
        const auto last = lastByteOf(*image);
        auto next = stretches.upper_bound(first);
        if (next != stretches.begin() && std::prev(next)->second.last >= first) --next;
        while (next != stretches.end() && next->first <= last) {
            const auto hidden = next->second;
            next = stretches.erase(next);
            if (hidden.first < first) stretches.emplace(hidden.first, Stretch{hidden.first, first - 1, hidden.image});
            if (hidden.last <= last) continue;
            next = stretches.emplace(last + 1, Stretch{last + 1, hidden.last, hidden.image}).first;
        }
        stretches.emplace(first, Stretch{first, last, image});
    }
    stretches_.reserve(stretches.size());
    for (const auto& [first, stretch] : stretches)
        stretches_.push_back(stretch);
}

const LoadedImage* ImageIndex::Layers::find(Address address) const {
    const auto after = std::upper_bound(stretches_.begin(), stretches_.end(), address,
                                        [](Address a, const auto& stretch) { return a < stretch.first; });
    if (after == stretches_.begin() || std::prev(after)->last < address) return nullptr;
    return std::prev(after)->image;
}

ImageIndex::OfProcess::OfProcess(const ProcessInstance& process)
    : epochs_(process.epoch + 1), leaves_(std::bit_ceil(epochs_)) {
    std::vector<std::vector<const LoadedImage*>> images(std::size_t{leaves_} * 2);
    for (const auto& image : process.images) {
        auto first = std::size_t{image.firstEpoch} + leaves_;
        auto last = std::size_t{std::min(image.lastEpoch, epochs_)} + leaves_;
        for (; first < last; first /= 2, last /= 2) {
            if (first % 2 != 0) images[first++].push_back(&image);
            if (last % 2 != 0) images[--last].push_back(&image);
        }
    }
    nodes_.reserve(images.size());
    for (const auto& ofNode : images)
        nodes_.emplace_back(ofNode);
}

const LoadedImage* ImageIndex::OfProcess::find(std::uint32_t epoch, Address address) const {
    const LoadedImage* latest = nullptr; // they lie in the order in which they were loaded
    for (auto n = std::size_t{std::min(epoch, epochs_ - 1)} + leaves_; n > 0; n /= 2) {
        const auto* image = nodes_[n].find(address);
        if (image != nullptr && (latest == nullptr || image > latest)) latest = image;
    }
    return latest;
}

const LoadedImage* ImageIndex::find(StackRoot root, Address address) {
    const bool isOfProcess = (address & kKernelBit) == 0 && root.process.value < processes_.processes().size();
    if (isOfProcess) {
        auto known = ofProcesses_.find(root.process.value);
        if (known == ofProcesses_.end())
            known = ofProcesses_.emplace(root.process.value, OfProcess(processes_[root.process])).first;
        if (const auto* image = known->second.find(root.epoch, address)) return image;
    }
    // On 32-bit systems the kernel's addresses do not have the bit: its images come second for all others.
    const auto kernel = processes_.kernel();
    if (!kernel) return nullptr;
    if (!ofKernel_) {
        std::vector<const LoadedImage*> images;
        for (const auto& image : processes_[*kernel].images)
            images.push_back(&image);
        ofKernel_.emplace(images);
    }
    return ofKernel_->find(address);
}

} // namespace highwater::store
