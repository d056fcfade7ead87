#include "core/analysis/frame_labels.h"

#include "core/analysis/frame_places.h"
#include "core/symbols/function_name.h"

#include <tsl/robin_map.h>
#include <tsl/robin_set.h>

#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <mutex>
#include <optional>
#include <span>

namespace highwater::analysis {
namespace {

constexpr std::uint32_t kNotLabelled = 0xFFFFFFFFu;

/// Functions of a module as labels: addresses of one function ask for the same one many times.
struct FunctionLabels {
    std::vector<std::uint32_t> labels; ///< by function
};

} // namespace

class FrameLabels::Impl {
  public:
    explicit Impl(std::shared_ptr<const symbols::NameSource> names) : names_(std::move(names)) {
        (void)intern("(no stack)");
        (void)intern("(stack not resolved)");
    }

    std::shared_ptr<const std::vector<LabelId>> labelsOf(const store::PublishedTrace& trace);
    std::string text(LabelId label) {
        const std::lock_guard lock(mutex_);
        return label.value < texts_.size() ? texts_[label.value] : std::string();
    }
    std::vector<LabelId> renewed(LabelId label, const std::vector<LabelId>& labels);
    bool wasAllocatorFrame(LabelId label, const AllocatorFrames& frames);

  private:
    LabelId intern(const std::string& text) {
        const auto [entry, isNew] = ids_.try_emplace(text, static_cast<std::uint32_t>(texts_.size()));
        if (isNew) texts_.push_back(text);
        return LabelId{entry->second};
    }
    /// True if any label changed.
    bool relabel(std::shared_ptr<const symbols::NameView> view, bool isEverything);
    [[nodiscard]] std::vector<bool> modulesWithOtherNames(const symbols::NameView* view) const;
    [[nodiscard]] std::string plainText(const FramePlace& place) const;
    LabelId label(const FramePlace& place);
    std::optional<LabelId> functionLabel(const FramePlace& place);
    void remember(LabelId label, std::uint32_t place);

    std::mutex mutex_;
    std::shared_ptr<const symbols::NameSource> names_;
    std::deque<std::string> texts_;
    tsl::robin_map<std::string, std::uint32_t> ids_;
    FramePlaces places_;
    std::shared_ptr<const store::ProcessTable> processes_;
    std::shared_ptr<const symbols::NameView> view_; ///< what labelOfPlace_ is made of
    std::vector<LabelId> labelOfPlace_;
    std::shared_ptr<const std::vector<LabelId>> labels_ = std::make_shared<std::vector<LabelId>>();
    std::vector<FunctionLabels> functions_; ///< by module

    // What a label has ever stood for, so that paths remembered by it find their frames under other names.
    std::vector<std::vector<std::uint32_t>> placesOfLabel_;
    tsl::robin_set<std::uint64_t> remembered_; ///< label and place
};

std::string FrameLabels::Impl::plainText(const FramePlace& place) const {
    if (!place.isInModule()) return fmt::format("0x{:x}", place.address);
    return fmt::format("{}!+0x{:x}", processes_->module(place.module).name, place.offset);
}

std::optional<LabelId> FrameLabels::Impl::functionLabel(const FramePlace& place) {
    if (!view_ || !place.isInModule()) return std::nullopt;
    const auto* names = view_->module(place.module);
    const auto frames = names == nullptr ? std::nullopt : names->framesAt(place.codeOffset());
    if (!frames || frames->empty()) return std::nullopt;
    const auto function = frames->back().function; // what was inlined into it is no frame of the stack
    if (functions_.size() <= place.module.value) functions_.resize(place.module.value + std::size_t{1});
    auto& known = functions_[place.module.value].labels;
    if (known.size() <= function) known.resize(function + std::size_t{1}, kNotLabelled);
    if (known[function] == kNotLabelled) {
        const auto name =
            symbols::readableName(names->names().functions[function].linkageName, symbols::NameStyle::Short);
        if (name.empty()) return std::nullopt;
        known[function] = intern(processes_->module(place.module).name + "!" + name).value;
    }
    return LabelId{known[function]};
}

LabelId FrameLabels::Impl::label(const FramePlace& place) {
    if (const auto named = functionLabel(place)) return *named;
    return intern(plainText(place));
}

void FrameLabels::Impl::remember(LabelId label, std::uint32_t place) {
    if (!remembered_.insert((std::uint64_t{label.value} << 32) | place).second) return;
    if (placesOfLabel_.size() <= label.value) placesOfLabel_.resize(label.value + std::size_t{1});
    placesOfLabel_[label.value].push_back(place);
}

std::vector<bool> FrameLabels::Impl::modulesWithOtherNames(const symbols::NameView* view) const {
    std::vector<bool> changed(processes_->modules().size());
    for (std::uint32_t i = 0; i < changed.size(); ++i) {
        const auto* before = view_ ? view_->module(store::ModuleIndex{i}) : nullptr;
        const auto* now = view == nullptr ? nullptr : view->module(store::ModuleIndex{i});
        changed[i] = before != now;
    }
    return changed;
}

bool FrameLabels::Impl::relabel(std::shared_ptr<const symbols::NameView> view, bool isEverything) {
    const auto& places = places_.places();
    const auto first = static_cast<std::uint32_t>(labelOfPlace_.size());
    const bool hasOtherNames = view != view_;
    const auto changed = hasOtherNames ? modulesWithOtherNames(view.get()) : std::vector<bool>();
    view_ = std::move(view); // the old one's names are compared by address: it lived until now
    for (std::uint32_t i = 0; i < changed.size() && i < functions_.size(); ++i) {
        if (changed[i]) functions_[i].labels.clear();
    }
    const auto isStale = [&](const FramePlace& place) {
        return isEverything || (hasOtherNames && place.isInModule() && changed[place.module.value]);
    };
    bool isChanged = false;
    labelOfPlace_.resize(places.size());
    for (std::uint32_t i = 0; i < places.size(); ++i) {
        if (i < first && !isStale(places[i])) continue;
        const auto now = label(places[i]);
        isChanged = isChanged || (i < first && now != labelOfPlace_[i]);
        labelOfPlace_[i] = now;
        remember(now, i);
    }
    return isChanged;
}

std::shared_ptr<const std::vector<LabelId>> FrameLabels::Impl::labelsOf(const store::PublishedTrace& trace) {
    const std::lock_guard lock(mutex_);
    const bool isMoved = places_.update(trace);
    processes_ = trace.processes;
    const bool isChanged = relabel(names_ ? names_->view() : nullptr, isMoved);
    const auto placeOfNode = places_.placeOfNode();
    if (!isChanged && labels_->size() == placeOfNode.size()) return labels_;
    auto labels = std::make_shared<std::vector<LabelId>>(placeOfNode.size(), kNoStack);
    for (std::size_t i = 0; i < placeOfNode.size(); ++i) {
        if (placeOfNode[i] != FramePlaces::kNoPlace) (*labels)[i] = labelOfPlace_[placeOfNode[i]];
    }
    labels_ = std::move(labels);
    return labels_;
}

std::vector<LabelId> FrameLabels::Impl::renewed(LabelId label, const std::vector<LabelId>& labels) {
    const std::lock_guard lock(mutex_);
    std::vector<LabelId> now;
    if (label.value < placesOfLabel_.size()) {
        for (const auto place : placesOfLabel_[label.value]) {
            const auto node = places_.places()[place].node;
            if (node.value < labels.size()) now.push_back(labels[node.value]);
        }
    }
    std::sort(now.begin(), now.end(), [](auto a, auto b) { return a.value < b.value; });
    now.erase(std::unique(now.begin(), now.end()), now.end());
    if (now.empty()) return {label};
    const auto itself = std::find(now.begin(), now.end(), label);
    if (itself != now.end()) std::rotate(now.begin(), itself, itself + 1);
    return now;
}

bool FrameLabels::Impl::wasAllocatorFrame(LabelId label, const AllocatorFrames& frames) {
    const std::lock_guard lock(mutex_);
    if (label.value >= placesOfLabel_.size()) return false;
    // Patterns for nameless frames are about whole modules: a few of a function's addresses stand for all.
    constexpr std::size_t kEnough = 8;
    const std::span<const std::uint32_t> places(placesOfLabel_[label.value]);
    const auto some = places.first(std::min(places.size(), kEnough));
    return std::any_of(some.begin(), some.end(),
                       [&](auto place) { return frames.matches(plainText(places_.places()[place])); });
}

FrameLabels::FrameLabels(std::shared_ptr<const symbols::NameSource> names)
    : impl_(std::make_unique<Impl>(std::move(names))) {}
FrameLabels::~FrameLabels() = default;

std::shared_ptr<const std::vector<LabelId>> FrameLabels::labelsOf(const store::PublishedTrace& trace) {
    return impl_->labelsOf(trace);
}

std::string FrameLabels::text(LabelId label) const { return impl_->text(label); }

std::vector<LabelId> FrameLabels::renewed(LabelId label, const std::vector<LabelId>& labels) const {
    return impl_->renewed(label, labels);
}

bool FrameLabels::isAllocatorFrame(LabelId label, const AllocatorFrames& frames) const {
    return frames.matches(impl_->text(label));
}

bool FrameLabels::wasAllocatorFrame(LabelId label, const AllocatorFrames& frames) const {
    return impl_->wasAllocatorFrame(label, frames);
}

} // namespace highwater::analysis
