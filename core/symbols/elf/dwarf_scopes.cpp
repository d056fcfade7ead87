#include "core/symbols/elf/dwarf_scopes.h"

#include "core/symbols/elf/dwarf_attributes.h"
#include "core/symbols/elf/dwarf_cursor.h"

#include <algorithm>
#include <utility>

namespace highwater::symbols {
namespace {

using namespace llvm::dwarf;

constexpr int kMostSteps = 256;              ///< nested classes; more come from damaged files
constexpr std::size_t kLongestPrefix = 4096; ///< longer prefixes come from damaged files

/// C functions have no scope.
bool isOfC(llvm::DWARFUnit& unit) {
    switch (toUnsigned(unit.getUnitDIE().find(DW_AT_language), 0)) {
    case DW_LANG_C89:
    case DW_LANG_C:
    case DW_LANG_C99:
    case DW_LANG_C11:
    case DW_LANG_Mips_Assembler:
        return true;
    default:
        return false;
    }
}

bool isClassTag(Tag tag) {
    return tag == DW_TAG_class_type || tag == DW_TAG_structure_type || tag == DW_TAG_union_type;
}

/// Includes functions, which may contain the classes of lambdas.
bool isScopeTag(Tag tag) { return tag == DW_TAG_namespace || tag == DW_TAG_subprogram || isClassTag(tag); }

} // namespace

class DwarfScopes::Walk {
  public:
    Walk(const DwarfUnits& units, const DwarfUnits::Prepared& unit, std::vector<Scope>& scopes)
        : units_(units),
          unit_(unit),
          scopes_(scopes),
          cursor_(unit.unit->getInfoSection().Data, unit.unit->getOffset() + unit.unit->getHeaderSize(),
                  unit.unit->getNextUnitOffset()),
          mostScopes_((unit.unit->getNextUnitOffset() - unit.unit->getOffset()) / 4 + 64) {}

    void run() {
        do {
            const auto entry = cursor_.offset();
            const auto code = cursor_.leb();
            if (code == 0) {
                close();
                continue;
            }
            const auto* abbreviation = unit_.abbreviations.find(code);
            if (abbreviation == nullptr || abbreviation->declaration == nullptr) return;
            visit(entry, *abbreviation);
        } while (!open_.empty() && !cursor_.atEnd());
    }

  private:
    /// The open scope at a depth: one that starts there, or the enclosing one.
    struct Open {
        std::uint32_t scope = kNone;
        bool isOwn = false;
    };

    void close() {
        if (open_.empty()) return;
        if (open_.back().isOwn) scopes_[open_.back().scope].end = cursor_.offset();
        open_.pop_back();
    }

    void visit(std::uint64_t entry, const DwarfAbbreviations::Entry& abbreviation) {
        const auto attributesAt = cursor_.offset();
        std::uint64_t sibling = 0;
        for (int i = 0; i < static_cast<int>(abbreviation.steps.size()); ++i) {
            if (i == abbreviation.siblingStep)
                sibling = unit_.unit->getOffset() + cursor_.number(abbreviation.siblingBytes);
            else
                cursor_.skip(abbreviation.steps[static_cast<std::size_t>(i)]);
        }
        if (cursor_.isBroken() || !abbreviation.hasChildren) return;
        if (abbreviation.meaning == DwarfAbbreviations::Meaning::Leaf && sibling != 0) return cursor_.jump(sibling);
        const auto tag = abbreviation.declaration->getTag();
        const auto around = open_.empty() ? kNone : open_.back().scope;
        if (!isScopeTag(tag) || scopes_.size() >= mostScopes_) return open_.push_back({around, false});
        scopes_.push_back(
            {entry, unit_.unit->getNextUnitOffset(), around, isClassTag(tag), nameOf(abbreviation, attributesAt, tag)});
        open_.push_back({static_cast<std::uint32_t>(scopes_.size() - 1), true});
    }

    std::string_view nameOf(const DwarfAbbreviations::Entry& abbreviation, std::uint64_t attributesAt, Tag tag) const {
        std::string_view name;
        readAttributes(
            *unit_.unit, *abbreviation.declaration, attributesAt,
            [](Attribute attribute) { return attribute == DW_AT_name; },
            [&](Attribute, const llvm::DWARFFormValue& value) { name = textOf(value, units_); });
        if (!name.empty() || tag == DW_TAG_subprogram) return name;
        return tag == DW_TAG_namespace ? "(anonymous namespace)" : "(unnamed class)";
    }

    const DwarfUnits& units_;
    const DwarfUnits::Prepared& unit_;
    std::vector<Scope>& scopes_;
    DwarfCursor cursor_;
    std::size_t mostScopes_; ///< for a unit of that size; more come from damaged files
    std::vector<Open> open_;
};

DwarfScopes::DwarfScopes(const DwarfUnits& units, const DwarfUnits::Prepared& unit) {
    if (isOfC(*unit.unit)) return;
    Walk(units, unit, scopes_).run();
    scopes_.shrink_to_fit();
}

DwarfScopes::Around DwarfScopes::around(std::uint64_t entry) const {
    const auto after = std::lower_bound(scopes_.begin(), scopes_.end(), entry,
                                        [](const Scope& scope, std::uint64_t at) { return scope.begin < at; });
    Around found;
    auto at = after == scopes_.begin() ? kNone : static_cast<std::uint32_t>(after - scopes_.begin() - 1);
    bool isInnermost = true;
    for (int step = 0; at != kNone && step < kMostSteps; at = scopes_[at].parent, ++step) {
        const auto& scope = scopes_[at];
        if (scope.end <= entry) continue; // already ended
        if (std::exchange(isInnermost, false)) found.isClass = scope.isClass;
        if (scope.name.empty()) continue;
        if (found.prefix.size() + scope.name.size() > kLongestPrefix) return {};
        found.prefix = std::string(scope.name) + "::" + found.prefix;
    }
    return found;
}

const DwarfScopes& DwarfScopesOfUnits::of(const DwarfUnits& units, const DwarfUnits::Prepared& unit) {
    const std::lock_guard lock(mutex_);
    auto& scopes = scopes_[&unit];
    if (!scopes) scopes = std::make_unique<DwarfScopes>(units, unit);
    return *scopes;
}

} // namespace highwater::symbols
