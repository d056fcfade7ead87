#include "core/pipeline/spool/file_sync.h"

namespace highwater::pipeline {

FileSync::FileSync(std::chrono::milliseconds every, std::function<void(const Error&)> failed)
    : every_(every), failed_(std::move(failed)), thread_([this] { run(); }) {}

FileSync::~FileSync() {
    {
        const std::lock_guard lock(endMutex_);
        isEnding_ = true;
    }
    ends_.notify_all();
    thread_.join();
}

void FileSync::setFile(std::shared_ptr<etl::ByteOutput> file) {
    const std::lock_guard lock(fileMutex_);
    file_ = std::move(file);
}

Result<void> FileSync::syncNow() {
    const std::lock_guard lock(fileMutex_);
    isDirty_.store(false, std::memory_order_relaxed);
    return file_ ? file_->sync() : Result<void>();
}

void FileSync::run() {
    std::unique_lock lock(endMutex_);
    while (!ends_.wait_for(lock, every_, [this] { return isEnding_; })) {
        if (!isDirty_.load(std::memory_order_relaxed)) continue;
        lock.unlock();
        if (const auto synced = syncNow(); !synced.hasValue()) failed_(synced.error());
        lock.lock();
    }
}

} // namespace highwater::pipeline
