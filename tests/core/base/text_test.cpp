#include "core/base/byte_reader.h"
#include "core/base/text.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;

namespace {
/// What Qt makes of the same text; the last unit is the NUL.
std::u16string written(std::string_view text) {
    std::vector<std::byte> bytes;
    appendUtf16(bytes, text);
    std::u16string units;
    for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
        units +=
            static_cast<char16_t>(std::to_integer<unsigned>(bytes[i]) | std::to_integer<unsigned>(bytes[i + 1]) << 8);
    }
    return units;
}
} // namespace

class TextTest : public QObject {
    Q_OBJECT
  private slots:
    void knowsTheFileNamesOfBothSystems() {
        QCOMPARE(fileName("/usr/lib/libc.so.6"), std::string_view("libc.so.6"));
        QCOMPARE(fileName("C:\\Windows\\ntdll.dll"), std::string_view("ntdll.dll"));
        QCOMPARE(fileName("C:\\mixed/a.exe"), std::string_view("a.exe"));
        QCOMPARE(fileName("plain"), std::string_view("plain"));
        QCOMPARE(fileName("folder/"), std::string_view());
    }
    void writesUtf16AsQtDoes_data() {
        QTest::addColumn<QString>("text");
        QTest::newRow("nothing") << QString();
        QTest::newRow("ASCII") << QStringLiteral("notepad.exe");
        QTest::newRow("two bytes") << QStringLiteral("Größe");
        QTest::newRow("three bytes") << QStringLiteral("記憶.exe");
        QTest::newRow("surrogates") << QStringLiteral("a😀b");
    }
    void writesUtf16AsQtDoes() {
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdU16String(written(text.toStdString())), text + QChar(u'\0'));
    }
    /// Names of files on Linux are any bytes.
    void writesAQuestionMarkForWhatIsNoUtf8() {
        QCOMPARE(QString::fromStdU16String(written("a\xFFz")), QStringLiteral("a?z") + QChar(u'\0'));
        QCOMPARE(QString::fromStdU16String(written("a\xC3")), QStringLiteral("a?") + QChar(u'\0'));
        QCOMPARE(QString::fromStdU16String(written("\xE8\xA8z")), QStringLiteral("??z") + QChar(u'\0'));
    }
};

HIGHWATER_TEST(TextTest);
#include "text_test.moc"
