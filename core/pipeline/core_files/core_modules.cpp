#include "core/pipeline/core_files/core_modules.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/event/mapping_names.h"
#include "core/event/resident_sample.h"
#include "core/files/mapped_file.h"
#include "core/symbols/places/trusted_image_path.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <span>
#include <string_view>

namespace highwater::pipeline {
namespace {

using Page = std::array<std::byte, kResidentPageBytes>;

/// Empty: not readable.
ByteSpan pageAt(Address begin, const references::ReadMemory& read, Page& room) {
    return read(begin, room) == room.size() ? ByteSpan(room) : ByteSpan();
}

/// "a, b and c", "a, b, c and 2 more files"
std::string listOf(const std::vector<std::string>& files) {
    constexpr std::size_t kNamed = 3;
    const auto all = std::span(files);
    if (all.size() > kNamed)
        return fmt::format("{} and {} more {}", fmt::join(all.first(kNamed), ", "), thousands(all.size() - kNamed),
                           byNumber(all.size() - kNamed, "file", "files"));
    const auto before = all.first(all.size() - 1);
    return before.empty() ? all.back() : fmt::format("{} and {}", fmt::join(before, ", "), all.back());
}

void addRemark(std::vector<std::string>& remarks, const std::vector<std::string>& files, std::string_view why) {
    if (!files.empty()) remarks.push_back(fmt::format("Variables of {} have no names because {}", listOf(files), why));
}

} // namespace

symbols::ElfVariables layoutAt(Address begin, const references::ReadMemory& read) {
    Page room{};
    const auto page = pageAt(begin, read, room);
    return page.empty() ? symbols::ElfVariables{} : symbols::layoutOf(page);
}

symbols::ElfVariables CoreModules::variablesOf(const std::string& file, Address begin) {
    auto layout = layoutAt(begin, read_);
    // The core file may name any path.
    const auto path = symbols::trustedPath(file);
    auto own = path.hasValue() ? symbols::variablesOf(path.value()) : symbols::ElfVariables();
    const bool isSame =
        own.dataEnd && (layout.buildId.empty() ? hasSamePage(path.value(), begin) : layout.buildId == own.buildId);
    if (isSame) {
        if (auto mapped = MappedFile::open(path.value()); mapped.hasValue()) same_[file] = std::move(mapped).value();
        return own;
    }
    if (isAgentMapping(file)) return layout; // is not searched
    auto& without = !own.dataEnd ? missing_ : layout.dataEnd ? others_ : unknown_;
    without.push_back(printable(fileName(file)));
    return layout;
}

std::size_t CoreModules::readMapped(std::span<const CoreMappedFile> files, Address from,
                                    std::span<std::byte> to) const {
    const auto behind = std::ranges::upper_bound(files, from, {}, &CoreMappedFile::begin);
    if (behind == files.begin()) return 0;
    const auto& file = *std::prev(behind);
    const auto same = same_.find(file.name);
    std::uint64_t offset = 0;
    if (from >= file.end || same == same_.end() || __builtin_add_overflow(file.offset, from - file.begin, &offset))
        return 0;
    return same->second->read(offset, to.first(std::min<std::uint64_t>(to.size(), file.end - from))).size();
}

bool CoreModules::hasSamePage(const std::filesystem::path& file, Address begin) const {
    Page room{}, roomOfFile{};
    const auto page = pageAt(begin, read_, room);
    const auto mapped = MappedFile::open(file);
    return !page.empty() && mapped.hasValue() && std::ranges::equal(page, mapped.value()->read(0, roomOfFile));
}

std::vector<std::string> CoreModules::remarks() const {
    std::vector<std::string> remarks;
    addRemark(remarks, missing_,
              fmt::format("{} not exist on this machine or cannot be read. Copy {} to the same place.",
                          missing_.size() == 1 ? "this file does" : "these files do",
                          byNumber(missing_.size(), "it", "them")));
    addRemark(remarks, others_,
              others_.size() == 1 ? "the file on this machine is another build than that of the process."
                                  : "the files on this machine are other builds than those of the process.");
    addRemark(
        remarks, unknown_,
        "the core file does not contain the headers of programs and libraries, which would show whether the files "
        "are the same.");
    return remarks;
}

} // namespace highwater::pipeline
