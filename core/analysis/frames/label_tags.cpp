#include "core/analysis/frames/label_tags.h"

namespace highwater::analysis {

FunctionTags LabelTags::of(LabelId label, const std::function<std::string(LabelId)>& nameOf) {
    {
        const std::scoped_lock lock(mutex_);
        if (label.value < known_.size() && known_[label.value].isKnown) return known_[label.value].tags;
    }
    const auto found = tags_->of(nameOf(label)); // two threads may compute the same
    const std::scoped_lock lock(mutex_);
    if (known_.size() <= label.value) known_.resize(label.value + std::size_t{1});
    known_[label.value] = {found, true};
    return found;
}

} // namespace highwater::analysis
