// Informs ThreadSanitizer how Qt, which is not built with it, hands objects from one thread to another: otherwise every
// answer of a worker would be a race. These functions precede the Qt functions that our code calls for it. All
// hand-overs count as one, so that some races remain undetected.
#include "tests/support/tsan_qt.h"

#if defined(__SANITIZE_THREAD__)

#include <QFutureInterface>
#include <QMetaObject>
#include <QThreadPool>

#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>

#include <functional>
#include <utility>

// From the sanitizer's run time, which has no header.
extern "C" {
void AnnotateIgnoreWritesBegin(const char* file, int line);
void AnnotateIgnoreWritesEnd(const char* file, int line);
}

namespace highwater::tests {
namespace {

char handOver;

/// Qt's own function of this (mangled) name.
template <typename Function>
Function* behind(const char* name) {
    auto* const found = ::dlsym(RTLD_NEXT, name);
    if (found == nullptr) qFatal("This Qt has no %s: tests/support/tsan_qt.cpp fits Qt 6.4.", name);
    return reinterpret_cast<Function*>(found);
}

/// Work as a worker must see it. None of it is read before the worker has taken over the data.
class TakingRunnable final : public QRunnable {
  public:
    explicit TakingRunnable(std::function<void()> work) : work_(std::move(work)) {}
    __attribute__((no_sanitize("thread"))) void run() override {
        take();
        work_();
        work_ = nullptr;
        give();
    }

  private:
    std::function<void()> work_;
};

void startGiven(QThreadPool* pool, std::function<void()> work, int priority) {
    static auto* const start = behind<void(QThreadPool*, QRunnable*, int)>("_ZN11QThreadPool5startEP9QRunnablei");
    auto* const runnable = new TakingRunnable(std::move(work)); // the pool's from now on
    give();
    start(pool, runnable, priority);
}

} // namespace

void give() { __tsan_release(&handOver); }
void take() { __tsan_acquire(&handOver); }

} // namespace highwater::tests

using highwater::tests::behind, highwater::tests::give, highwater::tests::take;

void QThreadPool::start(std::function<void()> work, int priority) {
    highwater::tests::startGiven(this, std::move(work), priority);
}

void QThreadPool::start(QRunnable* runnable, int priority) {
    const auto work = [runnable] {
        const bool isOurs = runnable->autoDelete();
        runnable->run();
        if (isOurs) delete runnable;
    };
    highwater::tests::startGiven(this, work, priority);
}

bool QThreadPool::waitForDone(int milliseconds) {
    static auto* const wait = behind<bool(QThreadPool*, int)>("_ZN11QThreadPool11waitForDoneEi");
    const bool done = wait(this, milliseconds);
    take();
    return done;
}

bool QMetaObject::invokeMethodImpl(QObject* object, QtPrivate::QSlotObjectBase* function, Qt::ConnectionType type,
                                   void* result) {
    static auto* const invoke = behind<bool(QObject*, QtPrivate::QSlotObjectBase*, Qt::ConnectionType, void*)>(
        "_ZN11QMetaObject16invokeMethodImplEP7QObjectPN9QtPrivate15QSlotObjectBaseEN2Qt14ConnectionTypeEPv");
    // Held, so that the last reference is released here, after taking over the data. If Qt releases it last after all,
    // its own reference count, which is invisible here, orders it after this one.
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
    function->ref();
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    give();
    const bool isInvoked = invoke(object, function, type, result);
    take();
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
    function->destroyIfLastRef();
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    return isInvoked;
}

bool QFutureInterfaceBase::derefT() const {
    static auto* const deref = behind<bool(const QFutureInterfaceBase*)>("_ZNK20QFutureInterfaceBase6derefTEv");
    give();
    const bool isLeft = deref(this);
    take();
    return isLeft;
}

void QFutureInterfaceBase::reportResultsReady(int begin, int end) {
    static auto* const report =
        behind<void(QFutureInterfaceBase*, int, int)>("_ZN20QFutureInterfaceBase18reportResultsReadyEii");
    give();
    report(this, begin, end);
}

void QFutureInterfaceBase::reportFinished() {
    static auto* const report = behind<void(QFutureInterfaceBase*)>("_ZN20QFutureInterfaceBase14reportFinishedEv");
    give();
    report(this);
}

#else

namespace highwater::tests {

void give() {}
void take() {}

} // namespace highwater::tests

#endif
