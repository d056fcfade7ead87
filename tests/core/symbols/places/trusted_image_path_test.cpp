#include "core/symbols/places/trusted_image_path.h"

#include "tests/support/test_registry.h"

#include <QTest>

#include <string>

using namespace highwater::symbols;

class TrustedImagePathTest : public QObject {
    Q_OBJECT
  private slots:
    void tellsWhichPathsArePlain_data() {
        QTest::addColumn<std::string>("path");
        QTest::addColumn<std::string>("asLinux");
        QTest::addColumn<std::string>("asWindows");
        const std::string none = "is not an absolute path on this system", network = "is a network path",
                          device = "is a device", odd = "is not a plain path", plain;
        const auto row = [](const char* path, const std::string& asLinux, const std::string& asWindows) {
            QTest::newRow(path) << std::string(path) << asLinux << asWindows;
        };
        row("/usr/lib/libx.so.1", plain, none);
        row("/home/a b/CON/x:y?", plain, none);
        row("/home//x", plain, none);
        row("/network/x", plain, none);
        row("/devices/x", plain, device);
        row("C:\\Windows\\System32\\ntdll.dll", none, plain);
        row("c:/build/app.exe", none, plain);
        row("C:\\a\\\\b.dll", none, plain);
        row("C:\\M\xC3\xBCll\\x.dll", none, plain);
        // the network
        row("\\\\host\\share\\x.dll", none, network);
        row("//host/share/x.dll", network, network);
        row("\\/host\\share\\x.dll", none, network);
        row("/\\host/share/x.dll", plain, network); // a file name with a backslash, on Linux
        row("/net/host/x", network, none);
        row("/net", network, none);
        row("/afs/cell/x", network, none);
        // devices, and other forms of file names
        row("\\\\?\\C:\\x.dll", none, device);
        row("\\\\?\\UNC\\host\\share\\x.dll", none, device);
        row("\\\\.\\C:\\x.dll", none, device);
        row("\\\\.\\pipe\\x", none, device);
        row("//./C:/x.dll", network, device);
        row("\\??\\C:\\x.dll", none, device);
        row("\\??\\UNC\\host\\share\\x.dll", none, device);
        row("\\Device\\HarddiskVolume3\\x.dll", none, device);
        row("\\device\\mup\\host\\share\\x.dll", none, device);
        row("/dev/tty", device, none);
        row("/dev", device, none);
        row("/proc/self/mem", device, none);
        row("/sys/kernel/x", device, none);
        row("C:\\CON", none, odd);
        row("C:\\x\\nul.txt", none, odd);
        row("C:\\com1.dll\\x.dll", none, odd);
        row("C:\\lpt\xC2\xB9", none, odd);
        row("C:\\conin$", none, odd);
        row("C:\\aux .dll", none, odd);
        row("C:\\x.dll:stream", none, odd);
        row("C:\\x.dll.", none, odd);
        row("C:\\x \\y.dll", none, odd);
        row("C:\\x?.dll", none, odd);
        // paths with . or .., and incomplete paths
        row("/usr/../net/host/x", odd, none);
        row("/usr/./x", odd, none);
        row("/..", odd, none);
        row("C:\\a\\..\\..\\x.dll", none, odd);
        row("C:\\.\\x.dll", none, odd);
        row("C:x.dll", none, none);
        row("C:", none, none);
        row("C:\\", none, none);
        row("\\Windows\\x.dll", none, none);
        row("x.dll", none, none);
        row("..\\x.dll", none, none);
        row("~/x", none, none);
        row("file:///x", none, none);
        row("http://host/x", none, none);
        row("/a\nb", odd, odd);
        row("C:\\a\tb", odd, odd);
        QTest::newRow("nothing") << std::string() << std::string("is not a valid path")
                                 << std::string("is not a valid path");
        QTest::newRow("NUL") << std::string("/a\0b", 4) << odd << odd;
        QTest::newRow("too long") << "/" + std::string(5000, 'x') << std::string("is not a valid path")
                                  << std::string("is not a valid path");
    }
    void tellsWhichPathsArePlain() {
        QFETCH(std::string, path);
        QFETCH(std::string, asLinux);
        QFETCH(std::string, asWindows);
        QCOMPARE(objectionTo(path, PathStyle::Linux), asLinux);
        QCOMPARE(objectionTo(path, PathStyle::Windows), asWindows);
        const auto own = objectionTo(path);
        const auto trusted = trustedPath(path);
        if (!own.empty()) QCOMPARE(trusted.error().message, own + "; skipped");
    }

    void knowsNamesOfFiles() {
        for (const auto* name : {"ntdll.dll", "lib x.so.1", ".hidden", "a..b", "M\xC3\xBCll.pdb", "console.dll",
                                 "com.dll", "com10.dll", "a%2e.pdb"})
            QVERIFY2(isPlainName(name), name);
        for (const auto* name :
             {"",     ".",      "..", "a/b", "a\\b", "../x", "a:b",  "C:",  "CON", "con.pdb", "Aux.a.b", "NUL ",
              "COM1", "lpt9.x", "x.", "x ",  "a*b",  "a?b",  "a\"b", "a<b", "a>b", "a|b",     "a\nb"})
            QVERIFY2(!isPlainName(name), name);
        QVERIFY(!isPlainName(std::string(256, 'x')));
        QVERIFY(!isPlainName(std::string_view("a\0b", 3)));
    }
};
HIGHWATER_TEST(TrustedImagePathTest);
#include "trusted_image_path_test.moc"
