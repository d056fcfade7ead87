#include "core/references/thread_environments.h"

#include "core/base/pe_layout.h"
#include "core/references/memory_words.h"

#include <algorithm>
#include <optional>

namespace highwater::references {
namespace {

/// Of the environment block (TEB), the same in all 64-bit versions of Windows.
constexpr Address kBlockItself = 0x30, kModuleData = 0x58, kMoreSlots = 0x1780;
constexpr ByteCount kBlockBytes = 2 * kResidentPageBytes; ///< 6 KB are in use
constexpr ByteCount kMoreSlotsBytes = 1024 * 8;
constexpr std::uint32_t kMostDataModules = 1 << 16;
constexpr ByteCount kMostBytes = ByteCount{1} << 30; ///< of the data of a module

/// A module with static thread-local data.
struct DataModule {
    std::uint32_t number = 0; ///< in the lists of the threads
    std::uint32_t name = 0;   ///< of its file
    ByteCount bytes = 0;
};

/// Of the image that begins there.
std::optional<DataModule> moduleAt(const MemoryWords& words, Address begin, std::uint32_t name) {
    if (words.valueAt<std::uint16_t>(begin) != pe::kDosSignature) return std::nullopt;
    const auto header = begin + words.valueAt<std::uint32_t>(begin + pe::kHeaderOffsetAt).value_or(0);
    if (words.valueAt<std::uint32_t>(header) != pe::kSignature) return std::nullopt;
    const auto optional = header + sizeof(pe::kSignature) + sizeof(pe::CoffHeader);
    if (words.valueAt<std::uint16_t>(optional) != pe::kOptional64) return std::nullopt;
    const auto directories = optional + pe::directoriesAt(pe::kOptional64);
    const auto count = words.valueAt<std::uint32_t>(directories - sizeof(std::uint32_t)).value_or(0);
    if (count <= pe::kThreadLocalDirectory) return std::nullopt;
    const auto place = words.valueAt<pe::Directory>(directories + pe::kThreadLocalDirectory * sizeof(pe::Directory));
    if (!place || place->bytes < sizeof(pe::ThreadLocalDirectory)) return std::nullopt;
    const auto directory = words.valueAt<pe::ThreadLocalDirectory>(begin + place->address);
    if (!directory || directory->end < directory->begin) return std::nullopt;
    const auto number = words.valueAt<std::uint32_t>(directory->number);
    const auto bytes = std::min(directory->end - directory->begin, kMostBytes) + directory->zeros;
    if (!number || *number >= kMostDataModules || bytes == 0) return std::nullopt;
    return DataModule{*number, name, std::min(bytes, kMostBytes)};
}

std::vector<DataModule> modulesIn(const ResidentSample& mappings, const MemoryWords& words) {
    std::vector<DataModule> modules;
    for (const auto& mapping : mappings.mappings) {
        if ((mapping.flags & (mapping_flag::kFile | mapping_flag::kShared)) != mapping_flag::kFile) continue;
        if (const auto module = moduleAt(words, mapping.begin, mapping.name)) modules.push_back(*module);
    }
    return modules;
}

class BlockList {
  public:
    void add(Address begin, ByteCount bytes, std::uint32_t thread, std::uint32_t name) {
        if (begin == 0 || bytes == 0 || begin + bytes < begin) return;
        blocks_.push_back({begin, begin + bytes, thread, name});
    }
    /// Where the memory of a process contradicts itself, blocks may overlap.
    [[nodiscard]] std::vector<ThreadLocalBlock> take() {
        std::ranges::sort(blocks_, {}, &ThreadLocalBlock::begin);
        std::vector<ThreadLocalBlock> apart;
        for (const auto& block : blocks_)
            if (apart.empty() || apart.back().end <= block.begin) apart.push_back(block);
        return apart;
    }

  private:
    std::vector<ThreadLocalBlock> blocks_;
};

} // namespace

std::vector<ThreadLocalBlock> readThreadEnvironments(const ResidentSample& mappings,
                                                     std::span<const CopiedThread> threads, const ReadMemory& read) {
    constexpr auto kOfThread = ThreadLocalBlock::kOfThread;
    if (std::ranges::none_of(threads, [](const CopiedThread& thread) { return thread.environmentBlock != 0; }))
        return {};
    const MemoryWords words(read);
    const auto modules = modulesIn(mappings, words);
    std::uint32_t entries = 0;
    for (const auto& module : modules)
        entries = std::max(entries, module.number + 1);
    BlockList blocks;
    for (std::uint32_t i = 0; i < threads.size(); ++i) {
        const auto block = threads[i].environmentBlock;
        if (block == 0 || words.at(block + kBlockItself) != block) continue;
        blocks.add(block, kBlockBytes, i, kOfThread);
        blocks.add(words.pointer(block + kMoreSlots), kMoreSlotsBytes, i, kOfThread);
        const auto list = words.pointer(block + kModuleData);
        if (list == 0) continue;
        blocks.add(list, ByteCount{entries} * sizeof(Address), i, kOfThread);
        for (const auto& module : modules)
            blocks.add(words.pointer(list + module.number * sizeof(Address)), module.bytes, i, module.name);
    }
    return blocks.take();
}

} // namespace highwater::references
