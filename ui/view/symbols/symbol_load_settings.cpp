#include "ui/view/symbols/symbol_load_settings.h"

#include "core/symbols/store/cache_folder.h"
#include "ui/format/byte_format.h"
#include "ui/format/qt_text.h"
#include "ui/view/parts/plain_widgets.h"

#include <QCheckBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QFutureWatcher>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QtConcurrentRun>

namespace highwater::ui {
namespace {

QStringList namesOf(const QLineEdit& edit) {
    static const QRegularExpression separator(QStringLiteral("\\s*[;,]\\s*"));
    return edit.text().trimmed().split(separator, Qt::SkipEmptyParts);
}

QString joined(const QStringList& names) { return names.join(QStringLiteral("; ")); }

QLabel* wrapped(const QString& text) {
    auto* label = new PlainLabel(text);
    label->setWordWrap(true);
    return label;
}

} // namespace

SymbolLoadSettings::SymbolLoadSettings(QString usualCache, QWidget* parent)
    : QWidget(parent),
      usualCache_(std::move(usualCache)),
      onlyCached_(new QCheckBox(tr("&Only cached symbols (no downloads)"))),
      imagePaths_(new QCheckBox(tr("&Look for modules at the paths in this trace"))),
      cache_(new QLineEdit),
      size_(new PlainLabel),
      clear_(new QPushButton(tr("C&lear"))) {
    build();
}

void SymbolLoadSettings::build() {
    auto* form = new QFormLayout(this);
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    form->addRow(wrapped(
        tr("Loading fewer symbols is faster. An empty field loads all; * matches any text, ; separates names.")));
    processes_ = addNames("symbolProcesses", tr("Only these &processes:"), tr("all, or for example: app.exe; worker*"));
    modules_ = addNames("symbolModules", tr("Only these &modules:"), tr("all, or for example: app.exe; libapp*.so"));
    onlyCached_->setObjectName(QStringLiteral("onlyCached"));
    form->addRow(onlyCached_);
    imagePaths_->setObjectName(QStringLiteral("imagePaths"));
    imagePaths_->setToolTip(tr("A trace can name any of your files. Files on local drives are read if the trace was "
                               "recorded on this computer, or if this option is on. The option applies to this trace "
                               "only. Network paths, device paths and relative paths are never read."));
    imagePaths_->setEnabled(false);
    form->addRow(imagePaths_);
    form->addRow(tr("Cache &folder:"), cacheRow());
    form->addRow(QString(), size_);
    form->addRow(wrapped(tr("This folder keeps function names, and files downloaded from servers that have no cache "
                            "folder of their own, for the next time. Beyond 512 MB, the least "
                            "recently used names are removed. Clear removes only files that Highwater created.")));
#ifdef _WIN32
    form->addRow(wrapped(tr("Private symbols are read by DbgHelp, which is part of Windows.")));
#else
    form->addRow(wrapped(tr(
        "Names that Windows system DLLs export are available only on Windows, because they are read from the DLLs.")));
#endif
}

QLineEdit* SymbolLoadSettings::addNames(const char* name, const QString& words, const QString& example) {
    auto* edit = new QLineEdit;
    edit->setObjectName(QLatin1String(name));
    edit->setPlaceholderText(example);
    edit->setClearButtonEnabled(true);
    static_cast<QFormLayout*>(layout())->addRow(words, edit);
    return edit;
}

QWidget* SymbolLoadSettings::cacheRow() {
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    cache_->setObjectName(QStringLiteral("symbolCache"));
    cache_->setPlaceholderText(usualCache_);
    cache_->setClearButtonEnabled(true);
    row->setFocusProxy(cache_);
    auto* browse = new QPushButton(tr("&Browse…"));
    browse->setAutoDefault(false);
    clear_->setObjectName(QStringLiteral("clearSymbolCache"));
    clear_->setAutoDefault(false);
    size_->setObjectName(QStringLiteral("symbolCacheSize"));
    layout->addWidget(cache_, 1);
    layout->addWidget(browse);
    layout->addWidget(clear_);
    connect(browse, &QPushButton::clicked, this, &SymbolLoadSettings::chooseFolder);
    connect(clear_, &QPushButton::clicked, this, &SymbolLoadSettings::clear);
    connect(cache_, &QLineEdit::editingFinished, this, &SymbolLoadSettings::measure);
    return row;
}

void SymbolLoadSettings::setChoices(const SymbolChoices& choices) {
    processes_->setText(joined(choices.processes));
    modules_->setText(joined(choices.modules));
    onlyCached_->setChecked(choices.onlyCached);
    cache_->setText(choices.cacheFolder);
    givenImagePaths_ = choices.usesImagePaths;
    imagePaths_->setChecked(givenImagePaths_.value_or(usualImagePaths_));
    measure();
}

void SymbolLoadSettings::setTrace(bool isOpen, bool isRecordedHere) {
    usualImagePaths_ = isRecordedHere;
    imagePaths_->setEnabled(isOpen);
    imagePaths_->setChecked(givenImagePaths_.value_or(usualImagePaths_));
}

void SymbolLoadSettings::putInto(SymbolChoices& choices) const {
    choices.processes = namesOf(*processes_);
    choices.modules = namesOf(*modules_);
    choices.onlyCached = onlyCached_->isChecked();
    choices.cacheFolder = cache_->text().trimmed();
    const bool isChecked = imagePaths_->isChecked();
    choices.usesImagePaths = isChecked == givenImagePaths_.value_or(usualImagePaths_) ? givenImagePaths_ : isChecked;
}

QString SymbolLoadSettings::folder() const {
    const auto text = cache_->text().trimmed();
    return text.isEmpty() ? usualCache_ : text;
}

void SymbolLoadSettings::chooseFolder() {
    auto* dialog = new QFileDialog(this, tr("Cache Folder"), folder());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& chosen) {
        cache_->setText(chosen);
        measure();
    });
    dialog->open();
}

void SymbolLoadSettings::measure() {
    clear_->setEnabled(false);
    auto* watcher = new QFutureWatcher<std::uint64_t>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, measured = folder()] {
        watcher->deleteLater();
        if (measured != folder()) return;
        const auto bytes = watcher->result();
        size_->setText(bytes == 0 ? tr("empty") : formatBytes(static_cast<std::int64_t>(bytes)));
        clear_->setEnabled(bytes > 0);
    });
    watcher->setFuture(QtConcurrent::run([path = toPath(folder())] { return symbols::cacheBytes(path); }));
}

void SymbolLoadSettings::clear() {
    clear_->setEnabled(false);
    auto* watcher = new QFutureWatcher<std::uint64_t>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher] {
        watcher->deleteLater();
        measure();
    });
    watcher->setFuture(QtConcurrent::run([path = toPath(folder())] { return symbols::clearCache(path); }));
}

} // namespace highwater::ui

#include "moc_symbol_load_settings.cpp"
