#include "core/analysis/difference/difference_impl.h"
#include "core/analysis/frames/frame_labels.h"
#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

namespace highwater::analysis {
namespace {

using RenameKind = SuggestedRename::Kind;

constexpr std::size_t kMostTried = 200;  ///< names per side, the largest: each is compared with each
constexpr std::size_t kFewestShared = 2; ///< common functions that identify a module
constexpr double kSameNeighbours = 0.5;
constexpr double kAlike = 0.6;

constexpr unsigned kBefore = 1;
constexpr unsigned kAfter = 2;

/// A name on one side only, and the features that may identify it on the other.
struct Candidate {
    std::string name;
    std::uint64_t weight = 0;
    bool isProgram = false;
    std::string module;                   ///< for a function: lowercase
    std::set<std::string> functions{};    ///< for a module
    std::set<std::uint64_t> neighbours{}; ///< for a function
};

/// "module!function" of a frame with a name.
struct NamedFrame {
    std::string_view module;
    std::string_view function;
};

std::optional<NamedFrame> namedFrame(std::string_view text) {
    text = withoutInlinedMark(text);
    const auto mark = text.find('!');
    if (mark == std::string_view::npos || mark == 0) return std::nullopt;
    const NamedFrame frame{text.substr(0, mark), text.substr(mark + 1)};
    if (frame.function.empty() || frame.function == "(unnamed)" || isOffset(frame.function)) return std::nullopt;
    return frame;
}

template <typename T>
double sharedPart(const std::set<T>& a, const std::set<T>& b, std::size_t fewest) {
    std::size_t shared = 0;
    for (const auto& one : a)
        shared += b.contains(one) ? 1 : 0;
    if (shared < fewest) return 0;
    return static_cast<double>(shared) / static_cast<double>(a.size() + b.size() - shared);
}

/// 0: no evidence that one became the other.
double scoreOfFunctions(const Candidate& before, const Candidate& after) {
    if (before.module != after.module) return 0;
    const auto shared = sharedPart(before.neighbours, after.neighbours, 1);
    if (shared == 0) return 0;
    const auto alike = likeness(before.name, after.name);
    return shared >= kSameNeighbours || alike >= kAlike ? shared + alike : 0;
}

double scoreOfModules(const Candidate& before, const Candidate& after, bool isOneProgram) {
    if (const auto letters = lettersOf(before.name); !letters.empty() && letters == lettersOf(after.name)) return 3;
    const auto shared = sharedPart(before.functions, after.functions, kFewestShared);
    if (shared >= kSameNeighbours) return 1 + shared;
    return isOneProgram && before.isProgram && after.isProgram ? 1 : 0;
}

/// The largest candidates.
std::vector<Candidate> largest(std::vector<Candidate> candidates) {
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.weight > b.weight; });
    if (candidates.size() > kMostTried) candidates.resize(kMostTried);
    return candidates;
}

/// Pairs of names that are the best match of each other, without a second match of the same quality.
template <typename Score, typename Take>
void takeBest(const std::vector<Candidate>& before, const std::vector<Candidate>& after, Score score, Take take) {
    std::vector<std::vector<double>> scores;
    for (const auto& one : before) {
        auto& row = scores.emplace_back();
        for (const auto& other : after)
            row.push_back(score(one, other));
    }
    for (std::size_t i = 0; i < before.size(); ++i) {
        for (std::size_t j = 0; j < after.size(); ++j) {
            bool isBest = scores[i][j] > 0;
            for (std::size_t k = 0; k < after.size() && isBest; ++k)
                isBest = k == j || scores[i][k] < scores[i][j];
            for (std::size_t k = 0; k < before.size() && isBest; ++k)
                isBest = k == i || scores[k][j] < scores[i][j];
            if (isBest) take(before[i], after[j]);
        }
    }
}

/// Finds the names that only one side has.
class RenameSearch {
  public:
    RenameSearch(const DifferenceEntries& tree, const PlaceTexts& texts, const DifferenceQuery& query)
        : tree_(tree), texts_(texts), query_(query) {}

    Result<std::vector<SuggestedRename>> run(const std::stop_token& stop) {
        if (!visitUses(stop) || !visitNeighbours(stop)) return cancelled();
        std::vector<std::pair<std::uint64_t, SuggestedRename>> found;
        searchModules(found);
        searchFunctions(found);
        std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
            const bool isFunction = a.second.kind == RenameKind::Function;
            if (isFunction != (b.second.kind == RenameKind::Function)) return !isFunction;
            return a.first > b.first;
        });
        std::vector<SuggestedRename> suggestions;
        for (auto& [weight, suggestion] : found)
            suggestions.push_back(std::move(suggestion));
        return suggestions;
    }

  private:
    struct Use {
        unsigned sides = 0;
        std::uint64_t weight = 0;
        bool isFrame = false;
        bool isProgram = false;
        std::set<std::uint64_t> neighbours{}; ///< places before and after it in stacks
    };
    struct Module {
        std::string name;
        unsigned sides = 0;
        bool isProgram = false;
        std::uint64_t weight = 0;
        std::set<std::string> functions{};
    };
    using Found = std::vector<std::pair<std::uint64_t, SuggestedRename>>;

    [[nodiscard]] unsigned sideOf(const DifferenceEntries::Entry& entry) const {
        return entry.trace < query_.before.size() ? kBefore : kAfter;
    }

    /// visit(entry, path, index in the path). False: stopped.
    template <typename Visit>
    bool forEachStep(const std::stop_token& stop, Visit visit) const {
        for (const auto& entry : tree_.of(tree_.all())) {
            if (stop.stop_requested()) return false;
            const auto path = tree_.path(entry);
            for (std::size_t i = 0; i < path.size(); ++i)
                visit(entry, path, i);
        }
        return true;
    }

    bool visitUses(const std::stop_token& stop) {
        return forEachStep(stop, [&](const auto& entry, const auto path, std::size_t i) {
            const auto column = query_.keys[keyOfStep(path[i])];
            auto& use = uses_[placeOfStep(path[i])];
            use.sides |= sideOf(entry);
            use.weight += entry.sums.size;
            use.isFrame = use.isFrame || isStack(column);
            use.isProgram = use.isProgram || column == Column::Process || column == Column::ProcessName;
        });
    }

    bool visitNeighbours(const std::stop_token& stop) {
        return forEachStep(stop, [&](const auto&, const auto path, std::size_t i) {
            auto& use = uses_[placeOfStep(path[i])];
            if (!use.isFrame || use.sides == (kBefore | kAfter)) return;
            if (i > 0) use.neighbours.insert(placeOfStep(path[i - 1]));
            if (i + 1 < path.size())
                use.neighbours.insert((std::uint64_t{1} << 32) | placeOfStep(path[i + 1])); // after it
        });
    }

    void searchModules(Found& found) const {
        std::map<std::string, Module> modules; // by lowercase name
        std::size_t programs[2] = {0, 0};
        const auto add = [&](std::string_view name, const Use& use) -> Module& {
            auto& module = modules[lowered(name)];
            if (module.name.empty()) module.name = name;
            module.sides |= use.sides;
            module.weight += use.weight;
            return module;
        };
        for (const auto& [place, use] : uses_) {
            const auto text = texts_.text(place);
            if (use.isProgram) {
                add(text, use).isProgram = true;
                for (const auto side : {kBefore, kAfter})
                    programs[side - 1] += (use.sides & side) != 0 ? 1 : 0;
            }
            const auto frame = use.isFrame ? namedFrame(text) : std::nullopt;
            if (frame) add(frame->module, use).functions.emplace(frame->function);
        }
        std::vector<Candidate> sides[2];
        for (const auto& [key, module] : modules) {
            if (module.sides == (kBefore | kAfter)) continue;
            if (module.name.find('!') != std::string::npos) continue; // a rename would parse it as a function
            const bool isOfBefore = module.sides == kBefore;
            if (isOfBefore && isRenamedModule(module.name)) continue;
            sides[isOfBefore ? 0 : 1].push_back({module.name, module.weight, module.isProgram, {}, module.functions});
        }
        const bool isOneProgram = programs[0] == 1 && programs[1] == 1;
        takeBest(
            largest(std::move(sides[0])), largest(std::move(sides[1])),
            [&](const auto& before, const auto& after) { return scoreOfModules(before, after, isOneProgram); },
            [&](const auto& before, const auto& after) {
                const auto kind = before.isProgram && after.isProgram ? RenameKind::Program : RenameKind::Module;
                found.emplace_back(before.weight + after.weight, SuggestedRename{kind, before.name, after.name});
            });
    }

    void searchFunctions(Found& found) const {
        std::vector<Candidate> sides[2];
        for (const auto& [place, use] : uses_) {
            if (!use.isFrame || use.sides == (kBefore | kAfter)) continue;
            const auto text = texts_.text(place);
            const auto frame = namedFrame(text);
            if (!frame) continue;
            auto name = fmt::format("{}!{}", frame->module, frame->function);
            if (use.sides == kBefore) {
                const auto former = formerName(*frame);
                if (!former) continue;
                name = *former;
            }
            sides[use.sides - 1].push_back(
                {std::move(name), use.weight, false, lowered(frame->module), {}, use.neighbours});
        }
        takeBest(largest(std::move(sides[0])), largest(std::move(sides[1])), scoreOfFunctions,
                 [&](const auto& before, const auto& after) {
                     found.emplace_back(before.weight + after.weight,
                                        SuggestedRename{RenameKind::Function, before.name, after.name});
                 });
    }

    [[nodiscard]] bool isRenamedModule(const std::string& name) const {
        return query_.renames && !equalsIgnoringCase(query_.renames->formerModuleName(name), name);
    }
    /// The name of a function on the side before; nothing: it is already renamed.
    [[nodiscard]] std::optional<std::string> formerName(const NamedFrame& frame) const {
        const auto now = fmt::format("{}!{}", frame.module, frame.function);
        if (!query_.renames) return now;
        auto former = fmt::format("{}!{}", query_.renames->formerModuleName(frame.module), frame.function);
        if (placeKey(query_.renames->functionName(former)) != placeKey(now)) return std::nullopt;
        return former;
    }

    const DifferenceEntries& tree_;
    const PlaceTexts& texts_;
    const DifferenceQuery& query_;
    std::map<std::uint32_t, Use> uses_; ///< by place
};

} // namespace

Result<std::vector<SuggestedRename>> Difference::suggestedRenames(const std::stop_token& stop) const {
    const auto& query = impl_->query;
    const auto isSame = [&](const ComparedTrace& one) { return one.trace == query.before.front().trace; };
    // Within one trace, names are the same.
    if (std::all_of(query.before.begin(), query.before.end(), isSame) &&
        std::all_of(query.after.begin(), query.after.end(), isSame))
        return std::vector<SuggestedRename>();
    return RenameSearch(impl_->tree, impl_->texts, query).run(stop);
}

std::vector<Renames::Line> Difference::unusedRenames() const {
    std::vector<Renames::Line> unused;
    const auto& used = impl_->texts.usedRenames();
    for (std::size_t line = 0; line < used.size(); ++line)
        if (!used[line]) unused.push_back(impl_->query.renames->lines()[line]);
    return unused;
}

} // namespace highwater::analysis
