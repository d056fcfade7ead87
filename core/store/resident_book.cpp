#include "core/store/resident_book.h"

#include "core/base/counted.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace highwater::store {

/// Sources deliver samples in order, except where several traces are read together.
void ResidentBook::add(const SharedResidentSample& sample) {
    const auto place = std::ranges::upper_bound(samples_, sample->time, std::ranges::less(),
                                                [](const SharedResidentSample& other) { return other->time; });
    samples_.insert(place, sample);
    bytes_ += sample->bytes();
    copy_.reset();
    if (bytes_ > mostBytes_) thin();
}

void ResidentBook::thin() {
    std::map<std::uint32_t, std::size_t> seen; ///< by pid
    const auto before = samples_.size();
    std::erase_if(samples_, [&](const SharedResidentSample& sample) {
        if (seen[sample->pid]++ % 2 == 0) return false;
        bytes_ -= sample->bytes();
        return true;
    });
    leftOut_ += before - samples_.size();
}

void ResidentBook::dropBefore(TraceTime time) {
    const auto first =
        std::ranges::find_if(samples_, [&](const SharedResidentSample& sample) { return sample->time >= time; });
    if (first == samples_.begin()) return;
    for (auto dropped = samples_.begin(); dropped != first; ++dropped)
        bytes_ -= (*dropped)->bytes();
    samples_.erase(samples_.begin(), first);
    copy_.reset();
}

SharedResidentSamples ResidentBook::published() {
    if (!copy_ && !samples_.empty()) copy_ = std::make_shared<const std::vector<SharedResidentSample>>(samples_);
    return copy_;
}

std::vector<std::string> ResidentBook::notes() const {
    if (leftOut_ == 0) return {};
    return {fmt::format("{} left out because a trace can have at most {} of them.",
                        countedWere(leftOut_, "sample of resident memory", "samples of resident memory"),
                        megabytes(mostBytes_))};
}

} // namespace highwater::store
