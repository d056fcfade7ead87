#include "core/symbols/demangling/type_name.h"

#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater::symbols;

namespace {

void typeRow(const char* symbol, const char* type) { QTest::newRow(symbol) << QString(symbol) << QString(type); }

} // namespace

class TypeNameTest : public QObject {
    Q_OBJECT

  private slots:
    void tablesHaveTheNamesOfTheirClasses_data() {
        QTest::addColumn<QString>("symbol");
        QTest::addColumn<QString>("type");
        typeRow("_ZTV7Session", "Session");
        typeRow("_ZTV7QWidget", "QWidget");
        typeRow("_ZTVN6server7SessionE", "server::Session");
        typeRow("_ZTVN12_GLOBAL__N_15LocalE", "(anonymous namespace)::Local");
        typeRow("_ZTV7Session.lto_priv.0", "Session");
        typeRow("_ZTVSt9exception@GLIBCXX_3.4", "std::exception");
        // All but the first argument of each list are left out.
        typeRow("_ZTV3MapIicE", "Map<int, ...>");
        typeRow("_ZTV3SetIiE", "Set<int>");
        typeRow("_ZTVSt23_Sp_counted_ptr_inplaceI7SessionSaIvELN9__gnu_cxx12_Lock_policyE2EE",
                "std::_Sp_counted_ptr_inplace<Session, ...>");
        typeRow("_ZTVSt15_Sp_counted_ptrIP7SessionLN9__gnu_cxx12_Lock_policyE2EE",
                "std::_Sp_counted_ptr<Session*, ...>");
        typeRow("_ZTV6HolderISt6vectorI7SessionSaIS1_EEiE", "Holder<std::vector<Session, ...>, ...>");
        typeRow("_ZTVN3MapIicE4NodeE", "Map<int, ...>::Node");
        typeRow("_ZTV4CallIFvicEiE", "Call<void (int, char), ...>");
        typeRow("_ZTVNSt7__cxx1119basic_ostringstreamIcSt11char_traitsIcESaIcEEE",
                "std::__cxx11::basic_ostringstream<char, ...>");
    }
    void tablesHaveTheNamesOfTheirClasses() {
        QFETCH(QString, symbol);
        QFETCH(QString, type);
        const auto found = typeOfVirtualTable(symbol.toStdString());
        QVERIFY(found.has_value());
        QCOMPARE(QString::fromStdString(*found), type);
    }
    void otherSymbolsAreNoTables() {
        for (const auto* symbol : {"", "_ZTV", "_ZTV7Sess", "_ZTI7Session", "_ZTS7Session", "_ZTT7Session", "main",
                                   "_ZN7SessionC1Ev", "vtable for Session"})
            QVERIFY2(!typeOfVirtualTable(symbol), symbol);
    }
};

HIGHWATER_TEST(TypeNameTest);
#include "type_name_test.moc"
