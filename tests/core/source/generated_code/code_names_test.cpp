#include "core/source/generated_code/code_names.h"

#include "tests/support/test_registry.h"

#include <QTest>

#include <map>
#include <string>

using namespace highwater::source;

namespace {

constexpr std::uint64_t kAligned = 0x7F3381FC6980, kUnaligned = 0x308F9EB8B3EE;

std::string labelOf(const std::string& text, Runtime runtime, std::uint64_t start = kAligned) {
    const auto name = codeNameOf(text, start, runtime);
    return name.isCode ? name.module + '!' + name.function + name.arguments : "none";
}

} // namespace

/// The names that runtimes give their code, and the names of frames; the texts are the runtimes'.
class CodeNamesTest : public QObject {
    Q_OBJECT
  private slots:
    void namesAsRuntimesWriteThem_data() {
        QTest::addColumn<int>("runtime");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("label");
        const auto row = [](Runtime runtime, const char* text, const char* label) {
            QTest::newRow(text) << static_cast<int>(runtime) << text << label;
        };
        row(Runtime::V8, "JS:*leak /path/app.js:12:3", "app.js!leak:12");
        row(Runtime::V8, "JS:^leak /path/app.js:12:3", "app.js!leak:12");
        row(Runtime::V8, "JS:~leak /path/app.js:12:3", "app.js!leak:12");
        row(Runtime::V8, "JS:+leak /path/app.js:12:3", "app.js!leak:12");
        row(Runtime::V8, "JS:leak /path/app.js:12:3", "app.js!leak:12");
        row(Runtime::V8, "JS:* /path/app.js:12:3", "app.js!(anonymous):12");
        row(Runtime::V8, "Eval:~ /path/app.js:1:1", "app.js!(anonymous):1");
        row(Runtime::V8, "JS:*get size /a folder/my app.js:3:14", "my app.js!get size:3");
        row(Runtime::V8, "JS:*Module._load node:internal/modules/cjs/loader:960:24",
            "node:internal/modules/cjs/loader!Module._load:960");
        row(Runtime::V8, "JS:*run file:///srv/job.mjs:7:1", "job.mjs!run:7");
        row(Runtime::V8, "JS:*run https://host/app.js?v=1:7:1", "app.js?v=1!run:7");
        row(Runtime::V8, "JS:*noPlace", "[script]!noPlace");
        row(Runtime::V8, "Builtin:ArrayMap", "[builtin]!ArrayMap");
        row(Runtime::V8, "BytecodeHandler:LdaZero", "[builtin]!LdaZero");
        row(Runtime::V8, "RegExp:^a+$", "[regexp]!^a+$");
        row(Runtime::V8, "Stub:CEntryStub", "[stub]!CEntryStub");
        row(Runtime::V8, "something else", "[stub]!something else");
        row(Runtime::HotSpot, "void Leaky.leak(int)", "[Java]!Leaky.leak(int)");
        row(Runtime::HotSpot, "java.lang.Object jdk.internal.misc.Unsafe.getReference(java.lang.Object, long)",
            "[Java]!jdk.internal.misc.Unsafe.getReference(java.lang.Object, long)");
        row(Runtime::HotSpot, "void java.nio.DirectByteBuffer.<init>(int)",
            "[Java]!java.nio.DirectByteBuffer.<init>(int)");
        row(Runtime::HotSpot, "Interpreter", "[stub]!Interpreter");
        row(Runtime::HotSpot, "I2C/C2I adapters", "[stub]!I2C/C2I adapters");
        row(Runtime::HotSpot, "StubRoutines (1)", "[stub]!StubRoutines (1)");
        row(Runtime::Mono, "Leaky:Leak (int)", "[Mono]!Leaky.Leak(int)");
        row(Runtime::Mono, "App.Cache`1<T_REF>:.ctor ()", "[Mono]!App.Cache`1<T_REF>..ctor()");
        row(Runtime::Mono, "(wrapper managed-to-native) System.GC:Collect (int)",
            "[Mono]!System.GC.Collect(int) (wrapper managed-to-native)");
        row(Runtime::Mono, "generic_trampoline_jit", "[stub]!generic_trampoline_jit");
        row(Runtime::Mono, "(null)", "none");
        row(Runtime::DotNet, "void [App] App.Leaky::Leak(int32)[Tier0]", "App.dll!App.Leaky.Leak(int32)");
        row(Runtime::DotNet, "instance void [System.Private.CoreLib] System.AppContext::Setup(char**,char**)[PreJIT]",
            "System.Private.CoreLib.dll!System.AppContext.Setup(char**,char**)");
        row(Runtime::DotNet, "class [A]A.B[] [App] App.C::D(class [A]A.B[])[OptimizedTier1]",
            "App.dll!App.C.D(class [A]A.B[])");
        row(Runtime::DotNet, "stub<1> AllocateTemporaryEntryPoints<PRECODE_FIXUP>",
            "[stub]!stub<1> AllocateTemporaryEntryPoints<PRECODE_FIXUP>");
        row(Runtime::Python, "py::leak:/srv/app.py", "app.py!leak");
        row(Runtime::Unknown, "py::leak:/srv/app.py", "app.py!leak");
        row(Runtime::Unknown, "JS:*leak /path/app.js:12:3", "app.js!leak:12");
        row(Runtime::Unknown, "TRACE_1::main.lua:3", "!TRACE_1::main.lua:3");
    }
    void namesAsRuntimesWriteThem() {
        QFETCH(int, runtime);
        QFETCH(QString, text);
        QFETCH(QString, label);
        QCOMPARE(labelOf(text.toStdString(), static_cast<Runtime>(runtime)), label.toStdString());
    }

    /// V8 also lists byte code, which is not machine code; a copy of its interpreter is.
    void byteCodeIsNoCode() {
        QCOMPARE(labelOf("JS:~leak /a.js:3:14", Runtime::V8, kUnaligned), std::string("none"));
        QCOMPARE(labelOf("JS:~leak /a.js:3:14", Runtime::V8, kAligned), std::string("a.js!leak:3"));
        QCOMPARE(labelOf("JS:*leak /a.js:3:14", Runtime::V8, kUnaligned), std::string("a.js!leak:3"));
    }

    void oddTextsAreNoHarm() {
        const std::string texts[] = {"",         ":",       "JS:",     "JS:*",       "JS:*:1:1",  "JS:* :",
                                     "::",       "](",      "[a] b::", "[a] b::c)(", "(wrapper ", " (",
                                     "py::",     "py:::",   "x (y)",   ":(",         "a.b(",      "JS:*f x:y:1:2",
                                     "\xFF\xFE", "[] ::()", "JS:*a b"};
        for (const auto& text : texts)
            for (int runtime = 0; runtime <= static_cast<int>(Runtime::Python); ++runtime)
                (void)codeNameOf(text, kAligned, static_cast<Runtime>(runtime));
        QCOMPARE(labelOf("", Runtime::Unknown), std::string("none"));
    }

    void anInterpreterThatTellsNothingIsKnownByItsModules() {
        for (const auto& [path, name] :
             std::map<std::string, std::string>{{"/usr/bin/python3.11", "Python 3.11"},
                                                {"/usr/lib/libpython3.9.so.1.0", "Python 3.9"},
                                                {"/usr/bin/python3.12", ""},
                                                {"/usr/bin/python2.7", "Python 2"},
                                                {"/usr/bin/perl", "Perl"},
                                                {"/usr/lib/libperl.so.5.36", "Perl"},
                                                {"/usr/bin/ruby3.1", "Ruby"},
                                                {"/usr/lib/libruby-3.1.so.3.1.2", "Ruby"},
                                                {"/usr/bin/php8.2", "PHP"},
                                                {"/usr/bin/luajit-2.1.0-beta3", "LuaJIT"},
                                                {"/usr/bin/perldoc", ""},
                                                {"/usr/lib/libphpcpp.so.1", ""},
                                                {"/usr/bin/node", ""},
                                                {"", ""}})
            QCOMPARE(silentInterpreter(path, path.find("/bin/") != std::string::npos), name);
        QCOMPARE(silentInterpreter("/usr/share/perl", false), std::string());
    }
    void aRuntimeIsKnownByItsModules() {
        QVERIFY(runtimeOf("/usr/lib/jvm/java-17/lib/server/libjvm.so", false) == Runtime::HotSpot);
        QVERIFY(runtimeOf("/opt/openj9/lib/default/libjvm.so", false) == Runtime::Unknown);
        QVERIFY(runtimeOf("libjvm.so", false) == Runtime::Unknown);
        QVERIFY(runtimeOf("/usr/bin/node", true) == Runtime::V8);
        QVERIFY(runtimeOf("/usr/bin/mono-sgen", true) == Runtime::Mono);
        QVERIFY(runtimeOf("/usr/share/dotnet/libcoreclr.so", false) == Runtime::DotNet);
        QVERIFY(runtimeOf("/usr/bin/python3.12", true) == Runtime::Python);
        QVERIFY(runtimeOf("/usr/lib/node", false) == Runtime::Unknown);
        QVERIFY(runtimeOf("/usr/lib/libc.so.6", false) == Runtime::Unknown);
    }
};
HIGHWATER_TEST(CodeNamesTest);
#include "code_names_test.moc"
