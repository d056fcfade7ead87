#pragma once

#include "core/symbols/places/symbol_path.h"

#include <QAbstractTableModel>
#include <QStringList>

#include <map>
#include <vector>

namespace highwater::ui {

/// Facts about a folder of the path.
struct PlaceFacts {
    bool isChecked = false;
    bool isThere = false;
    std::uint64_t bytes = 0; ///< for trace folders
};

/// A symbol path as a checkable list: its entries, which can be edited as text, followed by the NGENPDB folders next to
/// the traces. One check box for all traces turns these off. A worker checks whether folders exist and reports the
/// result. GUI thread only.
class SymbolPathModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    enum Column { kPlace, kKind, kNote, kColumns };

    explicit SymbolPathModel(symbols::Environment environment = symbols::systemEnvironment(),
                             QObject* parent = nullptr);

    /// Looks for the folders next to these traces.
    void setTraces(const QStringList& traces);
    void setPath(const symbols::SymbolPath& path);
    [[nodiscard]] symbols::SymbolPath path() const { return symbols::SymbolPath(entries_); }
    void setUsesTraceFolders(bool uses);
    [[nodiscard]] bool usesTraceFolders() const { return usesTraceFolders_; }
    /// Short description of these folders; empty: no trace is open.
    [[nodiscard]] QString traceFoldersNote() const;

    /// In the format of _NT_SYMBOL_PATH, including unchecked entries (with '!').
    [[nodiscard]] QString text() const;
    /// Appends the entries of such a text; returns their number.
    int paste(const QString& text);
    /// Inserts after the row; returns the new entry's row.
    int insert(int behind, const symbols::SymbolPathEntry& entry);
    /// Moves a row by `by` rows up (negative) or down. False at the ends, and for trace folders.
    bool move(int row, int by);
    [[nodiscard]] bool canMove(int row, int by) const;
    void remove(int row);
    [[nodiscard]] bool isEntry(int row) const { return row >= 0 && row < entryRows(); }
    /// Purpose of such a place in one sentence.
    [[nodiscard]] QString help(int row) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  signals:
    /// All requested folders have been checked.
    void placesChecked();
    /// usesTraceFolders() or traceFoldersNote() changed.
    void traceFoldersChanged();

  private:
    struct TraceFolder {
        QString trace; ///< file name
        QString path;
        std::uint64_t bytes = 0;
    };

    [[nodiscard]] int entryRows() const { return static_cast<int>(entries_.size()); }
    [[nodiscard]] const TraceFolder& traceFolder(int row) const;
    [[nodiscard]] const symbols::SymbolPathEntry& entry(int row) const;
    [[nodiscard]] QString place(int row) const;
    [[nodiscard]] QString note(int row) const;
    [[nodiscard]] QString folderOf(const symbols::SymbolPathEntry& entry) const;
    [[nodiscard]] QString toolTip(int row) const;
    void checkPlaces();

    symbols::Environment environment_;
    std::vector<TraceFolder> traceFolders_;
    qsizetype traces_ = 0;     ///< number of open traces
    bool hasLooked_ = true;    ///< for their folders
    bool isInArchive_ = false; ///< one of them is in an archive
    std::vector<symbols::SymbolPathEntry> entries_;
    bool usesTraceFolders_ = true;
    std::map<QString, PlaceFacts> facts_; ///< by folder, variables expanded
    int checks_ = 0;                      ///< under way
};

} // namespace highwater::ui
