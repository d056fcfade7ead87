#include "core/source/agent_ring_reader_linux.h"

#include <algorithm>
#include <cstring>

namespace highwater::source {

using agent::RecordOp;

namespace {

/// Words of a record of fixed length, its first one included; 0: no such record, or one of variable length.
std::uint32_t fixedWords(RecordOp op) {
    switch (op) {
    case RecordOp::Free:
    case RecordOp::ModuleGone:
        return 2;
    case RecordOp::FreeStack:
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

} // namespace

AgentRingReader::AgentRingReader(agent::ChannelView channel, std::uint32_t slotIndex)
    : channel_(channel),
      slotIndex_(slotIndex),
      pid_(slot().pid),
      tid_(slot().tid),
      processSlot_(slot().processSlot),
      startTick_(slot().startTick),
      lastLook_(slot().startTick),
      completeUntil_(slot().startTick) {}

std::uint64_t AgentRingReader::endTick() const { return slot().endTick; }
std::uint64_t AgentRingReader::stacksCut() const { return slot().stacksCut.load(std::memory_order_relaxed); }

void AgentRingReader::look(std::uint64_t now) {
    if (slot().state.load(std::memory_order_acquire) == agent::kSlotDone) hasEnded_ = true;
    // In this order: of a thread that is seen idle (or at another record than the last time), everything from before
    // this look (or the last one) is published by the time that `published` is read.
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

std::uint32_t AgentRingReader::chunksHeld(std::uint32_t most) const {
    std::uint32_t held = 0;
    std::uint32_t next = chunk_ == agent::kNoChunk ? slot().firstChunk.load(std::memory_order_acquire) : chunk_ + 1;
    for (; held < most && next != 0 && next - 1 < channel_.chunkCount(); ++held)
        next = channel_.chunk(next - 1).next.load(std::memory_order_acquire);
    return held;
}

void AgentRingReader::declareEnded() { hasEnded_ = true; }

const std::uint64_t* AgentRingReader::words() const {
    return reinterpret_cast<const std::uint64_t*>(reinterpret_cast<const char*>(&channel_.chunk(chunk_)) + position_);
}

/// Goes on in the chunk behind this one, if there is one; this one goes back to the pool.
bool AgentRingReader::enterNextChunk() {
    const bool isFirst = chunk_ == agent::kNoChunk;
    const auto& link = isFirst ? slot().firstChunk : channel_.chunk(chunk_).next;
    const std::uint32_t next = link.load(std::memory_order_acquire);
    if (next == 0) return false;
    if (!isFirst) {
        // What was published last, before the link was set.
        readable_ = std::min(channel_.chunk(chunk_).published.load(std::memory_order_acquire), agent::kChunkBytes);
        if (position_ < readable_) return true;
        channel_.returnChunk(chunk_);
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
    // A target that writes where it should not may link chunks to a circle.
    for (std::uint32_t passed = 0; chunk_ == agent::kNoChunk || position_ >= readable_; ++passed) {
        isDamaged_ = passed > channel_.chunkCount();
        if (isDamaged_ || !enterNextChunk()) return;
    }
    headBytes_ = recordBytes(words(), readable_ - position_);
    if (headBytes_ == 0) {
        isDamaged_ = true;
        return;
    }
    const std::uint64_t* record = words();
    headTick_ = record[0] >> 8;
    // A block that moved ended before the call and began after it: two events.
    const bool isMove = opOf(record[0]) == RecordOp::Reallocate && record[1] != record[3];
    if (isMove && !isSecondHalf_) headTick_ = std::min(record[5], *headTick_);
}

std::uint32_t AgentRingReader::recordBytes(const std::uint64_t* record, std::uint32_t available) const {
    std::uint64_t bytes = 0;
    if (available < 8) return 0;
    const RecordOp op = opOf(record[0]);
    if (op == RecordOp::Stack) {
        if (available < 24 || record[2] > agent::kMostFrames) return 0;
        bytes = (3 + record[2]) * 8;
    } else if (op == RecordOp::Module) {
        if (available < 32) return 0;
        bytes = 32 + agent::paddedBytes(record[3] & 0xFFFFFFFF) + agent::paddedBytes(record[3] >> 32 & 0xFFFF);
    } else {
        bytes = fixedWords(op) * 8;
    }
    return bytes <= available ? static_cast<std::uint32_t>(bytes) : 0;
}

void AgentRingReader::take(AgentEvent& event, std::deque<AgentDetail>& details) {
    const std::uint64_t* record = words();
    event.pid = pid_;
    event.tid = tid_;
    if (opOf(record[0]) == RecordOp::Reallocate && record[1] != record[3] && !isSecondHalf_) {
        event.op = AgentOp::ReallocateRelease;
        event.address = record[3];
        event.stackKey = record[4];
        isSecondHalf_ = true;
        headTick_ = record[0] >> 8;
        return;
    }
    fill(event, details);
    isSecondHalf_ = false;
    position_ += headBytes_;
    findHead();
}

void AgentRingReader::fill(AgentEvent& event, std::deque<AgentDetail>& details) const {
    const std::uint64_t* record = words();
    event.address = record[1];
    switch (opOf(record[0])) {
    case RecordOp::Allocate:
        event.op = AgentOp::Allocate;
        event.size = record[2];
        event.stackKey = record[3];
        break;
    case RecordOp::Free:
        event.op = AgentOp::Free;
        break;
    case RecordOp::FreeStack:
        event.op = AgentOp::Free;
        event.stackKey = record[2];
        break;
    case RecordOp::Reallocate:
        event.op = record[1] == record[3] ? AgentOp::Reallocate : AgentOp::ReallocateMake;
        event.size = record[2];
        event.oldAddress = record[3];
        event.stackKey = record[4];
        break;
    case RecordOp::Stack: {
        event.op = AgentOp::Stack;
        event.address = 0;
        event.stackKey = record[1];
        AgentDetail& detail = details.emplace_back();
        const std::uint64_t count = std::min<std::uint64_t>(record[2], headBytes_ / 8 - 3);
        detail.frames.assign(record + 3, record + 3 + count);
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
    const std::uint64_t* record = words();
    event.size = record[2];
    switch (opOf(record[0])) {
    case RecordOp::Map:
        event.op = AgentOp::Map;
        event.protection = static_cast<std::uint8_t>(record[3]);
        event.flags = static_cast<std::uint32_t>(record[3] >> 32);
        event.stackKey = record[4];
        break;
    case RecordOp::Unmap:
        event.op = AgentOp::Unmap;
        event.stackKey = record[3];
        break;
    case RecordOp::Remap:
        event.op = AgentOp::Remap;
        event.oldAddress = record[3];
        event.oldSize = record[4];
        event.stackKey = record[5];
        break;
    case RecordOp::Protect:
        event.op = AgentOp::Protect;
        event.protection = static_cast<std::uint8_t>(record[3]);
        event.stackKey = record[4];
        break;
    case RecordOp::Advise:
        event.op = AgentOp::Advise;
        event.flags = static_cast<std::uint32_t>(record[3]);
        event.stackKey = record[4];
        break;
    default:
        event.op = AgentOp::Break;
        event.size = 0;
        event.oldAddress = record[2];
        event.stackKey = record[3];
    }
}

void AgentRingReader::readModule(AgentEvent& event, AgentDetail& detail) const {
    const std::uint64_t* record = words();
    event.op = AgentOp::Module;
    event.size = record[2];
    event.flags = static_cast<std::uint32_t>(record[3] >> 48 & 1);
    const std::uint64_t most = headBytes_ - 32;
    const std::uint64_t pathBytes = std::min<std::uint64_t>(record[3] & 0xFFFFFFFF, most);
    const std::uint64_t buildIdAt = std::min(agent::paddedBytes(pathBytes), most);
    const std::uint64_t buildIdBytes = std::min<std::uint64_t>(record[3] >> 32 & 0xFFFF, most - buildIdAt);
    const auto* text = reinterpret_cast<const char*>(record + 4);
    detail.path.assign(text, pathBytes);
    detail.buildId.assign(text + buildIdAt, text + buildIdAt + buildIdBytes);
    event.detail = &detail;
}

AgentRingReader::Loss AgentRingReader::takeLoss() {
    const std::uint64_t dropped = slot().lost.load(std::memory_order_acquire);
    const std::uint64_t nested = slot().lostNested.load(std::memory_order_relaxed);
    Loss loss;
    if (dropped + nested <= lossTaken_) return loss;
    loss.events = dropped + nested - lossTaken_;
    loss.fromTick = std::max(slot().lostFirstTick.load(std::memory_order_relaxed), lossTick_);
    loss.toTick = std::max(slot().lostLastTick.load(std::memory_order_relaxed), loss.fromTick);
    lossTaken_ = dropped + nested;
    lossTick_ = loss.toTick;
    return loss;
}

void AgentRingReader::handBack() {
    // A ring that is damaged keeps its chunks: what they are linked to is unknown.
    if (chunk_ != agent::kNoChunk && !isDamaged_) channel_.returnChunk(chunk_);
    chunk_ = agent::kNoChunk;
    headTick_.reset();
    slot().state.store(agent::kSlotFree, std::memory_order_release);
}

} // namespace highwater::source
