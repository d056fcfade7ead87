#include "tests/ui/support/small_trace.h"

#include <vector>

namespace highwater::tests {

SmallTrace::SmallTrace()
    : health_(std::make_unique<TraceHealth>()), store_(std::make_unique<store::TraceStore>(*health_)) {}

SmallTrace& SmallTrace::process(std::uint32_t pid, const std::string& name) {
    ProcessEvent event;
    event.occasion = Occasion::RundownStart;
    event.pid = pid;
    event.name = name;
    store_->onProcess(event);
    return *this;
}

SmallTrace& SmallTrace::execute(std::int64_t time, std::uint32_t pid, const std::string& name) {
    ProcessEvent event;
    event.time = ms(time);
    event.occasion = Occasion::Executed;
    event.pid = pid;
    event.name = name;
    store_->onProcess(event);
    return *this;
}

SmallTrace& SmallTrace::image(std::uint32_t pid, Address base, ByteCount size, const std::string& name) {
    ImageEvent event;
    event.occasion = Occasion::RundownStart;
    event.pid = pid;
    event.base = base;
    event.size = size;
    event.path = "\\folder\\" + name;
    store_->onImage(event);
    return *this;
}

SmallTrace& SmallTrace::commit(std::int64_t at, std::uint32_t pid, Address address, ByteCount size,
                               std::initializer_list<Address> frames) {
    const std::vector<Address> stack(frames);
    MemoryEvent event;
    event.time = ms(at);
    event.operation = MemoryOperation::VirtualAlloc;
    event.flags = virtual_flag::kReserve | virtual_flag::kCommit;
    event.pid = pid;
    event.tid = ThreadId{pid + 1};
    event.address = address;
    event.size = size;
    if (!stack.empty()) event.stack = {.kind = EventStack::Kind::Frames, .pending = {}, .frames = stack};
    store_->onMemoryEvent(event);
    return *this;
}

SmallTrace& SmallTrace::managed(std::int64_t at, std::uint32_t pid, const std::string& type, ByteCount size,
                                std::initializer_list<Address> frames) {
    const auto [known, isNew] = types_.try_emplace(type, static_cast<std::uint32_t>(types_.size() + 1));
    if (isNew) store_->onManagedType(known->second, type);
    const std::vector<Address> stack(frames);
    MemoryEvent event;
    event.time = ms(at);
    event.operation = MemoryOperation::ManagedAlloc;
    event.pid = pid;
    event.tid = ThreadId{pid + 1};
    event.heap = known->second;
    event.size = size;
    if (!stack.empty()) event.stack = {.kind = EventStack::Kind::Frames, .pending = {}, .frames = stack};
    store_->onMemoryEvent(event);
    return *this;
}

SmallTrace& SmallTrace::collected(std::int64_t at, std::uint32_t pid, std::initializer_list<ByteCount> sizes) {
    GcEvent event;
    event.time = ms(at);
    event.pid = pid;
    for (const auto size : sizes)
        event.sizes[event.generations++] = size;
    store_->onGc(event);
    return *this;
}

SmallTrace& SmallTrace::decommit(std::int64_t at, std::uint32_t pid, Address address, ByteCount size) {
    MemoryEvent event;
    event.time = ms(at);
    event.operation = MemoryOperation::VirtualFree;
    event.flags = virtual_flag::kDecommit;
    event.pid = pid;
    event.tid = ThreadId{pid + 1};
    event.address = address;
    event.size = size;
    store_->onMemoryEvent(event);
    return *this;
}

SmallTrace& SmallTrace::threadName(std::int64_t at, std::uint32_t pid, const std::string& name) {
    store_->onThread({.time = ms(at), .occasion = Occasion::Named, .pid = pid, .tid = pid + 1, .name = name});
    return *this;
}

SmallTrace& SmallTrace::lose(Loss loss, std::uint64_t times) {
    health_->count(loss, times);
    return *this;
}

SmallTrace& SmallTrace::lose(Loss loss, std::uint64_t times, std::int64_t fromMs, std::int64_t toMs) {
    health_->addZone({ms(fromMs), ms(toMs), std::string(describe(loss).name), times});
    return lose(loss, times);
}

SmallTrace& SmallTrace::rundown(Occasion occasion, std::int64_t at) {
    store_->onRundown(occasion, ms(at));
    return *this;
}

std::shared_ptr<const store::PublishedTrace> SmallTrace::publish(std::int64_t endMs) {
    store_->onTimeReached(ms(endMs));
    return store_->publish();
}

} // namespace highwater::tests
