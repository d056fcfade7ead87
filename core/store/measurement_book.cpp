#include "core/store/measurement_book.h"

#include "core/base/counted.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace highwater::store {
namespace {

struct Words {
    const char* one;
    const char* many;
};
constexpr Words wordsFor(const ResidentSample* /*kind*/) {
    return {"sample of resident memory", "samples of resident memory"};
}
constexpr Words wordsFor(const MemoryPicture* /*kind*/) { return {"picture of memory", "pictures of memory"}; }

} // namespace

/// Sources deliver measurements nearly in order, except where several traces are read together.
template <typename Measurement>
void MeasurementBook<Measurement>::add(const Shared& measurement) {
    const auto place = std::ranges::upper_bound(list_, measurement->time, std::ranges::less(),
                                                [](const Shared& other) { return other->time; });
    list_.insert(place, measurement);
    bytes_ += measurement->bytes();
    copy_.reset();
    if (bytes_ > mostBytes_) thin();
}

template <typename Measurement>
void MeasurementBook<Measurement>::thin() {
    std::map<std::uint32_t, std::size_t> seen; ///< by pid
    const auto before = list_.size();
    std::erase_if(list_, [&](const Shared& measurement) {
        if (seen[measurement->pid]++ % 2 == 0) return false;
        bytes_ -= measurement->bytes();
        return true;
    });
    leftOut_ += before - list_.size();
}

template <typename Measurement>
void MeasurementBook<Measurement>::dropBefore(TraceTime time) {
    const auto first =
        std::ranges::find_if(list_, [&](const Shared& measurement) { return measurement->time >= time; });
    if (first == list_.begin()) return;
    for (auto dropped = list_.begin(); dropped != first; ++dropped)
        bytes_ -= (*dropped)->bytes();
    list_.erase(list_.begin(), first);
    copy_.reset();
}

template <typename Measurement>
auto MeasurementBook<Measurement>::published() -> std::shared_ptr<const std::vector<Shared>> {
    if (!copy_ && !list_.empty()) copy_ = std::make_shared<const std::vector<Shared>>(list_);
    return copy_;
}

template <typename Measurement>
std::vector<std::string> MeasurementBook<Measurement>::notes() const {
    if (leftOut_ == 0) return {};
    constexpr auto kWords = wordsFor(static_cast<const Measurement*>(nullptr));
    return {fmt::format("{} left out because a trace can have at most {} of them.",
                        countedWere(leftOut_, kWords.one, kWords.many), megabytes(mostBytes_))};
}

template class MeasurementBook<ResidentSample>;
template class MeasurementBook<MemoryPicture>;

} // namespace highwater::store
