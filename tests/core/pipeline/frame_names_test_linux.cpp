#include "core/pipeline/frame_names.h"

#include "core/source/contract/resident_memory.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <string>
#include <unistd.h>

using namespace highwater;
using namespace highwater::pipeline;

extern "C" [[gnu::noinline]] void namedFrameFunction(volatile int* value) { *value = *value + 1; }

namespace {

ResidentSample mappingsOfProcess() {
    return source::residentMemoryOf(static_cast<std::uint32_t>(::getpid())).value().value();
}

std::string nameOf(Address code) {
    MemoryPicture picture;
    picture.names = {"worker", "app!+0x1"};
    picture.roots.resize(2);
    picture.roots[1].code = code, picture.roots[1].name = 1, picture.roots[1].parent = 0;
    static FrameNames names;
    names.name(picture, mappingsOfProcess());
    return picture.names[0] == "worker" ? picture.names[1] : "the name of the thread has changed";
}

} // namespace

/// The functions of this program.
class FrameNamesTest : public QObject {
    Q_OBJECT

  private slots:
    void aFrameHasTheNameOfItsFunction() {
        volatile int value = 0;
        namedFrameFunction(&value);
        const auto code = reinterpret_cast<Address>(&namedFrameFunction);
        for (int round = 0; round < 2; ++round) { // the second time, it is known
            const auto name = nameOf(code + 1);
            QVERIFY2(name.find("!namedFrameFunction") != std::string::npos, name.c_str());
        }
    }
    void aFrameWithoutAFunctionKeepsItsName() {
        QCOMPARE(nameOf(reinterpret_cast<Address>(mappingsOfProcess().mappings.front().begin)),
                 std::string("app!+0x1")); // the start of the file
        QCOMPARE(nameOf(8), std::string("app!+0x1"));
    }
};

HIGHWATER_TEST(FrameNamesTest);
#include "frame_names_test_linux.moc"
