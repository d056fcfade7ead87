#include "core/pipeline/core_files/core_mappings.h"

#include "core/event/agent_names.h"
#include "core/event/mapping_names.h"
#include "core/pipeline/core_files/core_modules.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace highwater::pipeline {
namespace {

using namespace mapping_flag;

bool isPrivateMemory(const Mapping& mapping) { return (mapping.flags & (kWrite | kFile | kShared)) == kWrite; }

class MappingsBuilder {
  public:
    MappingsBuilder(const CoreContents& core, const references::ReadMemory& read) : core_(core), read_(read) {}

    CoreMappings build() {
        sample_.pid = core_.notes.pid;
        addAll();
        nameStack();
        nameHeap();
        nameAgentPages();
        const auto missing = leaveOutMissing();
        return {std::move(sample_), missing};
    }

  private:
    /// Segments, and parts of files that have none, by address.
    void addAll() {
        const auto& files = core_.notes.files;
        auto file = files.begin();
        Address reached = 0;
        for (const auto& segment : core_.segments) {
            for (; file != files.end() && file->begin < segment.begin; ++file) {
                if (file->end > segment.begin) break;
                if (file->begin >= reached) add(file->begin, file->end, kRead, &*file);
            }
            while (file != files.end() && file->end <= segment.begin)
                ++file;
            const bool isFile = file != files.end() && file->begin <= segment.begin;
            addSegment(segment, isFile ? &*file : nullptr);
            reached = segment.end;
        }
        for (; file != files.end(); ++file)
            if (file->begin >= reached) add(file->begin, file->end, kRead, &*file);
    }
    /// Writable memory that is not in the file is a mapping of its own.
    void addSegment(const CoreSegment& segment, const CoreMappedFile* file) {
        const bool isWritable = (segment.flags & kWrite) != 0;
        const auto end =
            isWritable ? segment.begin + segment.bytes / kResidentPageBytes * kResidentPageBytes : segment.end;
        if (segment.begin < end) {
            add(segment.begin, end, segment.flags, file);
            addTouchedPages(segment);
        }
        if (end == segment.end) return;
        add(end, segment.end, segment.flags, file);
        empty_.push_back(sample_.mappings.size() - 1);
        auto& rest = sample_.mappings.back();
        if ((rest.flags & kFile) != 0 && !segment.isCut) rest.flags |= kShared; // or was never written to
    }
    void add(Address begin, Address end, std::uint32_t flags, const CoreMappedFile* file) {
        auto& mapping = sample_.mappings.emplace_back();
        mapping.begin = begin;
        mapping.end = end;
        mapping.flags = flags;
        mapping.name = numberOf(file == nullptr ? "" : file->name);
        const bool isOfFile = file != nullptr && file->name != kZeroDevice;
        if (!isOfFile && flags == kRead) mapping.flags = 0; // so gcore describes inaccessible memory, behind arenas
        if (!isOfFile) return;
        mapping.flags |= kFile;
        if (isSharedMemoryName(file->name)) mapping.flags |= kShared;
    }
    /// Holes of a sparse file are pages that were never touched.
    void addTouchedPages(const CoreSegment& segment) {
        constexpr ByteCount kSmall = 1 << 20;
        auto& mapping = sample_.mappings.back();
        const auto bytes = mapping.end - mapping.begin; // all of them are in the file
        if (core_.data.empty() || !isPrivateMemory(mapping) || bytes <= kSmall) return;
        mapping.flags |= kPages;
        std::uint64_t reached = 0; // pages
        auto part = std::ranges::upper_bound(core_.data, segment.offset, {}, &FileRange::end);
        for (; part != core_.data.end() && part->begin < segment.offset + bytes; ++part) {
            const auto begin = std::max(part->begin, segment.offset) - segment.offset;
            const auto end = std::min(part->end - segment.offset, bytes);
            const auto first = std::max(begin / kResidentPageBytes, reached);
            const auto last = (end + kResidentPageBytes - 1) / kResidentPageBytes;
            if (last <= first) continue;
            if (first > reached || reached == 0)
                runs_.push_back({first, last});
            else
                runs_.back().end = last;
            reached = last;
        }
        reached = 0;
        for (const auto& [first, last] : runs_) {
            mapping.pages.append(first - reached, last - first);
            reached = last;
        }
        runs_.clear();
    }
    std::uint32_t numberOf(const std::string& name) {
        const auto [known, isNew] = numbers_.try_emplace(name, static_cast<std::uint32_t>(sample_.names.size()));
        if (isNew) sample_.names.push_back(name);
        return known->second;
    }

    void nameStack() {
        for (auto& mapping : sample_.mappings)
            if (core_.notes.onStack >= mapping.begin && core_.notes.onStack < mapping.end && isPrivateMemory(mapping))
                mapping.name = numberOf("[stack]");
    }

    void nameHeap() {
        constexpr Address kFarthest = Address{2} << 30;
        const auto program =
            std::ranges::find_if(sample_.mappings, [](const Mapping& mapping) { return (mapping.flags & kFile) != 0; });
        if (program == sample_.mappings.end()) return;
        const auto bytes = layoutAt(program->begin, read_).dataEnd.value_or(0);
        const auto data = bytes > ~Address{0} - program->begin ? program->begin : program->begin + bytes;
        for (auto mapping = program; mapping != sample_.mappings.end(); ++mapping) {
            if (mapping->begin > data && mapping->begin - data > kFarthest) return;
            const bool isAbove = mapping->begin >= data && isPrivateMemory(*mapping);
            if (!isAbove || !sample_.nameOf(*mapping).empty() || !beginsWithChunk(*mapping)) continue;
            mapping->name = numberOf("[heap]");
            return;
        }
    }
    /// The first chunk of a heap of glibc has the size of the one before it, 0, and its own.
    [[nodiscard]] bool beginsWithChunk(const Mapping& mapping) const {
        constexpr std::uint64_t kPreviousIsUsed = 1, kFlags = 15, kSmallest = 32;
        std::array<std::uint64_t, 2> words{};
        if (read_(mapping.begin, std::as_writable_bytes(std::span(words))) != sizeof words) return false;
        return words[0] == 0 && (words[1] & kFlags) == kPreviousIsUsed && words[1] > kSmallest &&
               words[1] <= mapping.end - mapping.begin + kPreviousIsUsed;
    }

    /// The agent excludes these from core files because they contain registers of the program.
    void nameAgentPages() {
        const auto referred = wordsOfAgent();
        if (referred.empty()) return;
        for (const auto i : empty_) {
            auto& mapping = sample_.mappings[i];
            if (!isPrivateMemory(mapping)) continue;
            const auto first = std::ranges::lower_bound(referred, mapping.begin);
            if (first != referred.end() && *first < mapping.end)
                mapping.name = numberOf(std::string(kAgentPagesMapping));
        }
    }
    /// Memory that cannot be read is not searched: it would take time for each page.
    ByteCount leaveOutMissing() {
        ByteCount missing = 0;
        for (const auto i : empty_) {
            auto& mapping = sample_.mappings[i];
            const auto& name = sample_.nameOf(mapping);
            const bool isSharedFile = (mapping.flags & (kFile | kShared)) == (kFile | kShared);
            const bool isSearched = (mapping.flags & kWrite) != 0 && (!isSharedFile || isSharedMemoryName(name));
            if (!isSearched || isAgentMapping(name)) continue;
            mapping.flags &= ~kWrite;
            missing += mapping.end - mapping.begin;
        }
        return missing;
    }
    /// Addresses of pages in the data of the agent, sorted.
    [[nodiscard]] std::vector<Address> wordsOfAgent() const {
        constexpr ByteCount kMostData = 1 << 20;
        std::vector<Address> words;
        Address end = 0; // of the agent's mappings so far
        for (const auto& mapping : sample_.mappings) {
            const bool isOfAgent = isAgentMapping(sample_.nameOf(mapping));
            const bool isBehind = mapping.begin == end && isPrivateMemory(mapping) && sample_.nameOf(mapping).empty();
            if (!isOfAgent && !isBehind) continue;
            end = isOfAgent ? mapping.end : 0;
            if ((mapping.flags & (kWrite | kShared)) != kWrite) continue;
            addPageAddresses(mapping.begin, std::min(mapping.end - mapping.begin, kMostData), words);
        }
        std::ranges::sort(words);
        return words;
    }
    void addPageAddresses(Address from, ByteCount bytes, std::vector<Address>& words) const {
        std::vector<std::uint64_t> data(static_cast<std::size_t>(bytes / sizeof(std::uint64_t)));
        data.resize(read_(from, std::as_writable_bytes(std::span(data))) / sizeof(std::uint64_t));
        std::ranges::copy_if(data, std::back_inserter(words),
                             [](std::uint64_t word) { return word != 0 && word % kResidentPageBytes == 0; });
    }

    const CoreContents& core_;
    const references::ReadMemory& read_;
    ResidentSample sample_;
    std::map<std::string, std::uint32_t> numbers_;
    std::vector<FileRange> runs_;    ///< of pages, of one mapping
    std::vector<std::size_t> empty_; ///< mappings without contents in the core file
};

} // namespace

CoreMappings mappingsOf(const CoreContents& core, const references::ReadMemory& read) {
    return MappingsBuilder(core, read).build();
}

} // namespace highwater::pipeline
