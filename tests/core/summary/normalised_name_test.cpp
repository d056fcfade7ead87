#include "core/summary/normalised_name.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater::summary;

namespace {

/// A function that is the same in two builds, on two machines or by two recorders has one name; different functions
/// have different names.
class NormalisedNameTest : public QObject {
    Q_OBJECT

  private slots:
    void modulesLoseFolderAndVersion_data() {
        QTest::addColumn<QString>("module");
        QTest::addColumn<QString>("name");
        const auto row = [](const char* module, const char* name) { QTest::newRow(module) << module << name; };
        row("libfoo.so", "libfoo.so");
        row("libfoo.so.1.2.3", "libfoo.so");
        row("/usr/lib/x86_64-linux-gnu/libc.so.6", "libc.so");
        row("libc-2.31.so", "libc.so");
        row("libfoo-1.2.so.3", "libfoo.so");
        row("libpython3.11.so.1.0", "libpython3.11.so");
        row("C:\\App\\App.exe", "app.exe");
        row("app-1.2.exe", "app.exe");
        row("App-8123.EXE", "app.exe");
        row("libstdc++-6.dll", "libstdc++.dll");
        row("NTDLL.DLL", "ntdll.dll");
        row("app-1.2", "app");
        row("python3.11", "python3.11");
        row("App", "App");           // Linux is case-sensitive
        row("x86-64", "x86-64");     // a number alone is a version of libraries only
        row("-1.2.exe", "-1.2.exe"); // nothing would be left
        row(".so.1", ".so.1");
        row("libso.solid", "libso.solid");
        row("", "");
    }
    void modulesLoseFolderAndVersion() {
        QFETCH(QString, module);
        QFETCH(QString, name);
        QCOMPARE(QString::fromStdString(normalisedModule(module.toStdString())), name);
    }

    void functionsLoseWhatBuildsChange_data() {
        QTest::addColumn<QString>("function");
        QTest::addColumn<QString>("name");
        const auto row = [](const char* function, const char* name) { QTest::newRow(function) << function << name; };
        row("main", "main");
        row("main [inlined]", "main");
        row("Cache::store(int, std::string const&)", "Cache::store");
        row("void Cache::store<int>(int) const", "Cache::store<>");
        row("std::vector<int, std::allocator<int> >::push_back", "std::vector<>::push_back");
        row("std::vector<>::push_back", "std::vector<>::push_back");
        row("operator new(unsigned long)", "operator new");
        row("void* operator new(unsigned long)", "operator new");
        row("Less::operator()", "Less::operator()");
        row("Less::operator()(int, int) const", "Less::operator()");
        row("operator<<", "operator<<");
        row("A::operator->", "A::operator->");
        row("operator< <int>", "operator< <>");
        row("(anonymous namespace)::f(int)", "(anonymous namespace)::f");
        row("(anonymous namespace)::f", "(anonymous namespace)::f");
        row("(anonymous)", "(anonymous)");
        row("main.(*Server).Serve", "main.(*Server).Serve");
        row("<impl Foo for Bar<T>>::baz", "<impl Foo for Bar<T>>::baz");
        row("run::<lambda_0123456789abcdef0123456789abcdef>::operator()", "run::<lambda>::operator()");
        row("run::{lambda(int)#1}::operator()", "run::{lambda(int)#1}::operator()");
        row("copy.part.0", "copy");
        row("copy.isra.0.constprop.12.cold", "copy");
        row("copy [clone .part.0]", "copy");
        row("load:12", "load");
        row("load:12:7", "load");
        row("A::B", "A::B");
        row("v8::12", "v8::12");
        row("", "");
        row("<", "<");
        row(")", ")");
        row("f()", "f");
    }
    void functionsLoseWhatBuildsChange() {
        QFETCH(QString, function);
        QFETCH(QString, name);
        QCOMPARE(QString::fromStdString(normalisedFunction(function.toStdString())), name);
    }

    void normalisingTwiceChangesNothing_data() { functionsLoseWhatBuildsChange_data(); }
    void normalisingTwiceChangesNothing() {
        QFETCH(QString, name);
        QCOMPARE(QString::fromStdString(normalisedFunction(name.toStdString())), name);
    }

    void framesWithoutAFunctionAreTold() {
        const auto nameless = normalised("/opt/App-2.EXE!+0x1234");
        QCOMPARE(nameless.text, std::string("app.exe!+0x1234"));
        QCOMPARE(nameless.module, std::string("app.exe"));
        QVERIFY(!nameless.isNamed);
        const auto outside = normalised("0x7ffe1234");
        QCOMPARE(outside.text, std::string("[unknown]"));
        QCOMPARE(outside.module, std::string());
        QVERIFY(!outside.isNamed);
        const auto named = normalised("libapp.so.1!Cache::store(int) [inlined]");
        QCOMPARE(named.text, std::string("libapp.so!Cache::store"));
        QCOMPARE(named.module, std::string("libapp.so"));
        QVERIFY(named.isNamed);
        QCOMPARE(normalised("(no stack)").text, std::string("(no stack)"));
        QCOMPARE(normalised("(stack cut at 192 frames)").text, std::string("(stack cut)"));
    }
};

HIGHWATER_TEST(NormalisedNameTest);

} // namespace

#include "normalised_name_test.moc"
