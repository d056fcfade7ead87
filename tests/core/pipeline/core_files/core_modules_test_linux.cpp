#include "core/pipeline/core_files/core_modules.h"

#include "tests/support/test_registry.h"

#include <QCoreApplication>
#include <QTest>

#include <algorithm>
#include <link.h>
#include <sys/uio.h>
#include <unistd.h>

using namespace highwater;
using namespace highwater::pipeline;

namespace {

volatile int coreModulesVariable = 1;

std::size_t readOwn(Address from, std::span<std::byte> to) {
    const iovec local{to.data(), to.size()}, remote{reinterpret_cast<void*>(from), to.size()};
    return static_cast<std::size_t>(std::max<ssize_t>(process_vm_readv(getpid(), &local, 1, &remote, 1, 0), 0));
}

/// Of this program, which is the first object.
Address ownBase() {
    Address base = 0;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* found) {
            *static_cast<Address*>(found) = info->dlpi_addr;
            return 1;
        },
        &base);
    return base;
}

std::string ownFile() { return QCoreApplication::applicationFilePath().toStdString(); }

std::string remarksOf(const CoreModules& modules) { return modules.remarks().empty() ? "" : modules.remarks().front(); }

} // namespace

/// The modules of this program, as if its memory were in a core file.
class CoreModulesTest : public QObject {
    Q_OBJECT

  private slots:
    void theSameFileGivesNames() {
        CoreModules modules(readOwn);
        const auto found = modules.variablesOf(ownFile(), ownBase());
        const auto variable = std::ranges::find_if(found.shared, [](const symbols::ElfVariable& some) {
            return some.name.find("coreModulesVariable") != std::string::npos;
        });
        QVERIFY(variable != found.shared.end());
        QCOMPARE(ownBase() + variable->begin, reinterpret_cast<Address>(&coreModulesVariable));
        QVERIFY(modules.remarks().empty());
    }
    void anotherBuildGivesNone() {
        CoreModules modules(readOwn);
        const auto other = modules.variablesOf("/bin/sh", ownBase());
        QVERIFY(other.shared.empty() && other.threadLocal.empty());
        QVERIFY(remarksOf(modules).starts_with("Variables of sh have no names because the file on this machine is "
                                               "another build"));
    }
    /// Where data ends is in the memory, not in the file.
    void theLayoutIsThatOfTheProcess() {
        CoreModules modules(readOwn), others(readOwn);
        const auto own = modules.variablesOf(ownFile(), ownBase());
        const auto other = others.variablesOf("/bin/sh", ownBase());
        QVERIFY(own.dataEnd && *own.dataEnd > 0);
        QCOMPARE(other.dataEnd, own.dataEnd);
        QCOMPARE(other.threadLocalBytes, own.threadLocalBytes);
    }
    void aMissingFileGivesNone() {
        CoreModules modules(readOwn);
        QVERIFY(modules.variablesOf("/no/such/file.so", ownBase()).shared.empty());
        QVERIFY(remarksOf(modules).starts_with("Variables of file.so have no names because this file does not exist"));
    }
    void headersThatAreNotInTheCoreFileGiveNone() {
        CoreModules modules([](Address, std::span<std::byte>) { return std::size_t{0}; });
        const auto found = modules.variablesOf(ownFile(), ownBase());
        QVERIFY(found.shared.empty() && !found.dataEnd);
        QVERIFY(remarksOf(modules).find("does not contain the headers") != std::string::npos);
    }
};

HIGHWATER_TEST(CoreModulesTest);
#include "core_modules_test_linux.moc"
