#pragma once

#include <QObject>

#include <memory>
#include <string>
#include <vector>

namespace highwater::tests {

/// All test classes of this program, run one after the other by test_main.cpp.
std::vector<std::unique_ptr<QObject>>& registeredTests();

template <typename Test>
struct Registrar {
    Registrar() { registeredTests().push_back(std::make_unique<Test>()); }
};

/// The folder of real traces ("" when absent: the test then calls QSKIP with a clear message).
std::string sharedTracesFolder();

} // namespace highwater::tests

/// Adds a QObject test class to this program. At file scope.
#define HIGHWATER_TEST(Class) static const highwater::tests::Registrar<Class> registrarOf##Class // NOLINT
