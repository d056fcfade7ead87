#pragma once

#include "ui/view/symbols/file_list_dialog.h"

#include <QAction>
#include <QByteArray>
#include <QObject>
#include <QPointer>
#include <QStringList>

#include <functional>
#include <vector>

namespace highwater::app {

/// Files that the user chose to define something, in their order: kept from run to run, read at the start, when they
/// change and when they are to be read again. Offers the action that shows their list. GUI thread only; of each file a
/// bounded part is read.
class DefinitionFiles : public QObject {
    Q_OBJECT
  public:
    /// Of the entry that is built in only the path, which is FileListDialog::builtInEntry().
    struct File {
        QString path;
        QString name; ///< without folders
        QByteArray bytes;
    };
    struct Kind {
        QString action; ///< what the menu says; words.name is the action's object name
        ui::FileListDialog::Words words;
        std::function<QStringList()> stored;
        std::function<void(const QStringList& files)> store;
        /// Takes what the files say; returns sentences about what is wrong with them.
        std::function<QStringList(const std::vector<File>& files)> use;
    };

    /// Reads the files at once. Whatever the kind is about, and the window, must outlive it.
    DefinitionFiles(Kind kind, QWidget& window);

    [[nodiscard]] QAction* action() const { return action_; }
    /// Sentences about what could not be read, the last time.
    [[nodiscard]] const QStringList& problems() const { return problems_; }

    /// In their order, wherever the list comes from.
    [[nodiscard]] const QStringList& files() const { return files_; }
    /// Instead of the user's own list, which is kept and comes back with useOwn(): that of a session.
    void useInstead(const QStringList& files);
    void useOwn();
    /// Behind those that there are, as if the user had chosen them. Sentences about what is wrong with any.
    const QStringList& add(const QStringList& files);
    /// Of the files those that were read, in their order.
    [[nodiscard]] const QStringList& filesInUse() const { return inUse_; }

  private:
    void show();
    void change(const QStringList& files);
    void read();
    void take(const QStringList& files);

    Kind kind_;
    QWidget& window_;
    QAction* action_;
    QStringList files_;
    QStringList problems_;
    QStringList inUse_;
    QPointer<ui::FileListDialog> dialog_;
};

} // namespace highwater::app
