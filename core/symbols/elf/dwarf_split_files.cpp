#include "core/symbols/elf/dwarf_split_files.h"

#include "core/base/counted.h"
#include "core/symbols/elf/llvm_results.h"

#include <fmt/format.h>
#include <llvm/DebugInfo/DWARF/DWARFContext.h>

#include <algorithm>
#include <utility>

namespace highwater::symbols {

namespace fs = std::filesystem;

namespace {

/// Limits for untrusted files: the number of places to examine, and the total size of decompressed sections.
constexpr std::size_t kMostFiles = 64 * 1024;
constexpr std::uint64_t kMostExpandedBytes = std::uint64_t{512} << 20;

} // namespace

std::optional<DwarfSplitFiles::Part> DwarfSplitFiles::of(const DwarfUnits::Prepared& skeleton) {
    const std::lock_guard lock(mutex_);
    if (const auto known = parts_.find(&skeleton); known != parts_.end()) return known->second;
    const auto part = find(skeleton);
    parts_[&skeleton] = part;
    return part;
}

std::string DwarfSplitFiles::remark(const DwarfUnits& units) {
    constexpr std::size_t kMostLooked = 256;
    std::size_t looked = 0, missing = 0;
    std::string first;
    for (const auto* unit : units.withCode()) {
        const auto name = nameOf(*unit->unit);
        if (!name) continue;
        if (looked++ == kMostLooked) break;
        if (!of(*unit) && missing++ == 0) first = name->path;
    }
    if (missing == 0) return {};
    return fmt::format("{}inlined calls are missing; of {}{}, {} {} absent, skipped or from another "
                       "build, such as {}",
                       missing < looked ? "some " : "", looked > kMostLooked ? "the first " : "",
                       counted(std::min(looked, kMostLooked), ".dwo file"), missing, byNumber(missing, "is", "are"),
                       first);
}

std::optional<DwarfSplitFiles::Name> DwarfSplitFiles::nameOf(llvm::DWARFUnit& unit) {
    using namespace llvm::dwarf;
    const auto entry = unit.getUnitDIE();
    const auto textOf = [&](llvm::ArrayRef<Attribute> attributes) {
        const auto value = entry.find(attributes);
        const auto text = value ? valueOf(value->getAsCString()) : std::nullopt;
        return text && *text != nullptr ? std::string(*text) : std::string();
    };
    const auto id = unit.getDWOId();
    if (!id || unit.isTypeUnit()) return std::nullopt;
    Name split{*id, textOf({DW_AT_dwo_name, DW_AT_GNU_dwo_name}), textOf({DW_AT_comp_dir})};
    return split.path.empty() ? std::nullopt : std::optional(std::move(split));
}

/// Tries the package first, like other tools: .dwo files are in the build folder and belong to the newest build.
std::optional<DwarfSplitFiles::Part> DwarfSplitFiles::find(const DwarfUnits::Prepared& skeleton) {
    const auto name = nameOf(*skeleton.unit);
    if (!name || links_.debugFile().empty()) return std::nullopt;
    auto package = links_.debugFile();
    package += ".dwp";
    if (const auto part = partIn(package, *name, skeleton)) return part;
    if (links_.debugFile().extension() == ".debug") {
        if (const auto part = partIn(fs::path(links_.debugFile()).replace_extension(".dwp"), *name, skeleton))
            return part;
    }
    if (const auto part = partIn(fs::path(name->folder) / name->path, *name, skeleton)) return part;
    return partIn(links_.debugFile().parent_path() / fs::path(name->path).filename(), *name, skeleton);
}

std::optional<DwarfSplitFiles::Part> DwarfSplitFiles::partIn(const fs::path& wanted, const Name& name,
                                                             const DwarfUnits::Prepared& skeleton) {
    auto* file = open(wanted);
    const auto* unit = file != nullptr ? file->units->withSplitId(name.id) : nullptr;
    if (unit == nullptr) return std::nullopt;
    // In a damaged file two units may have the same id, but a part belongs to only one of them.
    if (file->skeletons.try_emplace(unit, &skeleton).first->second != &skeleton) return std::nullopt;
    join(*skeleton.unit, *unit->unit);
    return Part{file->units.get(), unit};
}

DwarfSplitFiles::File* DwarfSplitFiles::open(const fs::path& wanted) {
    if (const auto known = files_.find(wanted); known != files_.end()) return known->second.get();
    if (files_.size() >= kMostFiles || expandedBytes_ > kMostExpandedBytes) return nullptr;
    auto& opened = files_[wanted];
    const auto place = links_.permitted(wanted);
    auto file = place ? ElfLinks::open(*place) : std::nullopt;
    if (!file) return nullptr;
    auto* context = file->contents->splitDwarf();
    expandedBytes_ += file->contents->expandedBytes();
    if (context == nullptr) return nullptr;
    auto units = DwarfUnits::ofSplit(*context);
    opened = std::make_unique<File>(File{std::move(*file), std::move(units), {}});
    return opened.get();
}

/// Gives the part access to the program's addresses and, up to version 4, its ranges.
void DwarfSplitFiles::join(llvm::DWARFUnit& skeleton, llvm::DWARFUnit& part) const {
    const auto& object = context_.getDWARFObj();
    part.setSkeletonUnit(&skeleton);
    if (const auto base = skeleton.getAddrOffsetSectionBase())
        part.setAddrOffsetSection(&object.getAddrSection(), *base);
    if (part.getVersion() < 5)
        part.setRangesSection(&object.getRangesSection(), skeleton.getUnitDIE().getRangesBaseAttribute().value_or(0));
}

} // namespace highwater::symbols
