#include "core/source/attach/elf_parts_linux.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <dlfcn.h>

using namespace highwater::source;

/// Functions of libraries, at the addresses that the dynamic linker finds.
class ElfPartsTest : public QObject {
    Q_OBJECT

  private slots:
    void functionsAreWhereTheDynamicLinkerFindsThem() {
        auto* const handle = ::dlopen("libz.so.1", RTLD_LAZY);
        QVERIFY(handle != nullptr);
        for (const auto* name : {"deflate", "inflate"}) {
            Dl_info facts{};
            const auto* const address = ::dlsym(handle, name);
            QVERIFY(::dladdr(address, &facts) != 0);
            const auto offset = static_cast<std::uint64_t>(static_cast<const char*>(address) -
                                                           static_cast<const char*>(facts.dli_fbase));
            QCOMPARE(offsetOfFunction(facts.dli_fname, name), std::optional(offset));
        }
        ::dlclose(handle);
    }
    void otherNamesAndFilesHaveNone() {
        Dl_info facts{};
        QVERIFY(::dladdr(reinterpret_cast<const void*>(&::dlopen), &facts) != 0);
        QVERIFY(!offsetOfFunction(facts.dli_fname, "no_such_function"));
        QVERIFY(!offsetOfFunction("/nowhere", "dlopen"));
        QVERIFY(!offsetOfFunction("/etc/passwd", "dlopen"));
    }
    void damagedFilesHaveNone() {
        Dl_info facts{};
        QVERIFY(::dladdr(reinterpret_cast<const void*>(&::dlopen), &facts) != 0);
        QFile library(facts.dli_fname);
        QVERIFY(library.open(QIODevice::ReadOnly));
        const auto bytes = library.readAll();
        for (const auto length : {qsizetype{0}, qsizetype{63}, qsizetype{64}, bytes.size() / 2, bytes.size() - 1}) {
            QFile damaged(folder_.filePath("damaged.so"));
            QVERIFY(damaged.open(QIODevice::WriteOnly) && damaged.write(bytes.left(length)) == length);
            damaged.close();
            QVERIFY(!offsetOfFunction(damaged.fileName().toStdString(), "no_such_function"));
        }
    }

  private:
    QTemporaryDir folder_;
};

HIGHWATER_TEST(ElfPartsTest);
#include "elf_parts_test_linux.moc"
