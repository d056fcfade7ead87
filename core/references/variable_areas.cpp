#include "core/references/variable_areas.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace highwater::references {
namespace {

/// Words of a variable.
struct NamedWords {
    Address begin = 0;
    Address end = 0;
    std::uint32_t variable = 0;
};

/// The words of all variables that can be in areas of one kind, by address, without overlaps. Areas are visited by
/// address.
struct NamedParts {
    std::vector<NamedWords> parts;
    std::size_t next = 0; ///< the first that may be in the next area
};

/// Parts of frames that belong to other frames divide them.
std::vector<NamedWords> nested(const std::vector<NamedWords>& parts) {
    std::vector<NamedWords> divided;
    for (auto part : parts) {
        if (divided.empty() || part.begin >= divided.back().end) {
            divided.push_back(part);
            continue;
        }
        const auto outer = divided.back();
        part.begin = std::max(part.begin, outer.begin); // behind a part that begins where this one does
        if (part.begin >= part.end) continue;
        divided.back().end = part.begin;
        if (outer.begin == part.begin) divided.pop_back();
        divided.push_back(part);
        if (part.end < outer.end) divided.push_back({part.end, outer.end, outer.variable});
    }
    return divided;
}

NamedParts partsOf(const std::vector<Variable>& variables, RootKind kind) {
    NamedParts all;
    auto& parts = all.parts;
    for (std::uint32_t i = 0; i < variables.size(); ++i) {
        const auto& variable = variables[i];
        const auto begin = (variable.begin + kWord - 1) / kWord * kWord, end = variable.end / kWord * kWord;
        const bool hasWords = variable.begin <= begin && begin < end; // the sum may overflow
        if (hasWords && variable.kind == kind) parts.push_back({begin, end, i});
    }
    std::ranges::sort(parts, [&](const NamedWords& a, const NamedWords& b) {
        if (a.begin != b.begin) return a.begin < b.begin;
        if (kind == RootKind::Stack && a.end != b.end) return a.end > b.end; // the outer one first
        const auto &nameOfA = variables[a.variable].name, &nameOfB = variables[b.variable].name;
        return std::tuple(nameOfA.size(), std::string_view(nameOfA), a.end) <
               std::tuple(nameOfB.size(), std::string_view(nameOfB), b.end);
    });
    if (kind == RootKind::Stack) return {nested(parts)};
    Address reached = 0;
    for (auto& part : parts) {
        part.begin = std::max(part.begin, reached);
        reached = std::max(reached, part.end);
    }
    std::erase_if(parts, [](const NamedWords& part) { return part.begin >= part.end; });
    return all;
}

class Splitter {
  public:
    Splitter(RootAreas& found, const std::vector<Variable>& variables) : found_(found), variables_(variables) {
        for (std::size_t kind = 0; kind < parts_.size(); ++kind)
            parts_[kind] = partsOf(variables, static_cast<RootKind>(kind));
    }

    /// `firstName`: of the variables.
    void split(std::uint32_t firstName) {
        firstName_ = firstName;
        const auto areas = std::exchange(found_.areas, {});
        found_.areas.reserve(areas.size() + 2 * variables_.size());
        for (const auto& area : areas)
            split(area, parts_[static_cast<std::size_t>(area.kind)]);
    }

  private:
    void split(const RootArea& area, NamedParts& from) {
        const auto& parts = from.parts;
        auto& next = from.next;
        while (next < parts.size() && parts[next].end <= area.begin)
            ++next;
        auto reached = area.begin;
        // The last part may go on in the next area.
        for (auto i = next; i < parts.size() && parts[i].begin < area.end; next = i++) {
            const auto begin = std::max(parts[i].begin, area.begin), end = std::min(parts[i].end, area.end);
            add(area, reached, begin);
            auto named = area;
            named.name = firstName_ + parts[i].variable;
            named.code = variables_[parts[i].variable].code;
            add(named, begin, end);
            reached = end;
        }
        add(area, reached, area.end);
    }
    void add(RootArea area, Address begin, Address end) {
        if (begin >= end && area.kind != RootKind::Register) return;
        area.begin = begin, area.end = end;
        found_.areas.push_back(area);
    }

    RootAreas& found_;
    const std::vector<Variable>& variables_;
    std::array<NamedParts, kRootKinds> parts_; ///< by kind
    std::uint32_t firstName_ = 0;
};

/// For each name the first that is equal. Names are compared only if their hashes are equal, because there are many,
/// all over the memory; a table of hashes would be slow for hostile names.
std::vector<std::uint32_t> firstEqualNames(const std::vector<std::string>& names) {
    struct Hashed {
        std::size_t hash = 0;
        std::uint32_t name = 0;
    };
    std::vector<Hashed> order;
    order.reserve(names.size());
    for (std::uint32_t i = 0; i < names.size(); ++i)
        order.push_back({std::hash<std::string>()(names[i]), i});
    std::ranges::sort(order, [&](const Hashed& a, const Hashed& b) {
        if (a.hash != b.hash) return a.hash < b.hash;
        return std::tie(names[a.name], a.name) < std::tie(names[b.name], b.name);
    });
    std::vector<std::uint32_t> first(names.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        const bool isEqual =
            i > 0 && order[i].hash == order[i - 1].hash && names[order[i].name] == names[order[i - 1].name];
        first[order[i].name] = isEqual ? first[order[i - 1].name] : order[i].name;
    }
    return first;
}

/// Numbers the roots of one kind.
class RootNumbers {
  public:
    RootNumbers(std::size_t names, std::vector<std::uint32_t>& parents) : parents_(parents), ofNames_(names, kNone) {}

    /// `parent`: of a frame; kNoParent: of others.
    std::uint32_t of(std::uint32_t name, std::uint32_t thread, std::uint32_t parent) {
        auto& root = thread == RootArea::kNoThread
                         ? ofNames_[name]
                         : ofThreads_.try_emplace({name, thread, parent}, kNone).first->second;
        if (root == kNone) {
            root = static_cast<std::uint32_t>(parents_.size());
            parents_.push_back(parent);
        }
        return root;
    }

  private:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;
    std::vector<std::uint32_t>& parents_; ///< of the roots of all kinds
    std::vector<std::uint32_t> ofNames_;  ///< without a thread
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> ofThreads_;
};

} // namespace

void splitByVariables(RootAreas& found, std::vector<Variable> variables) {
    if (variables.empty()) return;
    Splitter splitter(found, variables);
    const auto firstName = static_cast<std::uint32_t>(found.names.size());
    found.names.reserve(found.names.size() + variables.size());
    for (auto& variable : variables)
        found.names.push_back(std::move(variable.name));
    splitter.split(firstName);
}

void numberRoots(RootAreas& found) {
    const auto names = firstEqualNames(found.names);
    found.parents.clear();
    for (std::size_t i = 0; i < found.areas.size();) {
        const auto kind = found.areas[i].kind;
        RootNumbers numbers(found.names.size(), found.parents);
        for (; i < found.areas.size() && found.areas[i].kind == kind; ++i) {
            auto& area = found.areas[i];
            const auto parent =
                area.code == 0 ? RootAreas::kNoParent
                               : numbers.of(names[found.threadNames + area.thread], area.thread, RootAreas::kNoParent);
            area.root = numbers.of(names[area.name], area.thread, parent);
        }
    }
}

} // namespace highwater::references
