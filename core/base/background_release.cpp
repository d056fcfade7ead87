#include "core/base/background_release.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>

namespace highwater {
namespace {

/// Outlives the object below because static objects may release their data after its destruction.
std::atomic<bool> isOver{false};

class Releaser {
  public:
    Releaser() {
        try {
            thread_ = std::thread([this] { run(); });
        } catch (const std::system_error&) { // continues without a thread
        }
    }
    ~Releaser() {
        isOver = true;
        {
            const std::lock_guard lock(mutex_);
            isEnding_ = true;
        }
        woken_.notify_one();
        if (thread_.joinable()) thread_.join();
    }
    Releaser(const Releaser&) = delete;
    Releaser& operator=(const Releaser&) = delete;

    void add(std::function<void()> release) {
        if (!thread_.joinable()) return release();
        {
            const std::lock_guard lock(mutex_);
            waiting_.push_back(std::move(release));
        }
        woken_.notify_one();
    }

  private:
    void run() {
        std::unique_lock lock(mutex_);
        while (true) {
            woken_.wait(lock, [this] { return isEnding_ || !waiting_.empty(); });
            if (waiting_.empty()) return;
            auto release = std::move(waiting_.front());
            waiting_.pop_front();
            lock.unlock();
            release();
            release = nullptr; // also destroys its captures
            lock.lock();
        }
    }

    std::mutex mutex_;
    std::condition_variable woken_;
    std::deque<std::function<void()>> waiting_;
    bool isEnding_ = false;
    std::thread thread_;
};

} // namespace

void releaseInBackground(std::function<void()> release) {
    if (isOver) return release();
    static Releaser releaser;
    releaser.add(std::move(release));
}

} // namespace highwater
