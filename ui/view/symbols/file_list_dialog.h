#pragma once

#include <QDialog>
#include <QString>
#include <QStringList>

class QLabel;
class QListWidget;
class QPushButton;

namespace highwater::ui {

/// An ordered list of files to read: add, remove, move, reload. One entry may represent built-in data. Problems with
/// files are shown below the list. Non-modal. GUI thread only.
class FileListDialog : public QDialog {
    Q_OBJECT
  public:
    struct Words {
        QString name; ///< object name prefix: "stackTags" makes stackTagsDialog, stackTagsFiles ...
        QString title;
        QString what;    ///< purpose of the files and meaning of their order
        QString filter;  ///< name filter of the file dialog
        QString builtIn; ///< text of the built-in entry; empty: there is none
    };
    /// The entry for built-in data.
    static QString builtInEntry() { return QStringLiteral("built-in"); }

    explicit FileListDialog(const Words& words, QWidget* parent = nullptr);

    /// Sets the list without emitting signals.
    void setFiles(const QStringList& files);
    [[nodiscard]] QStringList files() const;
    /// Sentences; empty: all files were read.
    void setProblems(const QStringList& sentences);
    /// Appends files; existing ones keep their position.
    void addFiles(const QStringList& files);

  signals:
    /// The user changed the list.
    void changed(const QStringList& files);
    /// The same files should be read again.
    void reloadWanted();

  private:
    void build(const Words& words);
    QPushButton* button(const QString& text, const QString& name, void (FileListDialog::*act)());
    void append(const QString& file);
    void askForFiles();
    void addBuiltIn();
    void removeCurrent();
    void moveUp() { move(-1); }
    void moveDown() { move(1); }
    void move(int by);
    void reload();
    void enableButtons();

    Words words_;
    QListWidget* list_;
    QLabel* problems_;
    QPushButton* builtIn_ = nullptr; ///< null: there is no built-in entry
    QPushButton* remove_ = nullptr;
    QPushButton* up_ = nullptr;
    QPushButton* down_ = nullptr;
    QPushButton* reload_ = nullptr;
};

} // namespace highwater::ui
