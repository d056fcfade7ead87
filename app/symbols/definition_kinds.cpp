#include "app/symbols/definition_kinds.h"

#include "app/settings/application_settings.h"
#include "app/symbols/symbol_session.h"
#include "core/analysis/tags/suppressions.h"
#include "ui/format/qt_text.h"
#include "ui/view/analysis/analysis_tabs.h"

#include <utility>

namespace highwater::app {
namespace {

using Files = std::vector<DefinitionFiles::File>;

std::string_view viewOf(const QByteArray& bytes) { return {bytes.constData(), static_cast<std::size_t>(bytes.size())}; }

QStringList toTexts(const std::vector<std::string>& sentences) {
    QStringList texts;
    for (const auto& sentence : sentences)
        texts << QString::fromStdString(sentence);
    return texts;
}

QStringList useStackTags(SymbolSession& session, const Files& files) {
    auto tags = std::make_shared<analysis::StackTags>();
    QStringList problems;
    for (const auto& file : files) {
        const bool isBuiltIn = file.path == ui::FileListDialog::builtInEntry();
        const auto bytes = isBuiltIn ? analysis::StackTags::builtInText() : viewOf(file.bytes);
        const auto added = tags->add(bytes, file.name.toStdString());
        if (!added.hasValue()) problems << QString::fromStdString(added.error().message);
    }
    problems << toTexts(tags->remarks());
    const bool isUsual = files.size() == 1 && files.front().path == ui::FileListDialog::builtInEntry();
    session.setStackTags(isUsual ? analysis::StackTags::builtIn() : std::move(tags));
    return problems;
}

QStringList useSuppressions(ui::AnalysisTabs& tabs, const Files& files) {
    auto suppressions = std::make_shared<analysis::Suppressions>();
    for (const auto& file : files)
        suppressions->add(viewOf(file.bytes), file.name.toStdString());
    const auto problems = toTexts(suppressions->remarks());
    auto options = tabs.options();
    options.suppressions = suppressions->isEmpty() ? nullptr : std::move(suppressions);
    tabs.setOptions(options);
    return problems;
}

} // namespace

DefinitionFiles::Kind stackTagFiles(ApplicationSettings& settings, SymbolSession& session) {
    return {QObject::tr("Stack &Tags…"),
            {QStringLiteral("stackTags"), QObject::tr("Stack Tags"),
             QObject::tr("Files of Windows Performance Analyzer that assign tags to functions, for the Stack Tag and "
                         "Stack (Frame Tags) columns. The tag with the highest priority in a stack applies. If "
                         "several files assign tags of the same priority to a function, the first file applies."),
             QObject::tr("Stack tags (*.stacktags);;All files (*)"), QObject::tr("Built-in tags")},
            [&settings] { return settings.stackTagFiles(); },
            [&settings](const QStringList& files) { settings.setStackTagFiles(files); },
            [&session](const Files& files) { return useStackTags(session, files); }};
}

DefinitionFiles::Kind suppressionFiles(ApplicationSettings& settings, ui::AnalysisTabs& tabs) {
    return {QObject::tr("S&uppressions…"),
            {QStringLiteral("suppressions"),
             QObject::tr("Suppressions"),
             QObject::tr("LeakSanitizer files with known leaks to ignore, one leak:PATTERN per line. Stacks with a "
                         "matching function, module or source file are counted but not listed as leaks."),
             QObject::tr("Suppressions (*.supp *.txt);;All files (*)"),
             {}},
            [&settings] { return settings.suppressionFiles(); },
            [&settings](const QStringList& files) { settings.setSuppressionFiles(files); },
            [&tabs](const Files& files) { return useSuppressions(tabs, files); }};
}

} // namespace highwater::app
