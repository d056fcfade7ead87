#include "core/store/published/image_index.h"

#include <vector>

namespace highwater::store {
namespace {

EpochIndex indexOf(const ProcessInstance& process) {
    std::vector<EpochSpan> spans;
    spans.reserve(process.images.size());
    for (const auto& image : process.images)
        spans.push_back({image.base, image.size, image.firstEpoch, image.lastEpoch});
    return {spans, process.epoch + 1};
}

EpochIndex indexOfKernel(const ProcessInstance& kernel) {
    std::vector<EpochSpan> spans;
    spans.reserve(kernel.images.size());
    for (const auto& image : kernel.images)
        spans.push_back({image.base, image.size, 0, 1});
    return {spans, 1};
}

} // namespace

const LoadedImage* ImageIndex::find(StackRoot root, Address address) {
    const bool isOfProcess = (address & kKernelBit) == 0 && root.process.value < processes_.processes().size();
    if (isOfProcess) {
        const auto& process = processes_[root.process];
        auto known = ofProcesses_.find(root.process.value);
        if (known == ofProcesses_.end()) known = ofProcesses_.emplace(root.process.value, indexOf(process)).first;
        if (const auto image = known->second.find(root.epoch, address)) return &process.images[*image];
    }
    // On 32-bit systems kernel addresses do not have the bit, so kernel images come second for all other processes.
    const auto kernel = processes_.kernel();
    if (!kernel) return nullptr;
    if (!ofKernel_) ofKernel_.emplace(indexOfKernel(processes_[*kernel]));
    const auto image = ofKernel_->find(0, address);
    return image ? &processes_[*kernel].images[*image] : nullptr;
}

} // namespace highwater::store
