#include "core/source/generated_code/jitdump.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace highwater::source {
namespace {

constexpr std::uint32_t kMagic = 0x4A695444; // "JiTD", in the byte order of the writer
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kHeaderBytes = 40;
constexpr std::uint32_t kMostHeaderBytes = 4096;
constexpr std::size_t kRecordHeaderBytes = 16;
constexpr std::uint32_t kLoad = 0, kMove = 1, kClose = 3;
constexpr std::uint32_t kMostKinds = 64;    // five are known; higher numbers are not valid records
constexpr std::size_t kLoadBytes = 16 + 40; // before the name
constexpr std::size_t kMoveBytes = 16 + 48;
constexpr std::size_t kMostNameBytes = 64 * 1024;
constexpr std::uint64_t kArchitectureClock = 1; // a flag in the header

bool isPiece(std::uint64_t start, std::uint64_t size) {
    return size != 0 && size <= std::numeric_limits<std::uint32_t>::max() &&
           start <= std::numeric_limits<Address>::max() - size;
}

} // namespace

void JitdumpReader::take(ByteSpan bytes, const Sink& sink) {
    if (isOver()) return;
    const auto skipped = static_cast<std::size_t>(std::min<std::uint64_t>(toSkip_, bytes.size()));
    toSkip_ -= skipped;
    held_.insert(held_.end(), bytes.begin() + static_cast<std::ptrdiff_t>(skipped), bytes.end());
    std::size_t at = 0;
    while (!isOver()) {
        const auto rest = ByteSpan(held_).subspan(at);
        const auto done = state_ == State::Header ? takeHeader(rest) : takeRecord(rest, sink);
        if (done == 0) break;
        const auto here = std::min(done, rest.size());
        toSkip_ = done - here;
        at += here;
    }
    held_.erase(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(at));
    if (isOver()) held_ = {};
}

// u32 magic, u32 version, u32 size, u32 machine, u32, u32 pid, u64 time, u64 flags
std::size_t JitdumpReader::takeHeader(ByteSpan rest) {
    if (rest.size() < kHeaderBytes) return 0;
    const auto size = loadUnchecked<std::uint32_t>(rest.data() + 8);
    if (loadUnchecked<std::uint32_t>(rest.data()) != kMagic ||
        loadUnchecked<std::uint32_t>(rest.data() + 4) != kVersion || size < kHeaderBytes || size > kMostHeaderBytes) {
        stopAtGarbage();
        return 0;
    }
    hasOwnClock_ = (loadUnchecked<std::uint64_t>(rest.data() + 32) & kArchitectureClock) != 0;
    state_ = State::Records;
    return size;
}

// u32 kind, u32 size, u64 time; load: u32 pid, u32 tid, u64, u64 start, u64 size, u64 index, name, code;
// move: u32 pid, u32 tid, u64, u64 from, u64 to, u64 size, u64 index
std::size_t JitdumpReader::takeRecord(ByteSpan rest, const Sink& sink) {
    if (rest.size() < kRecordHeaderBytes) return 0;
    const auto kind = loadUnchecked<std::uint32_t>(rest.data());
    const auto size = loadUnchecked<std::uint32_t>(rest.data() + 4);
    if (size < kRecordHeaderBytes || kind >= kMostKinds || (kind == kLoad && size <= kLoadBytes) ||
        (kind == kMove && size < kMoveBytes)) {
        stopAtGarbage();
        return 0;
    }
    if (kind == kClose) {
        state_ = State::Over;
        return 0;
    }
    if (kind != kLoad && kind != kMove) return size;
    JitdumpCode code;
    const auto time = loadUnchecked<std::uint64_t>(rest.data() + 8);
    const bool isTime = !hasOwnClock_ && time <= std::uint64_t{std::numeric_limits<std::int64_t>::max()};
    code.timeNs = isTime ? static_cast<std::int64_t>(time) : 0;
    if (kind == kMove) {
        if (rest.size() < kMoveBytes) return 0;
        code.movedFrom = loadUnchecked<std::uint64_t>(rest.data() + 32);
        code.start = loadUnchecked<std::uint64_t>(rest.data() + 40);
        const auto bytes = loadUnchecked<std::uint64_t>(rest.data() + 48);
        if (code.movedFrom != 0 && isPiece(code.start, bytes)) {
            code.size = static_cast<std::uint32_t>(bytes);
            sink(code);
        } else {
            ++garbage_;
        }
        return size;
    }
    const auto most = std::min<std::size_t>({size, rest.size(), kLoadBytes + kMostNameBytes});
    if (most <= kLoadBytes) return 0;
    const auto* name = reinterpret_cast<const char*>(rest.data()) + kLoadBytes;
    const auto* end = static_cast<const char*>(std::memchr(name, 0, most - kLoadBytes));
    if (end == nullptr && most == rest.size() && most < size && most < kLoadBytes + kMostNameBytes) return 0;
    code.start = loadUnchecked<std::uint64_t>(rest.data() + 32);
    const auto bytes = loadUnchecked<std::uint64_t>(rest.data() + 40);
    if (end != nullptr && isPiece(code.start, bytes)) {
        code.size = static_cast<std::uint32_t>(bytes);
        code.name = {name, static_cast<std::size_t>(end - name)};
        sink(code);
    } else {
        ++garbage_;
    }
    return size;
}

/// The start of the next record is not known.
void JitdumpReader::stopAtGarbage() {
    ++garbage_;
    state_ = State::Over;
}

void JitdumpReader::restart() {
    held_.clear();
    toSkip_ = 0;
    state_ = State::Header;
}

} // namespace highwater::source
