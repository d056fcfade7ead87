#include "core/symbols/demangling/microsoft_name.h"

#include "tests/support/test_registry.h"

#include <QTest>

#include <string>

using namespace highwater::symbols;

namespace {

/// A<int>, A<A<int>, A<int>> and so on: each is twice as long.
std::string doubledTemplates(int times) {
    std::string type = "V?$A@H@@";
    for (int i = 0; i < times; ++i)
        type = "V?$A@" + type + "V1@@@";
    return "?x@@3" + type + "A";
}

/// f(int (*)(int, int), void (*)(the one before, 30 times), ...)
std::string repeatedParameters(int times) {
    std::string name = "?f@@YAXP6AHHH@Z";
    for (int i = 0; i < times; ++i)
        name += "P6AX" + std::string(30, static_cast<char>('0' + i)) + "@Z";
    return name + "@Z";
}

} // namespace

/// Names are judged by their demangled size, not by their own length.
class MicrosoftNameTest : public QObject {
    Q_OBJECT
  private slots:
    void letsPassWhatProgramsHave() {
        for (const auto* name :
             {"?InnerLoopOperation@@YAHH@Z", "?push@?$Ring@J@buffers@@QEAAJJ@Z", "??2@YAPEAX_K@Z", "??1Foo@@QEAA@XZ",
              "??_GFoo@@UAEPAXI@Z", "?what@Foo@@UBEPBDXZ", "?callBack@@YAXP6AXH@Z@Z", "?foo@?A0x1234@@YAXXZ",
              "??$move@AEAV?$vector@HV?$allocator@H@std@@@std@@@std@@YA$$QEAV?$vector@HV?$allocator@H@std@@@0@AEAV10@@"
              "Z"})
            QVERIFY2(isBoundedMicrosoftName(name), name);
    }
    void refusesTemplatesThatGrowByPowers() {
        QVERIFY(isBoundedMicrosoftName(doubledTemplates(2)));
        QVERIFY(!isBoundedMicrosoftName(doubledTemplates(30)));
    }
    void refusesParametersThatGrowByPowers() {
        QVERIFY(isBoundedMicrosoftName(repeatedParameters(1)));
        QVERIFY(!isBoundedMicrosoftName(repeatedParameters(9)));
    }
    void longIsNotMuch() {
        QVERIFY(isBoundedMicrosoftName("?" + std::string(1000, 'a') + "@@YAXXZ"));
        QVERIFY(isBoundedMicrosoftName("?f@@YAX" + std::string(200, 'H') + "@Z"));
    }
    void judgesWhatItDoesNotKnowByItsDigits() {
        const std::string unknown = "?f@@YAX$$Zsomething";
        QVERIFY(isBoundedMicrosoftName(unknown));
        QVERIFY(!isBoundedMicrosoftName(unknown + repeatedParameters(9).substr(7)));
    }
};
HIGHWATER_TEST(MicrosoftNameTest);
#include "microsoft_name_test.moc"
