#include "core/symbols/answers/symbol_identity.h"

#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::symbols;

class SymbolIdentityTest : public QObject {
    Q_OBJECT
  private slots:
    void namesTheFolderOfASymbolServer() {
        SymbolIdentity identity;
        identity.pdbGuid = {0xCCF79D6C, 0x6BA5, 0xFBBF, {0x4C, 0x4C, 0x44, 0x20, 0x50, 0x44, 0x42, 0x2E}};
        identity.pdbAge = 0x1A;
        QCOMPARE(pdbKey(identity), std::string("CCF79D6C6BA5FBBF4C4C44205044422E1A"));
        QCOMPARE(toString(identity), std::string("GUID ccf79d6c-6ba5-fbbf-4c4c-44205044422e age 26"));
        QVERIFY(identity.isKnown());
    }
    void readsAndWritesBuildIds() {
        SymbolIdentity identity;
        identity.buildId = bytesOfHex("00ffA5").value_or("");
        QCOMPARE(identity.buildId, std::string("\x00\xFF\xA5", 3));
        QCOMPARE(buildIdHex(identity), std::string("00ffa5"));
        QCOMPARE(toString(identity), std::string("build-id 00ffa5"));
        QVERIFY(!bytesOfHex("abc"));
        QVERIFY(!bytesOfHex("zz"));
    }
    void isUnknownWithoutEither() {
        QVERIFY(!SymbolIdentity{}.isKnown());
        QCOMPARE(pdbKey({}), std::string());
        QCOMPARE(toString(SymbolIdentity{}), std::string("no identity"));
    }
};
HIGHWATER_TEST(SymbolIdentityTest);
#include "symbol_identity_test.moc"
