#include "core/source/profiles/profile_records.h"

#include "core/base/text.h"
#include "core/event/opcodes.h"
#include "core/source/records/system_records.h"

#include <algorithm>
#include <cstring>

namespace highwater::source {
namespace {

constexpr unsigned kModuleShift = 48;
constexpr Address kAddressMask = (Address{1} << kModuleShift) - 1;
/// Keeps addresses below the kernel's.
constexpr Address kMostModules = (Address{1} << (63 - kModuleShift)) - 1;
constexpr std::string_view kNoModule = "[unknown]";
constexpr Address kNoBase = ~Address{0};
constexpr std::size_t kRecordsOfProfileBatch = 1024, kBytesOfProfileBatch = std::size_t{1} << 20;

/// The header of frames in records; the frames follow.
struct StackItem {
    std::uint16_t itemBytes = 0;
    std::uint16_t type = 6; // 64-bit frames
    std::uint16_t linkage = 0;
    std::uint16_t dataBytes = 0;
    std::uint64_t matchId = 0;
};
static_assert(sizeof(StackItem) == 16);

} // namespace

ProfileRecords::ProfileRecords(std::uint32_t pid, NamePool& names)
    : pid_(pid), names_(names), noModule_(names.idOf(kNoModule)) {}

bool ProfileRecords::isFull() const {
    return builder_.size() >= kRecordsOfProfileBatch || builder_.payloadBytes() >= kBytesOfProfileBatch;
}

void ProfileRecords::addProcess(std::int64_t ticks, std::string_view commandLine) {
    const auto program = commandLine.substr(0, commandLine.find(' '));
    addRunningProcess(builder_, ticks, pid_, 0, std::string(fileName(program)), std::string(commandLine));
}

etl::RawRecord ProfileRecords::ofHighwater(std::int64_t ticks, std::uint8_t opcode) const {
    etl::RawRecord record;
    record.ticks = ticks;
    record.pid = pid_;
    record.kind = etl::RawRecord::Kind::Provider;
    record.provider = reinterpret_cast<const std::byte*>(&kHighwaterProvider);
    record.opcode = opcode;
    record.header = etl::HeaderType::Full64;
    return record;
}

/// Modules beyond the limit have no names.
Address ProfileRecords::baseOf(std::int64_t ticks, NameId module) {
    if (module >= bases_.size()) bases_.resize(names_.size(), kNoBase);
    auto& base = bases_[module];
    if (base != kNoBase) return base;
    base = ++modules_ <= kMostModules ? modules_ << kModuleShift : Address{0};
    if (base == 0) return base;
    addLoadedImage(builder_, ticks, {pid_, base, kAddressMask, 0, std::string(names_.text(module))}, ImageLoad::Now);
    return base;
}

/// Includes the terminating NUL. A NUL inside the text ends it.
void ProfileRecords::tell(std::int64_t ticks, NameId text) {
    if (text >= isTold_.size()) isTold_.resize(names_.size());
    if (text == NamedFunction::kNoText || isTold_[text]) return;
    isTold_[text] = true;
    std::string whole(names_.text(text));
    std::replace(whole.begin(), whole.end(), '\0', ' ');
    builder_.begin(ofHighwater(ticks, highwater_opcode::kText));
    builder_.put(pid_);
    builder_.put(text);
    builder_.putNarrow(whole);
}

Address ProfileRecords::addFrame(std::int64_t ticks, NameId module, Address address,
                                 std::span<const NamedFunction> functions) {
    const bool isNowhere = module == 0 && functions.empty();
    const auto base = isNowhere ? Address{0} : baseOf(ticks, module == 0 ? noModule_ : module);
    auto frame = base + (address & kAddressMask);
    if (functions.empty() || base == 0) {
        nameless_.insert(frame);
        return frame;
    }
    frame = std::max(frame, base + 1); // the name is at the preceding byte
    while (isTakenNear(frame))
        frame = base + kAddressMask - 2 * ++madeUp_;
    named_.insert(frame);
    functions = functions.last(std::min<std::size_t>(functions.size(), kMostNamedFunctions));
    for (const auto& function : functions) {
        tell(ticks, function.name);
        tell(ticks, function.file);
    }
    builder_.begin(ofHighwater(ticks, highwater_opcode::kNames));
    builder_.put(pid_);
    builder_.put(static_cast<std::uint32_t>(functions.size()));
    builder_.put(frame - 1);
    for (const auto& function : functions) {
        builder_.put(function.line);
        builder_.put(function.name);
        builder_.put(function.file);
    }
    return frame;
}

/// A stack contains a named frame's address, or starts with the preceding byte, so adjacent frames would share an
/// address.
bool ProfileRecords::isTakenNear(Address frame) const {
    return named_.contains(frame - 1) || named_.contains(frame) || named_.contains(frame + 1) ||
           nameless_.contains(frame - 1) || nameless_.contains(frame);
}

/// Frames are return addresses, except the first one, which is the address of the processor: the last byte of the call,
/// where its name is. A frame without a name shows its address, which is the same wherever it is in a stack.
Address ProfileRecords::firstOf(std::span<const Address> frames) const {
    return frames.front() - (named_.contains(frames.front()) ? 1 : 0);
}

std::span<const Address> ProfileRecords::toldOf(std::span<const Address> frames) {
    return frames.first(std::min(frames.size(), kMostWrittenFrames));
}

void ProfileRecords::addStack(std::int64_t ticks, std::uint64_t key, std::span<const Address> frames) {
    frames = toldOf(frames);
    if (frames.empty()) return;
    etl::RawRecord record;
    record.ticks = ticks;
    record.pid = pid_;
    record.group = group::kStackWalk;
    record.opcode = stack_opcode::kKeyCreate;
    record.version = kVersion2;
    record.header = etl::HeaderType::PerfInfo64;
    builder_.begin(record);
    builder_.put(key);
    builder_.put(firstOf(frames));
    builder_.putBytes(frames.data() + 1, (frames.size() - 1) * sizeof(Address));
}

void ProfileRecords::addSample(std::int64_t ticks, const Sample& sample) {
    const auto frames = toldOf(sample.frames);
    auto record = ofHighwater(ticks, highwater_opcode::kSample);
    if (!frames.empty()) {
        StackItem item;
        item.dataBytes = static_cast<std::uint16_t>(sizeof(item.matchId) + frames.size_bytes());
        item.itemBytes = static_cast<std::uint16_t>(sizeof(item) + frames.size_bytes());
        const auto* header = reinterpret_cast<const std::byte*>(&item);
        const auto* rest = reinterpret_cast<const std::byte*>(frames.data());
        extended_.assign(header, header + sizeof(item));
        extended_.insert(extended_.end(), rest, rest + frames.size_bytes());
        const auto first = firstOf(frames);
        std::memcpy(extended_.data() + sizeof(item), &first, sizeof(first));
        record.extended = extended_.data();
        record.extendedBytes = static_cast<std::uint32_t>(extended_.size());
    }
    builder_.begin(record);
    builder_.put(pid_);
    builder_.put(std::uint32_t{0});
    builder_.put(sample.address);
    builder_.put(sample.bytes);
    builder_.put(sample.objects);
}

void ProfileRecords::addSampleEnd(std::int64_t ticks, Address address) {
    constexpr Address kHeapOfSamples = 1;
    etl::RawRecord record;
    record.ticks = ticks;
    record.pid = pid_;
    record.group = group::kHeap;
    record.opcode = heap_opcode::kFree;
    record.version = kVersion2;
    record.header = etl::HeaderType::Compact64;
    builder_.begin(record);
    builder_.put(kHeapOfSamples);
    builder_.put(address);
    builder_.put(std::uint32_t{0});
}

void ProfileRecords::addNote(std::int64_t ticks, Severity severity, std::string_view sentence) {
    addRemark(builder_, ticks, severity, sentence);
}

} // namespace highwater::source
