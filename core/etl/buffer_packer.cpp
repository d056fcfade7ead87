#include "core/etl/buffer_packer.h"

#include "core/base/thread_priority.h"
#include "core/base/within_memory.h"
#include "core/etl/xpress.h"

#include <algorithm>
#include <utility>

namespace highwater::etl {

void packBuffer(const std::vector<std::byte>& image, std::uint32_t used, std::vector<std::byte>& packed) {
    packed.assign(kBufferHeaderBytes, std::byte{0});
    xpressCompress(ByteSpan(image).subspan(kBufferHeaderBytes, used - kBufferHeaderBytes), packed);
}

BufferPacker::BufferPacker() : thread_([this] { run(); }) {}

BufferPacker::~BufferPacker() {
    {
        const std::lock_guard lock(mutex_);
        isOver_ = true;
    }
    woken_.notify_one();
    thread_.join();
}

void BufferPacker::add(std::shared_ptr<PackingJob> job) {
    {
        const std::lock_guard lock(mutex_);
        waiting_.push_back(std::move(job));
    }
    woken_.notify_one();
}

bool BufferPacker::takePacked(PackingJob& job, std::vector<std::byte>& packed) {
    const std::lock_guard lock(mutex_);
    if (job.state != PackingJob::State::Done) return false;
    std::swap(job.packed, packed);
    return true;
}

void BufferPacker::takeBack(PackingJob& job) {
    const std::lock_guard lock(mutex_);
    job.state = PackingJob::State::Given;
}

void BufferPacker::run() {
    lowerThreadPriority();
    std::vector<std::byte> packed;
    std::unique_lock lock(mutex_);
    while (true) {
        woken_.wait(lock, [this] { return isOver_ || !waiting_.empty(); });
        if (isOver_) return;
        const auto job = std::move(waiting_.front());
        waiting_.pop_front();
        if (job->state == PackingJob::State::Given) continue;
        lock.unlock();
        const auto done = withinMemory([&]() -> Result<void> {
            packBuffer(job->image, job->used, packed);
            return {};
        });
        lock.lock();
        if (!done.hasValue() || job->state == PackingJob::State::Given) continue; // the buffer is written uncompressed
        std::swap(job->packed, packed);
        job->state = PackingJob::State::Done;
    }
}

} // namespace highwater::etl
