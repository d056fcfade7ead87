#pragma once

#include "core/analysis/frames/node_labels.h"
#include "core/analysis/tags/stack_tags.h"

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace highwater::analysis {

/// The stack tags of labels. Each is computed once because labels keep their texts. Any thread.
class LabelTags {
  public:
    explicit LabelTags(std::shared_ptr<const StackTags> tags) : tags_(std::move(tags)) {}

    [[nodiscard]] const std::shared_ptr<const StackTags>& definitions() const { return tags_; }
    /// nameOf: returns the text that patterns match.
    [[nodiscard]] FunctionTags of(LabelId label, const std::function<std::string(LabelId)>& nameOf);

  private:
    struct Known {
        FunctionTags tags;
        bool isKnown = false;
    };
    std::shared_ptr<const StackTags> tags_; ///< not null
    std::mutex mutex_;
    std::vector<Known> known_; ///< by label
};

} // namespace highwater::analysis
