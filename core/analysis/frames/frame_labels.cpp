#include "core/analysis/frames/frame_labels.h"

#include "core/analysis/frames/label_tags.h"
#include "core/analysis/frames/trace_frame_names.h"
#include "core/base/seeded_hash.h"
#include "core/store/published/id_index.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <deque>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <utility>

namespace highwater::analysis {
namespace {

constexpr std::uint32_t kNotLabelled = 0xFFFFFFFFu;
constexpr std::string_view kNamelessInlined = "(unknown)";
constexpr std::string_view kNamelessMethod = "(method without a name)";

/// Labels of the functions of one module, because addresses of one function request the same label many times.
struct FunctionLabels {
    std::vector<std::uint32_t> asFrames; ///< by function
    std::vector<std::uint32_t> asInlined;
};

/// Few functions are larger than this. Exports are sparse: between two of them are many functions that are not
/// exported. Public symbols cover nearly all functions, and the readers use any better data in an ELF file or PDB.
constexpr std::uint32_t kFarFromExport = 16u << 10;
constexpr std::uint32_t kFarFromPublic = 1u << 20;

/// Equivalent to "{}{}{:x}", but fast because a trace may have a million of them. "app!+0x1234", or "app!0x7f..." if
/// module addresses are unknown.
std::string hexText(std::string_view module, std::string_view mark, std::uint64_t number) {
    std::array<char, 16> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, 16).ptr;
    std::string text;
    text.reserve(module.size() + mark.size() + static_cast<std::size_t>(end - digits.data()));
    return text.append(module).append(mark).append(digits.data(), end);
}

} // namespace

std::string_view withoutInlinedMark(std::string_view label) {
    if (label.ends_with(kInlinedMark)) label.remove_suffix(kInlinedMark.size());
    return label;
}

/// An address if offsets are unknown (areOffsetsAddresses_).
bool isOffset(std::string_view function) { return function.starts_with("+0x") || function.starts_with("0x"); }

bool isNamedBy(const symbols::ResolvedFunction& function, const symbols::ResolvedFrame& frame) {
    switch (function.origin) {
    case symbols::NameOrigin::Export:
        return frame.offset <= kFarFromExport;
    case symbols::NameOrigin::Public:
        return frame.offset <= kFarFromPublic;
    case symbols::NameOrigin::Private:
        break;
    }
    return true;
}

class FrameLabels::Impl {
  public:
    explicit Impl(std::shared_ptr<const symbols::NameSource> names) : names_(std::move(names)) {
        (void)intern("(no stack)");
        (void)intern("(stack not resolved)");
        labels_ = makeLabels();
    }

    void setNameStyle(symbols::NameStyle style);
    void setStackTags(std::shared_ptr<const StackTags> tags);
    std::string nameOf(LabelId label) {
        const std::lock_guard lock(mutex_);
        if (const auto known = shortTexts_.find(label.value); known != shortTexts_.end()) return known->second;
        return label.value < texts_.size() ? std::string(withoutInlinedMark(texts_[label.value])) : std::string();
    }
    std::shared_ptr<const NodeLabels> labelsOf(const store::PublishedTrace& trace);
    std::string_view text(LabelId label) {
        const std::lock_guard lock(mutex_);
        return label.value < texts_.size() ? std::string_view(texts_[label.value]) : std::string_view();
    }
    void visitTexts(const VisitText& visit) {
        const std::lock_guard lock(mutex_);
        for (std::size_t i = 0; i < texts_.size(); ++i)
            visit(LabelId{static_cast<std::uint32_t>(i)}, texts_[i]);
    }
    LabelId textId(const std::string& text) {
        const std::lock_guard lock(mutex_);
        return intern(text);
    }
    std::vector<RenewedFrame> renewed(LabelHistory::Path path, const AllocatorFrames* skipped,
                                      LabelHistory::Wanted wanted, const NodeLabels& labels);
    std::optional<RowCode> code(const NodeLabels& labels, FrameRow row);
    void visitAsked(const NodeLabels& labels, std::span<const LabelId> wanted, const VisitAsked& visit);
    bool wasAllocatorFrame(LabelId label, const AllocatorFrames& frames);

  private:
    using Frames = std::span<const symbols::ResolvedFrame>;

    /// The label of a place.
    struct PlaceLabel {
        LabelId function;
        std::uint32_t chain = 0; ///< 0: one row; otherwise a number in chains_, from 1
        friend bool operator==(const PlaceLabel&, const PlaceLabel&) = default;
    };

    LabelId intern(std::string text) {
        const auto hash = seededHash(text);
        return intern(std::move(text), hash);
    }
    LabelId intern(std::string text, std::uint64_t hash) {
        const auto known = ids_.find(hash, [&](std::uint32_t id) { return texts_[id] == text; });
        if (known != store::IdIndex::kNone) return LabelId{known};
        const auto id = static_cast<std::uint32_t>(texts_.size());
        ids_.insert(hash, id);
        texts_.push_back(std::move(text));
        return LabelId{id};
    }
    /// For the name of a function or a method instead of an address.
    LabelId internName(std::string text) {
        const auto label = intern(std::move(text));
        if (isName_.size() <= label.value) isName_.resize(label.value + std::size_t{1});
        isName_[label.value] = true;
        return label;
    }
    /// Updates existing places. Returns true if any label changed.
    bool relabel(std::shared_ptr<const symbols::NameView> view, const CodeLocations::Moved& moved);
    void labelNewPlaces();
    [[nodiscard]] std::vector<bool> modulesWithOtherNames(const symbols::NameView* view) const;
    /// The names of the place's module; null: none.
    [[nodiscard]] const symbols::ModuleNames* namesOf(const CodeLocation& place) const {
        return view_ && place.isInModule() ? view_->module(place.module) : nullptr;
    }
    [[nodiscard]] std::string plainText(const CodeLocation& place) const;
    PlaceLabel label(const CodeLocation& place);
    [[nodiscard]] std::string generatedModule(const CodeLocation& place) const;
    [[nodiscard]] std::string generatedName(const CodeLocation& place, symbols::NameStyle style) const;
    PlaceLabel namedLabel(const CodeLocation& place, const symbols::ModuleNames& names, Frames frames);
    std::optional<LabelId> functionLabel(store::ModuleIndex module, const symbols::ModuleNames& names,
                                         std::uint32_t function, bool isInlined);
    std::uint32_t chainOf(std::vector<LabelId> rows);
    /// The labels until now, with all former labels.
    LabelHistory& history();
    [[nodiscard]] std::shared_ptr<const NodeLabels> makeLabels() const;

    std::mutex mutex_;
    std::shared_ptr<const symbols::NameSource> names_;
    TraceFrameNames told_;
    symbols::NameStyle style_ = symbols::NameStyle::Short;
    bool isOtherStyle_ = false;
    std::shared_ptr<LabelTags> tags_ = std::make_shared<LabelTags>(StackTags::builtIn());
    std::deque<std::string> texts_; ///< elements must not move because text() points into them
    store::IdIndex ids_;                                                ///< by texts_
    std::vector<bool> isName_;                                          ///< by label
    tsl::robin_map<std::uint32_t, std::string, SeededHash> shortTexts_; ///< short texts of labels in the full style
    std::map<std::vector<LabelId>, std::uint32_t> chainIds_; ///< rows of frames with inlined functions, which are first
    std::vector<LabelHistory::Rows> chains_;                 ///< the keys of chainIds_
    CodeLocations places_;
    std::shared_ptr<const store::ProcessTable> processes_;
    bool areOffsetsAddresses_ = false; ///< the file is from another profiler and does not contain module addresses
    std::shared_ptr<const symbols::NameView> view_; ///< source of labelOfPlace_
    std::vector<PlaceLabel, LargeAllocator<PlaceLabel>> labelOfPlace_;
    std::shared_ptr<const NodeLabels> labels_;
    std::vector<FunctionLabels> functions_; ///< by module
    LabelHistory history_;
    /// Labels that history_ does not contain yet; they are added on first use, which most questions never need.
    using Labelled = std::pair<PlaceLabel, std::uint32_t>;
    std::vector<Labelled, LargeAllocator<Labelled>> notRemembered_;
};

void FrameLabels::Impl::setNameStyle(symbols::NameStyle style) {
    const std::lock_guard lock(mutex_);
    if (style == style_) return;
    style_ = style;
    isOtherStyle_ = true;
}

void FrameLabels::Impl::setStackTags(std::shared_ptr<const StackTags> tags) {
    const std::lock_guard lock(mutex_);
    if (tags != tags_->definitions()) tags_ = std::make_shared<LabelTags>(std::move(tags));
}

std::string FrameLabels::Impl::plainText(const CodeLocation& place) const {
    if (place.address == store::kStackCut) return fmt::format("(stack cut at {} frames)", store::kMostRecordedFrames);
    if (place.isStub) return "[stub]";
    if (!place.isInModule()) return hexText({}, "0x", place.address);
    return hexText(processes_->module(place.module).name, areOffsetsAddresses_ ? "!0x" : "!+0x", place.offset);
}

std::optional<LabelId> FrameLabels::Impl::functionLabel(store::ModuleIndex module, const symbols::ModuleNames& names,
                                                        std::uint32_t function, bool isInlined) {
    if (functions_.size() <= module.value) functions_.resize(module.value + std::size_t{1});
    auto& known = isInlined ? functions_[module.value].asInlined : functions_[module.value].asFrames;
    if (known.size() <= function) known.resize(function + std::size_t{1}, kNotLabelled);
    if (known[function] == kNotLabelled) {
        auto name = symbols::readableName(names.names().functions[function].linkageName, style_);
        if (name.empty() && !isInlined) return std::nullopt;
        if (name.empty()) name = kNamelessInlined;
        const auto& of = processes_->module(module).name;
        known[function] =
            internName(fmt::format("{}!{}{}", of, name, isInlined ? kInlinedMark : std::string_view())).value;
        if (style_ == symbols::NameStyle::Full)
            shortTexts_.try_emplace(known[function],
                                    fmt::format("{}!{}", of,
                                                symbols::readableName(names.names().functions[function].linkageName,
                                                                      symbols::NameStyle::Short)));
    }
    return LabelId{known[function]};
}

std::uint32_t FrameLabels::Impl::chainOf(std::vector<LabelId> rows) {
    const auto [entry, isNew] = chainIds_.try_emplace(std::move(rows), static_cast<std::uint32_t>(chains_.size() + 1));
    if (isNew) chains_.push_back(entry->first);
    return entry->second;
}

FrameLabels::Impl::PlaceLabel FrameLabels::Impl::namedLabel(const CodeLocation& place,
                                                            const symbols::ModuleNames& names, Frames frames) {
    const auto& outer = frames.back();
    const auto function = isNamedBy(names.function(outer), outer)
                              ? functionLabel(place.module, names, outer.function, false)
                              : std::nullopt;
    if (!function) return {intern(plainText(place)), 0};
    if (frames.size() == 1) return {*function, 0};
    std::vector<LabelId> rows{*function};
    for (auto inlined = frames.rbegin() + 1; inlined != frames.rend(); ++inlined)
        rows.push_back(*functionLabel(place.module, names, inlined->function, true));
    return {*function, chainOf(std::move(rows))};
}

/// For an entry point, only the image is known.
std::string FrameLabels::Impl::generatedModule(const CodeLocation& place) const {
    return place.isBehindEntry ? processes_->module(place.module).name : places_.generated().moduleName(place.code);
}

std::string FrameLabels::Impl::generatedName(const CodeLocation& place, symbols::NameStyle style) const {
    const auto& code = places_.generated();
    auto name = code.function(place.code);
    if (name.empty()) return std::string(kNamelessMethod);
    if (style == symbols::NameStyle::Full) name += code.arguments(place.code);
    return name;
}

FrameLabels::Impl::PlaceLabel FrameLabels::Impl::label(const CodeLocation& place) {
    if (place.isGenerated()) {
        const auto named = [&](symbols::NameStyle style) {
            return fmt::format("{}!{}", generatedModule(place), generatedName(place, style));
        };
        const auto id = internName(named(style_));
        if (style_ == symbols::NameStyle::Full) shortTexts_.try_emplace(id.value, named(symbols::NameStyle::Short));
        return {id, 0};
    }
    const auto* names = namesOf(place);
    const auto frames = names == nullptr ? std::nullopt : names->framesAt(place.codeOffset());
    if (frames && !frames->empty()) return namedLabel(place, *names, *frames);
    return {intern(plainText(place)), 0};
}

LabelHistory& FrameLabels::Impl::history() {
    for (const auto& [label, place] : notRemembered_) {
        if (label.chain == 0)
            history_.remember(label.function, place);
        else
            history_.rememberInlined(chains_[label.chain - 1], place);
    }
    notRemembered_.clear();
    return history_;
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

bool FrameLabels::Impl::relabel(std::shared_ptr<const symbols::NameView> view, const CodeLocations::Moved& moved) {
    const auto places = places_.places();
    const bool hasOtherNames = view != view_;
    const auto changed = hasOtherNames ? modulesWithOtherNames(view.get()) : std::vector<bool>();
    view_ = std::move(view); // old names are compared by address, so the old view must live until now
    for (std::uint32_t i = 0; i < changed.size() && i < functions_.size(); ++i) {
        if (changed[i]) functions_[i] = {};
    }
    if (isOtherStyle_) functions_.clear();
    const bool isEverything = std::exchange(isOtherStyle_, false) || moved.isAny;
    bool isChanged = false;
    const auto labelAnew = [&](std::uint32_t i) {
        const auto now = label(places[i]);
        isChanged = isChanged || now != labelOfPlace_[i];
        labelOfPlace_[i] = now;
        notRemembered_.emplace_back(now, i);
    };
    const auto isStale = [&](std::uint32_t i) {
        return isEverything || (places[i].isInModule() && changed[places[i].module.value]);
    };
    for (std::uint32_t i = 0; (isEverything || hasOtherNames) && i < labelOfPlace_.size(); ++i)
        if (isStale(i)) labelAnew(i);
    for (const auto i : moved.ofGenerated)
        labelAnew(i);
    // Places were labelled repeatedly. The history stores each label once.
    if (notRemembered_.size() > 2 * labelOfPlace_.size()) (void)history();
    return isChanged;
}

void FrameLabels::Impl::labelNewPlaces() {
    const auto places = places_.places();
    struct Plain {
        std::string text; ///< empty: not a plain one
        std::uint64_t hash = 0;
    };
    if (!view_) ids_.reserve(texts_.size() + places.size() - labelOfPlace_.size()); // each may need its own text
    std::array<Plain, 16> next;                                                     // each lookup is a cache miss
    for (auto i = labelOfPlace_.size(); i < places.size();) {
        const auto some = places.subspan(i, std::min(next.size(), places.size() - i));
        for (std::size_t k = 0; k < some.size(); ++k) {
            next[k].text.clear();
            if (some[k].isGenerated() || namesOf(some[k]) != nullptr) continue;
            next[k].text = plainText(some[k]);
            next[k].hash = seededHash(next[k].text);
            ids_.prefetch(next[k].hash);
        }
        for (std::size_t k = 0; k < some.size(); ++k, ++i) {
            const auto isPlain = !next[k].text.empty();
            labelOfPlace_.push_back(isPlain ? PlaceLabel{intern(std::move(next[k].text), next[k].hash), 0}
                                            : label(some[k]));
            notRemembered_.emplace_back(labelOfPlace_.back(), static_cast<std::uint32_t>(i));
        }
    }
}

std::shared_ptr<const NodeLabels> FrameLabels::Impl::makeLabels() const {
    auto labels = std::make_shared<NodeLabels>();
    const auto placeOfNode = places_.placeOfNode();
    labels->view_ = view_;
    labels->tags_ = tags_;
    labels->functions_.assign(placeOfNode.size(), kNoStack);
    if (!chains_.empty()) {
        labels->chainOfNode_.resize(placeOfNode.size());
        labels->chains_.assign(chains_.begin(), chains_.end());
    }
    for (std::size_t i = 0; i < placeOfNode.size(); ++i) {
        if (placeOfNode[i] == CodeLocations::kNoPlace) continue;
        const auto& of = labelOfPlace_[placeOfNode[i]];
        labels->functions_[i] = of.function;
        if (of.chain != 0) labels->chainOfNode_[i] = of.chain;
    }
    return labels;
}

std::shared_ptr<const NodeLabels> FrameLabels::Impl::labelsOf(const store::PublishedTrace& trace) {
    const std::lock_guard lock(mutex_);
    const auto moved = places_.update(trace);
    processes_ = trace.processes;
    areOffsetsAddresses_ = trace.lacks.isAny();
    auto view = told_.joinedWith(trace, names_ ? names_->view() : nullptr);
    const bool hasOtherView = view != view_; // lines may have changed even if names have not
    const bool isChanged = relabel(std::move(view), moved);
    labelNewPlaces();
    const bool hasOtherTags = labels_->tags() != tags_;
    if (isChanged || hasOtherView || hasOtherTags || labels_->size() != places_.placeOfNode().size())
        labels_ = makeLabels();
    return labels_;
}

std::vector<RenewedFrame> FrameLabels::Impl::renewed(LabelHistory::Path path, const AllocatorFrames* skipped,
                                                     LabelHistory::Wanted wanted, const NodeLabels& labels) {
    const std::lock_guard lock(mutex_);
    if (skipped != nullptr) path.isSkipped = [&](LabelId label) { return skipped->matches(texts_[label.value]); };
    return history().renewed(path, wanted, [&](std::uint32_t place) {
        const auto node = places_.places()[place].node;
        return node.value < labels.size() ? labels.rowsOf(node.value) : LabelHistory::Rows();
    });
}

std::optional<RowCode> FrameLabels::Impl::code(const NodeLabels& labels, FrameRow row) {
    const std::lock_guard lock(mutex_);
    const auto placeOfNode = places_.placeOfNode();
    if (row.node.value >= std::min(labels.size(), placeOfNode.size())) return std::nullopt;
    const auto place = placeOfNode[row.node.value];
    if (place == CodeLocations::kNoPlace || row.level >= labels.rowsOf(row.node.value).size()) return std::nullopt;
    RowCode code;
    code.place = places_.places()[place];
    if (code.place.isGenerated()) {
        code.generatedModule = generatedModule(code.place);
        code.generatedStart = places_.generated().start(code.place.code);
        code.generatedName = generatedName(code.place, symbols::NameStyle::Full);
    }
    const auto asked = code.place.asked();
    if (labels.view() == nullptr || !asked) return code;
    code.names = labels.view()->module(asked->module);
    const auto chain = code.names == nullptr ? std::nullopt : code.names->framesAt(asked->address);
    if (chain && row.level < chain->size()) {
        code.chain = *chain;
        code.index = chain->size() - 1 - row.level;
    }
    return code;
}

void FrameLabels::Impl::visitAsked(const NodeLabels& labels, std::span<const LabelId> wanted, const VisitAsked& visit) {
    std::vector<bool> isWanted;
    for (const auto label : wanted) {
        if (isWanted.size() <= label.value) isWanted.resize(label.value + std::size_t{1});
        isWanted[label.value] = true;
    }
    const std::lock_guard lock(mutex_);
    const auto placeOfNode = places_.placeOfNode();
    const auto nodes = static_cast<std::uint32_t>(std::min(labels.size(), placeOfNode.size()));
    for (std::uint32_t node = 0; node < nodes; ++node) {
        if (labels[node].value >= isWanted.size() || !isWanted[labels[node].value]) continue;
        if (placeOfNode[node] == CodeLocations::kNoPlace) continue;
        if (const auto asked = places_.places()[placeOfNode[node]].asked()) visit(FrameNodeId{node}, *asked);
    }
}

bool FrameLabels::Impl::wasAllocatorFrame(LabelId label, const AllocatorFrames& frames) {
    const std::lock_guard lock(mutex_);
    // Unnamed labels do not change. They are most labels of a trace without symbols, and their history would take much
    // memory.
    if (label.value >= isName_.size() || !isName_[label.value])
        return label.value < texts_.size() && frames.matches(texts_[label.value]);
    // Patterns for unnamed frames match whole modules, so a few addresses of a function are enough.
    constexpr std::size_t kEnough = 8;
    const auto places = history().placesOf(label);
    const auto some = places.first(std::min(places.size(), kEnough));
    return std::any_of(some.begin(), some.end(),
                       [&](auto place) { return frames.matches(plainText(places_.places()[place])); });
}

FrameLabels::FrameLabels(std::shared_ptr<const symbols::NameSource> names)
    : impl_(std::make_unique<Impl>(std::move(names))) {}
FrameLabels::~FrameLabels() = default;

void FrameLabels::setNameStyle(symbols::NameStyle style) { impl_->setNameStyle(style); }
void FrameLabels::setStackTags(std::shared_ptr<const StackTags> tags) { impl_->setStackTags(std::move(tags)); }

std::shared_ptr<const NodeLabels> FrameLabels::labelsOf(const store::PublishedTrace& trace) {
    return impl_->labelsOf(trace);
}

std::string_view FrameLabels::text(LabelId label) const { return impl_->text(label); }
std::string FrameLabels::nameOf(LabelId label) const { return impl_->nameOf(label); }
void FrameLabels::visitTexts(const VisitText& visit) const { impl_->visitTexts(visit); }
LabelId FrameLabels::textId(const std::string& text) { return impl_->textId(text); }

std::vector<RenewedFrame> FrameLabels::renewed(const LabelHistory::Path& path, const AllocatorFrames* skipped,
                                               LabelHistory::Wanted wanted, const NodeLabels& labels) const {
    return impl_->renewed(path, skipped, wanted, labels);
}

std::optional<RowCode> FrameLabels::code(const NodeLabels& labels, FrameRow row) const {
    return impl_->code(labels, row);
}

void FrameLabels::visitAsked(const NodeLabels& labels, std::span<const LabelId> wanted, const VisitAsked& visit) const {
    impl_->visitAsked(labels, wanted, visit);
}

bool FrameLabels::isAllocatorFrame(LabelId label, const AllocatorFrames& frames) const {
    return frames.matches(impl_->text(label));
}

bool FrameLabels::wasAllocatorFrame(LabelId label, const AllocatorFrames& frames) const {
    return impl_->wasAllocatorFrame(label, frames);
}

} // namespace highwater::analysis
