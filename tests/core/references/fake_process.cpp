#include "tests/core/references/fake_process.h"

#include <QTest>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace highwater::tests {
namespace {

constexpr Address kPage = kResidentPageBytes;

std::string kindText(RootKind kind) {
    constexpr std::array<const char*, kRootKinds> kTexts{"variable", "thread-local", "stack", "register", "mapping"};
    return kTexts[static_cast<std::size_t>(kind)];
}

std::string rootText(const MemoryPicture& picture, const PictureRoot& root) {
    auto text = fmt::format("{} {:x}", kindText(root.kind), root.address);
    if (!picture.names[root.name].empty()) text += " " + picture.names[root.name];
    if (root.thread != 0) text += fmt::format(" of thread {}", root.thread);
    return text;
}

std::string nodeText(const MemoryPicture& picture, std::uint32_t node) {
    if (node < picture.blocks.size()) return fmt::format("{:x}", picture.blocks[node].address);
    return rootText(picture, picture.roots[node - picture.blocks.size()]);
}

} // namespace

FakeProcess FakeProcess::withoutMappings() {
    FakeProcess process;
    process.memory_ = {};
    return process;
}

FakeProcess::FakeProcess() {
    mapping(kHeap, kHeap + kHeapBytes, kReadWrite, "[heap]");
    mapping(kData, kData + kDataBytes, kPrivateFile, "/usr/lib/libapp.so");
}

FakeProcess& FakeProcess::mapping(Address begin, Address end, std::uint32_t flags, std::string_view name) {
    auto& sample = memory_.mappings;
    Mapping mapping;
    mapping.begin = begin, mapping.end = end, mapping.flags = flags;
    auto found = std::ranges::find(sample.names, name);
    if (found == sample.names.end()) found = sample.names.insert(found, std::string(name));
    mapping.name = static_cast<std::uint32_t>(found - sample.names.begin());
    sample.mappings.insert(std::ranges::upper_bound(sample.mappings, begin, {}, &Mapping::begin), mapping);
    return *this;
}

FakeProcess& FakeProcess::touched(Address begin, const std::vector<Address>& pages) {
    auto& mapping = *std::ranges::find(memory_.mappings.mappings, begin, &Mapping::begin);
    mapping.flags |= mapping_flag::kPages;
    auto reached = begin;
    for (const auto page : pages) {
        mapping.pages.append((page - reached) / kPage, 1);
        reached = page + kPage;
    }
    return *this;
}

FakeProcess& FakeProcess::block(Address address, ByteCount bytes) {
    memory_.blocks.push_back({address, bytes});
    return *this;
}

FakeProcess& FakeProcess::word(Address address, std::uint64_t value) {
    words_[address] = value;
    return *this;
}

Address FakeProcess::variable(std::uint64_t value) {
    word(nextVariable_, value);
    nextVariable_ += 8;
    return nextVariable_ - 8;
}

FakeProcess& FakeProcess::symbol(Address address, ByteCount bytes, std::string_view name, RootKind kind) {
    const Address code = kind == RootKind::Stack ? 1 : 0;
    memory_.variables.push_back({address, address + bytes, std::string(name), kind, code});
    return *this;
}

FakeProcess& FakeProcess::threadLocals(Address begin, Address end, std::uint32_t thread, Address file) {
    const auto mapping = std::ranges::find(memory_.mappings.mappings, file, &Mapping::begin);
    memory_.threadLocals.push_back({begin, end, thread, mapping->name});
    return *this;
}

FakeProcess& FakeProcess::endedStack(const references::EndedStack& stack) {
    memory_.endedStacks.push_back(stack);
    return *this;
}

FakeProcess& FakeProcess::virtualTable(Address begin, ByteCount bytes, Address point, std::string_view type,
                                       bool isStored) {
    memory_.virtualTables.push_back({begin, begin + bytes, point, isStored, std::string(type)});
    return *this;
}

FakeProcess& FakeProcess::module(Address begin, Address end) {
    memory_.modules.push_back({begin, end});
    return *this;
}

CopiedThread& FakeProcess::thread(std::uint32_t tid, std::string_view name) {
    constexpr Address kStackBytes = 0x10000;
    mapping(nextStack_, nextStack_ + kStackBytes, kReadWrite, "");
    auto& thread = memory_.threads.emplace_back();
    thread.tid = tid, thread.name = name;
    thread.stackPointer = nextStack_ + 0x8000;
    thread.threadPointer = nextStack_ + kStackBytes - 0x900;
    nextStack_ += 2 * kStackBytes;
    return thread;
}

FakeProcess& FakeProcess::unreadable(Address page) {
    unreadable_.insert(page);
    return *this;
}

FakeProcess& FakeProcess::unknownBlocks() {
    memory_.hasUnknownBlocks = true;
    return *this;
}

bool FakeProcess::isReadable(Address page) const {
    const auto& mappings = memory_.mappings.mappings;
    const auto mapping = std::ranges::upper_bound(mappings, page, {}, &Mapping::end);
    return mapping != mappings.end() && mapping->begin <= page && (mapping->flags & mapping_flag::kRead) != 0 &&
           !unreadable_.contains(page);
}

std::size_t FakeProcess::read(Address from, std::span<std::byte> to) const {
    std::size_t bytes = 0;
    while (bytes < to.size() && isReadable((from + bytes) / kPage * kPage))
        bytes = std::min(to.size(), bytes + static_cast<std::size_t>(kPage - (from + bytes) % kPage));
    std::ranges::fill(to.first(bytes), std::byte{0});
    for (auto word = words_.lower_bound(from < 7 ? 0 : from - 7); word != words_.end() && word->first < from + bytes;
         ++word) {
        const auto begin = std::max(word->first, from), end = std::min(word->first + 8, from + bytes);
        std::memcpy(to.data() + (begin - from), reinterpret_cast<const char*>(&word->second) + (begin - word->first),
                    end - begin);
    }
    return bytes;
}

references::Memory FakeProcess::memory() const {
    auto memory = memory_;
    memory.read = [this](Address from, std::span<std::byte> to) { return read(from, to); };
    return memory;
}

MemoryPicture FakeProcess::picture() const {
    auto picture = references::findReferences(memory());
    if (!picture.hasValue()) qFatal("%s", picture.error().message.c_str());
    if (!isValid(picture.value())) qFatal("not valid: %s", textOf(picture.value()).c_str());
    return std::move(picture).value();
}

std::uint32_t numberAt(const MemoryPicture& picture, Address address) {
    const auto block = std::ranges::find(picture.blocks, address, &PictureBlock::address);
    if (block == picture.blocks.end()) qFatal("no block at %llx", static_cast<unsigned long long>(address));
    return static_cast<std::uint32_t>(block - picture.blocks.begin());
}

std::string textOf(const MemoryPicture& picture) {
    constexpr std::array<const char*, kReachabilities> kTexts{"reachable", "possible", "unreachable", "only leaked"};
    std::string text;
    for (const auto& block : picture.blocks) {
        text += fmt::format("{:x} {}", block.address, kTexts[static_cast<std::size_t>(block.reachability)]);
        if (block.holder != PictureBlock::kNone) text += ", held by " + nodeText(picture, block.holder);
        if (block.dominator == block.holder && block.holder != PictureBlock::kNone)
            text += ", and dominated";
        else if (block.dominator != PictureBlock::kNone)
            text += ", dominated by " + nodeText(picture, block.dominator);
        text += "\n";
    }
    return text;
}

} // namespace highwater::tests
