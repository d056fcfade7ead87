#pragma once

#include "ui/state/symbol_choices.h"

#include <QWidget>

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace highwater::ui {

/// Settings for which symbols are loaded and where they are cached. GUI thread only.
class SymbolLoadSettings : public QWidget {
    Q_OBJECT
  public:
    /// `usualCache`: the default folder for an empty field.
    explicit SymbolLoadSettings(QString usualCache, QWidget* parent = nullptr);

    void setChoices(const SymbolChoices& choices);
    /// Whether a trace is open, and whether it was recorded on this computer.
    void setTrace(bool isOpen, bool isRecordedHere);
    /// Writes the settings into `choices`, except for the path.
    void putInto(SymbolChoices& choices) const;

  private:
    void build();
    QLineEdit* addNames(const char* name, const QString& words, const QString& example);
    QWidget* cacheRow();
    void chooseFolder();
    void measure();
    void clear();
    [[nodiscard]] QString folder() const;

    QString usualCache_;
    QLineEdit* processes_ = nullptr;
    QLineEdit* modules_ = nullptr;
    QCheckBox* onlyCached_;
    QCheckBox* imagePaths_;
    std::optional<bool> givenImagePaths_; ///< previous choice for this trace
    bool usualImagePaths_ = false;        ///< default without a choice
    QLineEdit* cache_;
    QLabel* size_;
    QPushButton* clear_;
};

} // namespace highwater::ui
