#include "core/pipeline/picture_variables.h"

#include "core/source/contract/resident_memory.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <asm/prctl.h>
#include <cerrno>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace highwater;
using namespace highwater::pipeline;

extern "C" char _end[]; // of the data of this program, set by the linker

namespace {

volatile int pictureVariable = 1;
thread_local volatile int pictureThreadLocal = 1;

/// Fails where the memory of this program cannot be read.
std::size_t readOwn(Address from, std::span<std::byte> to) {
    static const int file = ::open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
    return static_cast<std::size_t>(
        std::max<ssize_t>(::pread(file, to.data(), to.size(), static_cast<off_t>(from)), 0));
}

} // namespace

/// The variables of this program, at the addresses that it uses itself.
class PictureVariablesTest : public QObject {
    Q_OBJECT

  private slots:
    void variablesHaveTheirAddresses() {
        const auto found = find();
        const auto* variable = named(found, "pictureVariable");
        QVERIFY(variable != nullptr);
        QVERIFY(variable->name.find('!') != std::string::npos);
        QCOMPARE(variable->begin, reinterpret_cast<Address>(&pictureVariable));
        QCOMPARE(variable->end - variable->begin, Address{sizeof pictureVariable});
        QVERIFY(variable->kind == RootKind::Variable);
    }
    void threadLocalVariablesHaveThoseOfTheThread() {
        const auto found = find();
        const auto* variable = named(found, "pictureThreadLocal");
        QVERIFY(variable != nullptr);
        QCOMPARE(variable->begin, reinterpret_cast<Address>(&pictureThreadLocal));
        QVERIFY(variable->kind == RootKind::ThreadLocal);
    }

    /// Of the C library, which is linked, of this program, and of other libraries.
    void threadLocalDataOfAllModulesIsFound() {
        const auto all = mappings();
        const auto own = thread();
        const auto found = PictureVariables().find(all, {own}, readOwn);
        const auto blockOf = [&](Address address) {
            const auto block = std::ranges::find_if(found.threadLocals, [&](const references::ThreadLocalBlock& one) {
                return one.begin <= address && address < one.end;
            });
            return block == found.threadLocals.end() ? std::string() : all.names[block->name];
        };
        QVERIFY(blockOf(reinterpret_cast<Address>(&errno)).find("libc.so") != std::string::npos);
        QCOMPARE(blockOf(reinterpret_cast<Address>(&pictureThreadLocal)), all.names[all.mappings.front().name]);
    }
    void dataEndsWithTheLastWritableSegment() {
        const auto all = mappings();
        const auto found = PictureVariables().find(all, {}, readOwn);
        QVERIFY(std::ranges::is_sorted(found.modules, {}, &references::ModuleData::begin));
        const auto own = std::ranges::find(found.modules, all.mappings.front().begin, &references::ModuleData::begin);
        QVERIFY(own != found.modules.end());
        const auto end = reinterpret_cast<Address>(_end);
        QVERIFY(own->end >= end && own->end - end < kResidentPageBytes);
        QCOMPARE(own->end % kResidentPageBytes, Address{0});
    }
    void variablesEndWithTheData() {
        const auto found = PictureVariables().find(mappings(), {}, readOwn);
        for (const auto& variable : found.variables) {
            if (variable.kind != RootKind::Variable) continue;
            const auto next =
                std::ranges::upper_bound(found.modules, variable.begin, {}, &references::ModuleData::begin);
            QVERIFY(next != found.modules.begin());
            QVERIFY2(variable.end <= std::prev(next)->end, variable.name.c_str());
        }
    }

  private:
    static std::vector<references::Variable> find() {
        return PictureVariables().find(mappings(), {thread()}, readOwn).variables;
    }
    static CopiedThread thread() {
        CopiedThread own;
        ::syscall(SYS_arch_prctl, ARCH_GET_FS, &own.threadPointer);
        return own;
    }
    static const references::Variable* named(const std::vector<references::Variable>& all, std::string_view name) {
        const auto found =
            std::ranges::find_if(all, [&](const auto& variable) { return variable.name.ends_with(name); });
        return found == all.end() ? nullptr : &*found;
    }
    static ResidentSample mappings() {
        return source::residentMemoryOf(static_cast<std::uint32_t>(::getpid())).value().value();
    }
};

HIGHWATER_TEST(PictureVariablesTest);
#include "picture_variables_test_linux.moc"
