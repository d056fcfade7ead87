#include "core/source/agent/agent_ring_reader_linux.h"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace highwater::source {

using agent::RecordOp;

namespace {

/// The words at the start of every record, which determine its length.
constexpr std::uint32_t kFirstWords = 4;

/// Length in words of a fixed-length record, including its first word; 0: unknown record or variable length.
std::uint32_t fixedWords(RecordOp op) {
    switch (op) {
    case RecordOp::FreeShort:
        return 1;
    case RecordOp::Free:
    case RecordOp::AllocateAgain:
    case RecordOp::ModuleGone:
        return 2;
    case RecordOp::FreeStack:
    case RecordOp::AllocateShort:
        return 3;
    case RecordOp::Allocate:
    case RecordOp::Unmap:
    case RecordOp::Break:
        return 4;
    case RecordOp::Map:
    case RecordOp::Protect:
    case RecordOp::Advise:
        return 5;
    case RecordOp::Reallocate:
        return 6;
    case RecordOp::Remap:
        return 7;
    default:
        return 0;
    }
}

RecordOp opOf(std::uint64_t word) { return static_cast<RecordOp>(word & 0xFF); }

bool isShort(RecordOp op) {
    return op == RecordOp::AllocateShort || op == RecordOp::AllocateAgain || op == RecordOp::FreeShort;
}

} // namespace

AgentRingReader::AgentRingReader(AgentChunks& chunks, std::uint32_t slotIndex, Thread thread)
    : chunks_(chunks),
      channel_(chunks.view()),
      slotIndex_(slotIndex),
      pid_(thread.pid),
      tid_(thread.tid),
      processSlot_(slot().processSlot),
      startTick_(slot().startTick),
      head_(kFirstWords),
      lastLook_(slot().startTick),
      completeUntil_(slot().startTick) {}

std::uint64_t AgentRingReader::endTick() const { return slot().endTick; }
std::string AgentRingReader::endName() const {
    char name[sizeof slot().name] = {};
    for (std::size_t i = 0; i < std::size(slot().name); ++i) {
        const std::uint64_t part = slot().name[i].load(std::memory_order_relaxed);
        std::memcpy(name + i * sizeof part, &part, sizeof part);
    }
    return std::string(name, strnlen(name, sizeof name));
}
std::uint64_t AgentRingReader::stacksCut() const { return slot().stacksCut.load(std::memory_order_relaxed); }

void AgentRingReader::look(std::uint64_t now) {
    if (slot().state.load(std::memory_order_acquire) == agent::kSlotDone) hasEnded_ = true;
    // The order matters: if a thread is seen idle, or at another record than last time, everything from before this
    // look (or the last one) is already published when `published` is read.
    const std::uint64_t busy = slot().busy.load(std::memory_order_acquire);
    if (hasEnded_ || busy % 2 == 0)
        completeUntil_ = now;
    else if (busy != busySeen_)
        completeUntil_ = std::max(completeUntil_, lastLook_);
    isBusy_ = !hasEnded_ && busy % 2 != 0;
    if (busy != busySeen_) busySince_ = now;
    busySeen_ = busy;
    lastLook_ = now;
    if (chunk_ != agent::kNoChunk)
        readable_ = std::min(channel_.chunk(chunk_).published.load(std::memory_order_acquire), agent::kChunkBytes);
    if (!headTick_) findHead();
}

void AgentRingReader::declareEnded() { hasEnded_ = true; }

std::uint64_t* AgentRingReader::words() const {
    return reinterpret_cast<std::uint64_t*>(reinterpret_cast<char*>(&channel_.chunk(chunk_)) + position_);
}

/// Continues in the next chunk, if there is one, and returns the current one to the pool.
bool AgentRingReader::enterNextChunk() {
    const bool isFirst = chunk_ == agent::kNoChunk;
    const auto& link = isFirst ? slot().firstChunk : channel_.chunk(chunk_).next;
    const std::uint32_t next = link.load(std::memory_order_acquire);
    if (next == 0) return false;
    if (!isFirst) {
        // Rereads the final value of `published`, from before the link was set.
        readable_ = std::min(channel_.chunk(chunk_).published.load(std::memory_order_acquire), agent::kChunkBytes);
        if (position_ < readable_) return true;
        chunks_.giveBack(chunk_);
        chunk_ = agent::kNoChunk;
    }
    if (next - 1 >= channel_.chunkCount()) {
        isDamaged_ = true;
        return false;
    }
    chunk_ = next - 1;
    position_ = sizeof(agent::ChunkHeader);
    readable_ = std::min(channel_.chunk(chunk_).published.load(std::memory_order_acquire), agent::kChunkBytes);
    return true;
}

void AgentRingReader::findHead() {
    headTick_.reset();
    if (isDamaged_) return;
    // A faulty target may link chunks in a circle.
    for (std::uint32_t passed = 0; chunk_ == agent::kNoChunk || position_ >= readable_; ++passed) {
        isDamaged_ = passed > channel_.chunkCount();
        if (isDamaged_ || !enterNextChunk()) return;
    }
    isDamaged_ = !copyHead();
    if (isDamaged_) return;
    headTick_ = head_[0] >> 8;
    if (isMove()) headTick_ = std::min(head_[5], *headTick_);
}

/// The target may modify the record at any time, so each word is read only once, and the copy that was validated is
/// used from then on. False: not a valid record.
bool AgentRingReader::copyHead() {
    const std::uint32_t available = readable_ - position_;
    std::uint64_t* record = words();
    const std::uint32_t first = std::min(available / 8, kFirstWords);
    for (std::uint32_t i = 0; i < first; ++i)
        head_[i] = std::atomic_ref(record[i]).load(std::memory_order_relaxed);
    headBytes_ = recordBytes(available);
    if (headBytes_ == 0) return false;
    if (head_.size() < headBytes_ / 8) head_.resize(headBytes_ / 8);
    if (headBytes_ > first * 8) std::memcpy(&head_[first], record + first, headBytes_ - first * 8);
    completeHead();
    return true;
}

/// Expands a short record to its full form, and stores the values that the next one may refer to.
void AgentRingReader::completeHead() {
    const std::uint64_t word = head_[0];
    const RecordOp op = opOf(word);
    lastTick_ = isShort(op) ? lastTick_ + agent::ticksInShort(word) : word >> 8;
    if (op == RecordOp::AllocateShort || op == RecordOp::AllocateAgain) {
        head_[3] = op == RecordOp::AllocateAgain ? lastStack_ : head_[2];
        head_[2] = head_[1];
        head_[0] = agent::firstWord(RecordOp::Allocate, lastTick_);
    } else if (op == RecordOp::FreeShort) {
        head_[0] = agent::firstWord(RecordOp::Free, lastTick_);
    }
    if (isShort(op)) head_[1] = agent::addressInShort(word);
    if (opOf(head_[0]) == RecordOp::Allocate) lastStack_ = head_[3];
}

/// Determined by the first words of the copy.
std::uint32_t AgentRingReader::recordBytes(std::uint32_t available) const {
    std::uint64_t bytes = 0;
    if (available < 8) return 0;
    const RecordOp op = opOf(head_[0]);
    if (op == RecordOp::Stack) {
        if (available < 24 || head_[2] > agent::kMostFrames) return 0;
        bytes = (3 + head_[2]) * 8;
    } else if (op == RecordOp::Module) {
        if (available < 32) return 0;
        bytes = 32 + agent::paddedBytes(head_[3] & 0xFFFFFFFF) + agent::paddedBytes(head_[3] >> 32 & 0xFFFF);
    } else {
        bytes = fixedWords(op) * 8;
    }
    return bytes <= available ? static_cast<std::uint32_t>(bytes) : 0;
}

/// A moved block ended before the call and started after it: two events, of which the first has not been taken yet.
bool AgentRingReader::isMove() const {
    return opOf(head_[0]) == RecordOp::Reallocate && head_[1] != head_[3] && !isSecondHalf_;
}

void AgentRingReader::take(AgentEvent& event, std::deque<AgentDetail>& details) {
    event.pid = pid_;
    event.tid = tid_;
    if (isMove()) {
        event.op = AgentOp::ReallocateRelease;
        event.address = head_[3];
        event.stackKey = head_[4];
        isSecondHalf_ = true;
        headTick_ = head_[0] >> 8;
        return;
    }
    fill(event, details);
    isSecondHalf_ = false;
    position_ += headBytes_;
    findHead();
}

void AgentRingReader::fill(AgentEvent& event, std::deque<AgentDetail>& details) const {
    event.address = head_[1];
    switch (opOf(head_[0])) {
    case RecordOp::Allocate:
        event.op = AgentOp::Allocate;
        event.size = head_[2];
        event.stackKey = head_[3];
        break;
    case RecordOp::Free:
        event.op = AgentOp::Free;
        break;
    case RecordOp::FreeStack:
        event.op = AgentOp::Free;
        event.stackKey = head_[2];
        break;
    case RecordOp::Reallocate:
        event.op = head_[1] == head_[3] ? AgentOp::Reallocate : AgentOp::ReallocateMake;
        event.size = head_[2];
        event.oldAddress = head_[3];
        event.stackKey = head_[4];
        break;
    case RecordOp::Stack: {
        event.op = AgentOp::Stack;
        event.address = 0;
        event.stackKey = head_[1];
        AgentDetail& detail = details.emplace_back();
        const auto* frames = head_.data() + 3;
        detail.frames.assign(frames, frames + head_[2]);
        event.detail = &detail;
        break;
    }
    case RecordOp::Module:
        readModule(event, details.emplace_back());
        break;
    case RecordOp::ModuleGone:
        event.op = AgentOp::ModuleGone;
        break;
    default:
        fillPages(event);
    }
}

void AgentRingReader::fillPages(AgentEvent& event) const {
    event.size = head_[2];
    switch (opOf(head_[0])) {
    case RecordOp::Map:
        event.op = AgentOp::Map;
        event.protection = static_cast<std::uint8_t>(head_[3]);
        event.flags = static_cast<std::uint32_t>(head_[3] >> 32);
        event.stackKey = head_[4];
        break;
    case RecordOp::Unmap:
        event.op = AgentOp::Unmap;
        event.stackKey = head_[3];
        break;
    case RecordOp::Remap:
        event.op = AgentOp::Remap;
        event.oldAddress = head_[3];
        event.oldSize = head_[4];
        event.stackKey = head_[5];
        break;
    case RecordOp::Protect:
        event.op = AgentOp::Protect;
        event.protection = static_cast<std::uint8_t>(head_[3]);
        event.stackKey = head_[4];
        break;
    case RecordOp::Advise:
        event.op = AgentOp::Advise;
        event.flags = static_cast<std::uint32_t>(head_[3]);
        event.stackKey = head_[4];
        break;
    default:
        event.op = AgentOp::Break;
        event.size = 0;
        event.oldAddress = head_[2];
        event.stackKey = head_[3];
    }
}

void AgentRingReader::readModule(AgentEvent& event, AgentDetail& detail) const {
    event.op = AgentOp::Module;
    event.size = head_[2];
    event.flags = static_cast<std::uint32_t>(head_[3] >> 48 & 1);
    const std::uint64_t pathBytes = head_[3] & 0xFFFFFFFF;
    const auto* path = reinterpret_cast<const char*>(head_.data() + 4);
    const auto* buildId = path + agent::paddedBytes(pathBytes);
    detail.path.assign(path, pathBytes);
    detail.buildId.assign(buildId, buildId + (head_[3] >> 32 & 0xFFFF));
    event.detail = &detail;
}

AgentRingReader::Loss AgentRingReader::takeLoss() {
    const std::uint64_t dropped = slot().lost.load(std::memory_order_acquire);
    const std::uint64_t nested = slot().lostNested.load(std::memory_order_relaxed);
    Loss loss;
    loss.nested = nested - std::min(nested, nestedTaken_);
    nestedTaken_ = nested;
    if (dropped <= lossTaken_) return loss;
    loss.events = dropped - lossTaken_;
    loss.fromTick = std::max(slot().lostFirstTick.load(std::memory_order_relaxed), lossTick_);
    loss.toTick = std::max(slot().lostLastTick.load(std::memory_order_relaxed), loss.fromTick);
    lossTaken_ = dropped;
    lossTick_ = loss.toTick;
    return loss;
}

void AgentRingReader::handBack() {
    // A damaged ring keeps its chunks because their links are not reliable.
    if (chunk_ != agent::kNoChunk && !isDamaged_) chunks_.giveBack(chunk_);
    chunk_ = agent::kNoChunk;
    headTick_.reset();
    slot().state.store(agent::kSlotFree, std::memory_order_release);
}

} // namespace highwater::source
